/* Fuzz target for libsframe 3 (binutils 2.46 and later): decodes a section, reads every FDE and
 * FRE, looks PCs up, and dumps the section as objdump and readelf do. The input is the section. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sframe-api.h"

enum { most_fdes = 4096, most_fres = 256 };

static void read_fre(sframe_decoder_ctx *ctx, sframe_frame_row_entry *fre, uint32_t type)
{
	int err = 0;

	sframe_fre_get_base_reg_id(fre, &err);
	for (int k = 0; k < 6; k++)
		sframe_get_fre_udata(fre, k, &err);
	sframe_fre_get_cfa_offset(ctx, fre, type, &err);
	sframe_fre_get_ra_offset(ctx, fre, type, &err);
	sframe_fre_get_fp_offset(ctx, fre, type, &err);
	sframe_fre_get_ra_mangled_p(ctx, fre, &err);
	sframe_fre_get_ra_undefined_p(ctx, fre, &err);
}

static void read_fdes(sframe_decoder_ctx *ctx)
{
	uint32_t n = sframe_decoder_get_num_fidx(ctx);

	for (uint32_t i = 0; i < n && i < most_fdes; i++) {
		uint32_t fres = 0, size = 0, type;
		int64_t start = 0;
		unsigned char info = 0, info2 = 0;
		uint8_t rep = 0;
		sframe_frame_row_entry fre;

		if (sframe_decoder_get_funcdesc_v3(ctx, i, &fres, &size, &start, &info, &info2, &rep))
			continue;
		type = info2 & 31;
		for (uint32_t j = 0; j < fres && j < most_fres; j++) {
			memset(&fre, 0, sizeof fre);
			if (sframe_decoder_get_fre(ctx, i, j, &fre))
				break;
			read_fre(ctx, &fre, type);
		}
		for (int64_t pc = start - 1; pc <= start + size && pc < start + 16; pc++) {
			memset(&fre, 0, sizeof fre);
			if (!sframe_find_fre(ctx, pc, &fre))
				read_fre(ctx, &fre, type);
		}
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	return freopen("/dev/null", "w", stdout) ? 0 : 1; /* of the dump */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int err = 0;
	char *copy = malloc(size ? size : 1);
	sframe_decoder_ctx *ctx;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	ctx = sframe_decode(copy, size, &err);
	if (ctx) {
		read_fdes(ctx);
		dump_sframe(ctx, 0x2000);
		sframe_decoder_free(&ctx);
	}
	sframe_errmsg(err);
	free(copy);
	return 0;
}
