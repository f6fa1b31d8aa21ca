/* Decodes a section with the reader of a glibc tree and looks up PCs. Usage and output
 * are those of testdata/libsframe/driver.c.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "section.h"
#include "sframe-read.c"

static void value(const char *name, int32_t v, _Unwind_Reason_Code err)
{
	if (err != _URC_NO_REASON)
		printf(" %s none", name);
	else
		printf(" %s %" PRId32, name, v);
}

int main(int argc, char **argv)
{
	sframe_decoder_ctx d;
	int64_t pc;
	uint32_t type;
	size_t size;

	if (argc != 2)
		return 2;
	if (__sframe_decode(&d, read_section(argv[1], &size)) != _URC_NO_REASON) {
		printf("decode 1\n");
		return 0;
	}
	while (scanf("%" SCNd64 "%" SCNu32, &pc, &type) == 2) {
		sframe_frame_row_entry f = {};
		_Unwind_Reason_Code err;
		int32_t v;

		printf("%" PRId64, pc);
		if (__sframe_find_fre(&d, (int32_t)pc, &f) != _URC_NO_REASON) {
			printf(" not found\n");
			continue;
		}
		v = __sframe_fre_get_cfa_offset(&d, &f, &err);
		if (err != _URC_NO_REASON)
			printf(sframe_fre_get_offset_count(f.fre_info) ? " not found" : " outermost");
		else {
			value("cfa", v, err);
			v = __sframe_fre_get_ra_offset(&d, &f, &err);
			value("ra", v, err);
			v = __sframe_fre_get_fp_offset(&d, &f, &err);
			value("fp", v, err);
		}
		putchar('\n');
		fflush(stdout);
	}
	return 0;
}
