/* A decoder for the conformance suite that uses libsframe 3 (binutils 2.46 and later).
 *
 *     cc -I INCLUDE -o driver libsframe.c -lsframe
 *     sframe-fuzz conformance --decoder ./driver
 *
 * It answers what the library's functions say: decode and, for a PC, sframe_find_fre. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sframe-api.h"

static char line[8 << 20], data[4 << 20]; /* the largest section of the suite has 2 MB */

/* field returns the text of a member of the request, NULL if there is none. */
static char *field(const char *name)
{
	char key[32];
	char *p;

	snprintf(key, sizeof key, "\"%s\":\"", name);
	p = strstr(line, key);
	return p ? p + strlen(key) : NULL;
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t bytes(const char *hex)
{
	size_t n = 0;

	for (; hex && digit(hex[0]) >= 0 && digit(hex[1]) >= 0; hex += 2)
		data[n++] = (char)(digit(hex[0]) << 4 | digit(hex[1]));
	return n;
}

static const char *const abis[] = {"", "aarch64-be", "aarch64", "amd64", "s390x"};
static const int sp[] = {0, 31, 31, 7, 15}, fp[] = {0, 29, 29, 6, 11};

struct fde {
	uint32_t fres, size, type;
	int64_t start; /* from the section */
	unsigned char info;
	uint8_t rep;
};

/* get_fde reads an FDE; it returns 0 if there is one. */
static int get_fde(sframe_decoder_ctx *ctx, uint32_t i, struct fde *f)
{
	int32_t start = 0;
	unsigned char info2 = 0;
	int err = 0, fails;

	memset(f, 0, sizeof *f);
	if (sframe_decoder_get_version(ctx) == 3)
		fails = sframe_decoder_get_funcdesc_v3(ctx, i, &f->fres, &f->size, &f->start, &f->info, &info2, &f->rep);
	else {
		fails = sframe_decoder_get_funcdesc_v2(ctx, i, &f->fres, &f->size, &start, &f->info, &f->rep);
		f->start = start;
	}
	f->type = info2 & 31;
	if (sframe_decoder_get_flags(ctx) & 4) /* SFRAME_F_FDE_FUNC_START_PCREL */
		f->start += sframe_decoder_get_offsetof_fde_start_addr(ctx, i, &err);
	return fails;
}

/* row writes an FRE. The library's functions give offsets, which state all of the default
 * type, and of the flexible type nothing but the words. */
static void row(sframe_decoder_ctx *ctx, sframe_frame_row_entry *fre, uint32_t type)
{
	int err = 0, abi = sframe_decoder_get_abi_arch(ctx);
	int32_t v;

	printf("{\"start\":%" PRIu32, fre->fre_start_addr);
	if (sframe_fre_get_ra_undefined_p(ctx, fre, &err)) {
		printf(",\"cfa\":\"undefined\",\"ra\":\"undefined\",\"fp\":\"undefined\"}");
		return;
	}
	if (abi == 1 || abi == 2)
		printf(",\"mangled_ra\":%s", sframe_fre_get_ra_mangled_p(ctx, fre, &err) ? "true" : "false");
	if (type == 0) {
		v = sframe_fre_get_cfa_offset(ctx, fre, type, &err);
		if (!err)
			printf(",\"cfa\":\"r%d%+" PRId32 "\"", sframe_fre_get_base_reg_id(fre, &err) ? sp[abi] : fp[abi], v);
		err = 0;
		v = sframe_fre_get_ra_offset(ctx, fre, type, &err);
		if (err || (abi == 4 && v == 0))
			printf(",\"ra\":\"unchanged\"");
		else if (abi == 4 && sframe_decoder_get_version(ctx) == 2 && (v & 1))
			printf(",\"ra\":\"r%d+0\"", v >> 1);
		else
			printf(",\"ra\":\"*(cfa%+" PRId32 ")\"", v);
		err = 0;
		v = sframe_fre_get_fp_offset(ctx, fre, type, &err);
		if (err)
			printf(",\"fp\":\"unchanged\"");
		else if (abi == 4 && sframe_decoder_get_version(ctx) == 2 && (v & 1))
			printf(",\"fp\":\"r%d+0\"", v >> 1);
		else
			printf(",\"fp\":\"*(cfa%+" PRId32 ")\"", v);
	}
	putchar('}');
}

static void section(sframe_decoder_ctx *ctx, uint64_t addr)
{
	uint32_t n = sframe_decoder_get_num_fidx(ctx);
	int abi = sframe_decoder_get_abi_arch(ctx);
	const char *fails = NULL;

	printf("{\"version\":%d,\"abi\":\"%s\",\"flags\":%d,\"fixed_fp\":%d,\"fixed_ra\":%d,\"functions\":[",
	       sframe_decoder_get_version(ctx), abi > 0 && abi < 5 ? abis[abi] : "", sframe_decoder_get_flags(ctx),
	       sframe_decoder_get_fixed_fp_offset(ctx), sframe_decoder_get_fixed_ra_offset(ctx));
	for (uint32_t i = 0; i < n && !fails; i++) {
		struct fde f;

		if (get_fde(ctx, i, &f)) {
			fails = "no FDE";
			break;
		}
		printf("%s{\"start\":\"0x%" PRIx64 "\",\"size\":%" PRIu32 ",\"pc_type\":\"%s\",\"rep_size\":%d,\"rows\":[",
		       i ? "," : "", addr + (uint64_t)f.start, f.size, f.info & 16 ? "mask" : "inc", f.rep);
		for (uint32_t j = 0; j < f.fres; j++) {
			sframe_frame_row_entry fre;

			memset(&fre, 0, sizeof fre);
			if (sframe_decoder_get_fre(ctx, i, j, &fre)) {
				fails = "no FRE";
				break;
			}
			if (j)
				putchar(',');
			row(ctx, &fre, f.type);
		}
		printf("]}");
	}
	putchar(']');
	if (fails)
		printf(",\"error\":\"%s\"", fails);
	printf("}\n");
}

/* lookup writes the FRE of a PC. No function of the library says which FDE it belongs to, so that
 * FDEs are searched for its type. */
static void lookup(sframe_decoder_ctx *ctx, int64_t pc)
{
	sframe_frame_row_entry fre;
	uint32_t n = sframe_decoder_get_num_fidx(ctx), type = 0;

	memset(&fre, 0, sizeof fre);
	if (sframe_find_fre(ctx, pc, &fre)) {
		printf("{\"row\":null}\n");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct fde f;

		if (!get_fde(ctx, i, &f) && pc >= f.start && pc - f.start < f.size)
			type = f.type;
	}
	printf("{\"row\":");
	row(ctx, &fre, type);
	printf("}\n");
}

int main(void)
{
	while (fgets(line, sizeof line, stdin)) {
		char *address = field("address"), *pc = field("pc");
		uint64_t addr = address ? strtoull(address, NULL, 0) : 0;
		int err = 0;
		sframe_decoder_ctx *ctx = sframe_decode(data, bytes(field("section")), &err);

		if (!ctx)
			printf("{\"error\":\"%s\"}\n", sframe_errmsg(err));
		else if (pc)
			lookup(ctx, (int64_t)(strtoull(pc, NULL, 0) - addr));
		else
			section(ctx, addr);
		if (ctx)
			sframe_decoder_free(&ctx);
		fflush(stdout);
	}
	return 0;
}
