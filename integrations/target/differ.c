/* A libFuzzer target that compares a reader with a bug with the same reader without one: bugs.c compiled twice, the second
 * time with -DNAME=right -DPOINTS=right_points. A fuzzer that only sees crashes then sees wrong answers, too. */
#include <stdlib.h>
#include <string.h>
#include "sframe_fuzz.h"

int right(const uint8_t *p, size_t size, uint64_t addr, uint64_t pc, struct sframe_fuzz_row *row);
size_t right_points(const uint8_t *p, size_t size, uint64_t addr, uint64_t *pc, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t size)
{
	static uint64_t pcs[512];
	size_t n = right_points(p, size, 0x400000, pcs, 512);
	for (size_t i = 0; i < n || i == 0; i++) {
		struct sframe_fuzz_row a, b;
		memset(&a, 0, sizeof a);
		memset(&b, 0, sizeof b);
		if (right(p, size, 0x400000, pcs[i], &a) != sframe_fuzz_lookup(p, size, 0x400000, pcs[i], &b) || memcmp(&a, &b, sizeof a))
			abort();
	}
	return 0;
}
