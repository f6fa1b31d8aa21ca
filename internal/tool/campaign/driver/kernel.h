/* What kernel/unwind of a Linux tree needs of the rest of the kernel, in user space. */
#ifndef KERNEL_H
#define KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

#undef __always_inline
#define __always_inline inline
#define __packed __attribute__((packed))
#define __user
#define BIT(n) (1u << (n))
#define no_printk(...) ((void)0)

/* The memory of a process is the section, at the address that the reader has. user_copy returns
 * false for other addresses. Which ones a process may have is not checked. */
bool user_copy(void *to, unsigned long from, size_t size);
#define copy_from_user(to, from, size) (user_copy(to, (unsigned long)(from), size) ? 0 : (size))
#define unsafe_copy_from_user(to, from, size, label) \
	do { \
		if (!user_copy(to, (unsigned long)(from), size)) \
			goto label; \
	} while (0)
#define unsafe_get_user(to, from, label) \
	do { \
		__typeof__(*(from)) value; \
		unsafe_copy_from_user(&value, from, sizeof(value), label); \
		(to) = value; \
	} while (0)
#define user_read_access_begin(from, size) true
#define user_read_access_end() ((void)0)
#define DEFINE_STATIC_SRCU(name) extern int name
#define __init
#define __ro_after_init

struct sframe_section {
	int sec_type;
	unsigned long sframe_start, sframe_end, text_start, text_end;
	unsigned long fdes_start, fres_start, fres_end;
	unsigned int num_fdes;
	signed char ra_off, fp_off;
};
enum { SFRAME_KERNEL, SFRAME_USER };

/* One thread, whose stack has what the driver says. */
struct unwind_user_state {
	unsigned long ip, sp, fp;
	unsigned int ws;
	bool topmost, done;
};
void warn(void);
unsigned long stack_word(unsigned long address);
unsigned long register_value(unsigned int number);
#define WARN_ON_ONCE(x) (warn())
#define get_user(to, from) ((to) = stack_word((unsigned long)(from)), 0)
#define unwind_user_get_reg(to, number) (*(to) = register_value(number), 0)
#define unwind_user_get_ra_reg(to) (*(to) = register_value(~0u), 0)

#endif
