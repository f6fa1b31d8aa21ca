/* Registers sections with the reader of a Linux tree, looks up PCs, and takes a step of the unwinder
 * from each. It writes "refused E" if the header is refused with -E, else "validate E" and a line
 * for each look-up: its result, that of the step, the number of warnings, and the rules.
 *
 * With SEC_TYPE SFRAME_USER, the reader gets the addresses of the ELF file and reads the section by
 * the functions for the memory of a process, as for the stacks of user space. They fail for what is
 * not in the section. With SFRAME_KERNEL it reads the bytes itself, as for those of the kernel.
 */
#include "serve.h"
#include "kernel.h"

#include "unwind_types.h" /* of the tree, as are the next two */
#include "sframe.c" /* to the end of sframe_read_header */
#include "user.c" /* to the end of unwind_user_next_common */

static int warnings;
static struct sframe_section sec;
static const char *bytes;

/* What registers have: places on one stack. */
static const unsigned long in_sp = 0x7fff00000000, in_fp = 0x7fff00010000, in_others = 0x7fff00020000;

bool user_copy(void *to, unsigned long from, size_t size)
{
	if (from < sec.sframe_start || from - sec.sframe_start > sec.sframe_end - sec.sframe_start ||
	    size > sec.sframe_end - from)
		return false;
	memcpy(to, bytes + (from - sec.sframe_start), size);
	return true;
}

unsigned long stack_word(unsigned long address)
{
	return address + 0x100000;
}

unsigned long register_value(unsigned int number)
{
	switch (number) {
	case SFRAME_REG_SP:
		return in_sp;
	case SFRAME_REG_FP:
		return in_fp;
	}
	return in_others;
}

void warn(void)
{
	warnings++;
}

static void rule(const char *name, unsigned int rule, int offset, unsigned int reg)
{
	say(" %s %s%u %d %u", name, rule & UNWIND_RULE_DEREF ? "*" : "", rule & ~UNWIND_RULE_DEREF, offset, reg);
}

static void look_up(unsigned long pc, unsigned long delta)
{
	struct unwind_user_state state = { .ip = pc + delta, .sp = in_sp, .fp = in_fp, .ws = 8, .topmost = true };
	struct unwind_frame frame = {};
	int found = __sframe_find(&sec, state.ip, &frame), step = 0;

	warnings = 0;
	if (!found)
		step = unwind_user_next_common(&state, &frame);
	say("pc %lx found %d step %d warnings %d", pc, -found, -step, warnings);
	if (!found) {
		rule("cfa", frame.cfa.rule, frame.cfa.offset, frame.cfa.regnum);
		rule("ra", frame.ra.rule, frame.ra.offset, frame.ra.regnum);
		rule("fp", frame.fp.rule, frame.fp.offset, frame.fp.regnum);
	}
	say("\n");
}

static void read_section(char *data, const struct request *r, const struct lookup *lookups)
{
	unsigned long delta = SEC_TYPE == SFRAME_KERNEL ? (unsigned long)data - r->address : 0;
	uint32_t i;
	int ret;

	bytes = data;
	sec = (struct sframe_section){ .sec_type = SEC_TYPE, .sframe_start = r->address + delta,
				       .sframe_end = r->address + r->size + delta,
				       .text_start = r->text_start + delta, .text_end = r->text_end + delta };
	if (r->text_start == 0 && r->text_end == UINT64_MAX) /* any */
		sec.text_start = 0, sec.text_end = ULONG_MAX;
	if ((ret = sframe_read_header(&sec))) {
		say("refused %d\n", -ret);
		return;
	}
	say("validate %d\n", -sframe_validate_section(&sec));
	for (i = 0; i < r->lookups && !full(); i++)
		look_up(lookups[i].pc, delta);
}
