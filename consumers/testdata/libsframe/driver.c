/* Decodes a section with libsframe and looks up PCs by its interface.
 *
 * usage: driver SECTION < LOOKUPS
 *
 * SECTION is a file. A look-up is a PC, counted from the section, and an FDE type, both
 * in decimal. It prints "decode N" and ends if the library refuses the section with the
 * error N; otherwise, for each look-up, what the functions for the FRE return.
 *
 * The declarations are those of libsframe 3 (binutils 2.46 and later), as far as they
 * are used here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section.h"

typedef struct decoder decoder;
typedef struct {
	uint32_t start;
	unsigned char words[60]; /* more than any release has */
	unsigned char info;
	unsigned char room[64];
} fre;

decoder *sframe_decode(const char *, size_t, int *);
int sframe_find_fre(const decoder *, int64_t, fre *);
int32_t sframe_fre_get_cfa_offset(const decoder *, const fre *, uint32_t, int *);
int32_t sframe_fre_get_ra_offset(const decoder *, const fre *, uint32_t, int *);
int32_t sframe_fre_get_fp_offset(const decoder *, const fre *, uint32_t, int *);
bool sframe_fre_get_ra_undefined_p(const decoder *, const fre *, int *);

static void value(const char *name, int32_t v, int err)
{
	if (err)
		printf(" %s none", name);
	else
		printf(" %s %" PRId32, name, v);
}

int main(int argc, char **argv)
{
	int64_t pc;
	uint32_t type;
	size_t size;
	char *data;
	int err = 0;
	decoder *d;

	if (argc != 2)
		return 2;
	data = read_section(argv[1], &size);
	d = sframe_decode(data, size, &err);
	if (!d) {
		printf("decode %d\n", err);
		return 0;
	}
	while (scanf("%" SCNd64 "%" SCNu32, &pc, &type) == 2) {
		fre f;
		int found, undefined;

		memset(&f, 0, sizeof f);
		found = sframe_find_fre(d, pc, &f);
		printf("%" PRId64, pc);
		if (found) {
			printf(" not found\n");
			continue;
		}
		undefined = sframe_fre_get_ra_undefined_p(d, &f, &err);
		if (undefined)
			printf(" outermost");
		else {
			int32_t v = sframe_fre_get_cfa_offset(d, &f, type, &err);
			value("cfa", v, err);
			v = sframe_fre_get_ra_offset(d, &f, type, &err);
			value("ra", v, err);
			v = sframe_fre_get_fp_offset(d, &f, type, &err);
			value("fp", v, err);
		}
		putchar('\n');
		fflush(stdout);
	}
	return 0;
}
