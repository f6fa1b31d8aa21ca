/* Copyright 2026 The sframe-lint authors. Under the Apache License, Version 2.0:
 * http://www.apache.org/licenses/LICENSE-2.0 */

/* Fuzz target for libsframe 3 (binutils 2.46 and later). The input is a section. The target reads it as
 * consumers do: every FDE and FRE, look-ups at the ends of functions and FREs, and the dump of objdump
 * and readelf. Then it links the section as ld does: the functions are encoded again, written in both
 * orders, decoded and read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sframe-api.h"

/* Most FDEs and FREs of each of them that are read one by one, to bound the time: to find an FRE,
 * libsframe decodes those before it. */
enum { most_fdes = 512, most_fres = 128 };

/* A function of a section of version 2 or 3. */
struct func {
	int64_t start;
	uint32_t size, fres;
	unsigned char info, info2;
	uint8_t rep;
};

static int get_func(const sframe_decoder_ctx *ctx, uint32_t i, struct func *f)
{
	int32_t start = 0;
	int err;

	memset(f, 0, sizeof *f);
	if (sframe_decoder_get_version(ctx) == SFRAME_VERSION_3)
		return sframe_decoder_get_funcdesc_v3(ctx, i, &f->fres, &f->size, &f->start, &f->info, &f->info2, &f->rep);
	err = sframe_decoder_get_funcdesc_v2(ctx, i, &f->fres, &f->size, &start, &f->info, &f->rep);
	f->start = start;
	return err;
}

static void read_fre(const sframe_decoder_ctx *ctx, const sframe_frame_row_entry *fre, uint32_t type)
{
	int err = 0;

	sframe_fre_get_base_reg_id(fre, &err);
	for (int k = 0; k <= MAX_NUM_DATAWORDS; k++)
		sframe_get_fre_udata(fre, k, &err);
	sframe_fre_get_cfa_offset(ctx, fre, type, &err);
	sframe_fre_get_ra_offset(ctx, fre, type, &err);
	sframe_fre_get_fp_offset(ctx, fre, type, &err);
	sframe_fre_get_ra_mangled_p(ctx, fre, &err);
	sframe_fre_get_ra_undefined_p(ctx, fre, &err);
	sframe_errmsg(err);
}

static void look_up(const sframe_decoder_ctx *ctx, int64_t pc, uint32_t type)
{
	sframe_frame_row_entry fre;

	memset(&fre, 0, sizeof fre);
	if (!sframe_find_fre(ctx, pc, &fre))
		read_fre(ctx, &fre, type);
}

/* Reads a function, and looks up the PCs around its ends and those of its FREs. PCs are relative to
 * the section. */
static void read_func(const sframe_decoder_ctx *ctx, uint32_t i)
{
	struct func f;
	sframe_frame_row_entry fre;
	int64_t at;
	uint32_t type;
	int err = 0;

	if (get_func(ctx, i, &f))
		return;
	type = SFRAME_V3_FDE_TYPE(f.info2);
	at = f.start + sframe_decoder_get_offsetof_fde_start_addr(ctx, i, &err);
	look_up(ctx, at - 1, type);
	look_up(ctx, at + f.size - 1, type);
	look_up(ctx, at + f.size, type);
	for (uint32_t j = 0; j < f.fres && j < most_fres; j++) {
		memset(&fre, 0, sizeof fre);
		if (sframe_decoder_get_fre(ctx, i, j, &fre))
			break;
		read_fre(ctx, &fre, type);
		look_up(ctx, at + fre.fre_start_addr, type);
		look_up(ctx, at + fre.fre_start_addr + f.rep, type);
	}
	if (f.fres < most_fres)
		sframe_decoder_get_fre(ctx, i, f.fres, &fre); /* after the last one */
}

static void read_section(const sframe_decoder_ctx *ctx)
{
	uint32_t n = sframe_decoder_get_num_fidx(ctx);
	struct func f;
	int err = 0;

	for (uint32_t i = 0; i < n && i < most_fdes; i++)
		read_func(ctx, i);
	get_func(ctx, n, &f); /* after the last one */
	sframe_decoder_get_offsetof_fde_start_addr(ctx, n, &err);
	dump_sframe(ctx, 0x2000);
}

/* Adds a function with its FREs to an encoder: those of version 3 in one piece, as ld does, unless
 * SINGLY, the others one by one. The code is moved by DISTANCE bytes. */
static int link_func(const sframe_decoder_ctx *ctx, uint32_t i, sframe_encoder_ctx *out, int64_t distance, int singly)
{
	uint32_t at = sframe_encoder_get_num_fidx(out), fres = 0;
	struct func f;
	char *buf = NULL;
	size_t size = 0;
	int64_t start;
	int err = 0;

	if (get_func(ctx, i, &f))
		return -1;
	singly |= sframe_decoder_get_version(ctx) != SFRAME_VERSION_3;
	if (singly && f.fres == 0)
		return 0; /* known: sframe_encoder_write has no room for the attributes of such a function */
	start = f.start + sframe_decoder_get_offsetof_fde_start_addr(ctx, i, &err) + distance
		- sframe_encoder_get_offsetof_fde_start_addr(out, at, &err);
	if (sframe_decoder_get_version(ctx) != SFRAME_VERSION_3)
		err = sframe_encoder_add_funcdesc_v2(out, start, f.size, f.info, f.rep, f.fres);
	else
		err = sframe_encoder_add_funcdesc_v3(out, start, f.size, f.info, f.info2, f.rep, f.fres);
	if (err)
		return err;
	if (!singly) {
		err = sframe_decoder_get_fres_buf(ctx, i, &buf, &size, &fres);
		return err ? err : sframe_encoder_add_fres_buf(out, at, fres, buf, size);
	}
	for (uint32_t j = 0; j < f.fres && j < most_fres; j++) {
		sframe_frame_row_entry fre;

		memset(&fre, 0, sizeof fre);
		if (sframe_decoder_get_fre(ctx, i, j, &fre) || sframe_encoder_add_fre(out, at, &fre))
			return -1;
	}
	return 0;
}

/* Encodes all functions, several times if COPIES is, writes them, and reads the result. */
static void link_section(const sframe_decoder_ctx *ctx, int copies, int singly, int sorted)
{
	uint32_t n = sframe_decoder_get_num_fidx(ctx);
	unsigned char flags = SFRAME_F_FDE_FUNC_START_PCREL;
	int err = 0;
	size_t size = 0;
	char *written;
	sframe_decoder_ctx *again;
	sframe_encoder_ctx *out = sframe_encode(SFRAME_VERSION_3, flags, sframe_decoder_get_abi_arch(ctx),
		sframe_decoder_get_fixed_fp_offset(ctx), sframe_decoder_get_fixed_ra_offset(ctx), &err);

	if (!out)
		return;
	sframe_encoder_get_abi_arch(out);
	sframe_encoder_get_flags(out);
	for (int c = 0; c < copies && !err; c++)
		for (uint32_t i = 0; i < n && i < most_fdes && !err; i++)
			err = link_func(ctx, i, out, c * INT64_C(0x10000), singly);
	if (!err && (written = sframe_encoder_write(out, &size, sorted, &err)) != NULL) {
		again = sframe_decode(written, size, &err);
		if (again) {
			read_section(again);
			sframe_decoder_free(&again);
		}
	}
	sframe_encoder_free(&out);
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
		read_section(ctx);
		link_section(ctx, 2, 0, 1); /* as two object files with this section */
		link_section(ctx, 1, 1, 0);
		sframe_decoder_free(&ctx);
	}
	sframe_errmsg(err);
	free(copy);
	return 0;
}
