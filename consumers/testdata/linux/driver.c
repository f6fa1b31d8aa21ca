/* Registers a section with the reader of a Linux tree, looks up PCs, and takes a step
 * of the unwinder from each.
 *
 * usage: driver SECTION ADDRESS TEXT_START TEXT_END < PCS
 *
 * SECTION is a file; the numbers are addresses in the ELF file, in hexadecimal, and so
 * are the PCs, one a line. It prints "header N" or "section N" and ends if the reader
 * refuses the section with -N; otherwise, for each PC, the result of the look-up and of
 * the step, the number of warnings, and the rules.
 */
#include "kernel.h"

#include "section.h"

#include "kernel/unwind/sframe.c"
#include "step.c" /* unwind_user_next_common of kernel/unwind/user.c */

int warnings;
static struct sframe_section sec = { .sec_type = SFRAME_KERNEL };

/* What registers have: places on one stack. */
static const unsigned long in_sp = 0x7fff00000000, in_fp = 0x7fff00010000, in_others = 0x7fff00020000;

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

static void rule(const char *name, unsigned int rule, int offset, unsigned int reg)
{
	printf(" %s %s%u %d %u", name, rule & UNWIND_RULE_DEREF ? "*" : "", rule & ~UNWIND_RULE_DEREF, offset, reg);
}

int main(int argc, char **argv)
{
	unsigned long address, delta, pc;
	size_t size;
	char *data;
	int ret;

	if (argc != 5)
		return 2;
	data = read_section(argv[1], &size);
	address = strtoul(argv[2], NULL, 16);
	delta = (unsigned long)data - address;
	sec.sframe_start = (unsigned long)data;
	sec.sframe_end = sec.sframe_start + size;
	sec.text_start = strtoul(argv[3], NULL, 16) + delta;
	sec.text_end = strtoul(argv[4], NULL, 16) + delta;
	if ((ret = sframe_read_header(&sec))) {
		printf("header %d\n", -ret);
		return 0;
	}
	if ((ret = sframe_validate_section(&sec))) {
		printf("section %d\n", -ret);
		return 0;
	}
	while (scanf("%lx", &pc) == 1) {
		struct unwind_user_state state = { .ip = pc + delta, .sp = in_sp, .fp = in_fp, .ws = 8, .topmost = true };
		struct unwind_frame frame = {};
		int found = __sframe_find(&sec, state.ip, &frame), step = 0;

		warnings = 0;
		if (!found)
			step = unwind_user_next_common(&state, &frame);
		printf("%lx found %d step %d warnings %d", pc, -found, -step, warnings);
		if (!found) {
			rule("cfa", frame.cfa.rule, frame.cfa.offset, frame.cfa.regnum);
			rule("ra", frame.ra.rule, frame.ra.offset, frame.ra.regnum);
			rule("fp", frame.fp.rule, frame.fp.offset, frame.fp.regnum);
		}
		putchar('\n');
		fflush(stdout);
	}
	return 0;
}
