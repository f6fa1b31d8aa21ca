/* What a reader exports to be fuzzed in process: sframe-fuzz run --library own=reader.so. */
#ifndef SFRAME_FUZZ_H
#define SFRAME_FUZZ_H

#include <stddef.h>
#include <stdint.h>

enum sframe_fuzz_kind {
	SFRAME_FUZZ_UNDEFINED, /* there is no caller */
	SFRAME_FUZZ_UNCHANGED, /* the register has it */
	SFRAME_FUZZ_CFA, /* the CFA plus offset */
	SFRAME_FUZZ_REGISTER, /* the register reg, by its DWARF number, plus offset */
};

/* How a value of the caller is recovered. If memory is not 0, it is the word at that address. */
struct sframe_fuzz_rule {
	int32_t kind, memory;
	int64_t reg, offset;
};

struct sframe_fuzz_row {
	struct sframe_fuzz_rule cfa, ra, fp;
};

/* sframe_fuzz_lookup finds the row of a PC in a section of size bytes that is at an address. It returns 1 and the row,
 * 0 if there is none, or -1 if it refuses the section. */
int sframe_fuzz_lookup(const uint8_t *section, size_t size, uint64_t address, uint64_t pc, struct sframe_fuzz_row *row);

/* A reader without look-ups exports the function of a libFuzzer target, which returns 0 if it has read the section. */
int LLVMFuzzerTestOneInput(const uint8_t *section, size_t size);

#endif
