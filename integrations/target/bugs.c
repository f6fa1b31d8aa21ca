/* A reader of SFrame sections of versions 2 and 3 for AMD64 and AArch64, with one of ten bugs on request (-DBUG=1 to
 * 10), to compare fuzzers. It looks PCs up. NAME is the name of the look-up, POINTS of the function that lists PCs.
 *
 *     cc -O1 -g -shared -fPIC -Iinternal/tool/campaign/driver -DBUG=4 -o libbug.so integrations/target/bugs.c
 */
#include <stdlib.h>
#include <string.h>
#include "sframe_fuzz.h"

#ifndef BUG
#define BUG 0
#endif
#ifndef NAME
#define NAME sframe_fuzz_lookup
#define POINTS sframe_fuzz_points
#endif

struct reader {
	const uint8_t *p;
	size_t size, fdes, fres;
	uint64_t addr;
	uint32_t count, len;
	int big, v3, flags, aarch;
	int8_t ra, fp;
};

struct entry {
	uint64_t start;
	uint32_t size, rows, at;
	uint8_t info, flex, rep;
};

static uint64_t number(const struct reader *r, size_t at, int n, int big)
{
	uint64_t v = 0;
	for (int i = 0; i < n; i++)
		v = v << 8 | r->p[at + (big ? i : n - 1 - i)];
	return v;
}

static uint64_t word(const struct reader *r, size_t at, int n) { return number(r, at, n, r->big); }

static int64_t offset(const struct reader *r, size_t at, int n)
{
	uint64_t v = word(r, at, n);
	if (BUG == 2 && n == 2)
		return v;
	return (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n);
}

static int header(struct reader *r, const uint8_t *p, size_t size, uint64_t addr)
{
	*r = (struct reader){ .p = p, .size = size, .addr = addr };
	if (size < 28 || (p[2] != 2 && p[2] != 3) || p[4] < 1 || p[4] > 3)
		return -1;
	if (p[0] + 256 * p[1] != 0xdee2 && p[1] + 256 * p[0] != 0xdee2)
		return -1;
	r->big = p[0] == 0xde;
	r->v3 = p[2] == 3;
	r->flags = p[3];
	r->aarch = p[4] < 3;
	r->fp = p[5];
	r->ra = p[6];
	r->count = word(r, 8, 4);
	r->len = word(r, 16, 4);
	r->fdes = 28 + (size_t)p[7] + word(r, 20, 4);
	r->fres = 28 + (size_t)p[7] + word(r, 24, 4);
	if (r->fdes + (uint64_t)r->count * (r->v3 ? 16 : 20) > size || r->fres + r->len > size)
		return -1;
	return 0;
}

/* entry reads the i-th FDE. Bug 9 keeps the block size of the FDE before. */
static int entry(const struct reader *r, uint32_t i, struct entry *e)
{
	size_t at = r->fdes + (size_t)i * (r->v3 ? 16 : 20);
	int n = r->v3 ? 8 : 4;
	e->start = offset(r, at, n) + r->addr + (r->flags & 4 ? at : 0);
	e->size = word(r, at + n, 4);
	e->at = word(r, at + n + 4, 4);
	e->flex = 0;
	if (BUG != 9)
		e->rep = 0;
	if (r->v3) {
		if (BUG == 10 ? (uint32_t)(e->at + 5) > r->len : (uint64_t)e->at + 5 > r->len)
			return -1;
		at = r->fres + e->at;
		e->rows = number(r, at, 2, BUG == 5 ? 0 : r->big);
		e->info = r->p[at + 2];
		e->flex = r->p[at + 3] & 31;
		at += 4;
		e->at += 5;
	} else {
		e->rows = word(r, at + 12, 4);
		e->info = r->p[at + 16];
		at += 17;
	}
	if (e->info & 16)
		e->rep = r->p[at];
	return (e->info & 15) > 2 || e->flex > 1 ? -1 : 0;
}

static struct sframe_fuzz_rule saved(int64_t at) { return (struct sframe_fuzz_rule){ SFRAME_FUZZ_CFA, 1, 0, at }; }

/* next reads the FRE at *at, an offset in the sub-section, and moves *at after it. Bug 1 trusts the number of FREs. */
static int next(const struct reader *r, const struct entry *e, uint64_t *at, uint32_t *start, struct sframe_fuzz_row *row)
{
	int width = 1 << (e->info & 15);
	if (BUG != 1 && *at + width + 1 > r->len)
		return -1;
	size_t p = r->fres + *at;
	int info = r->p[p + width], n = info >> 1 & 15, size = 1 << (info >> 5 & 3);
	*start = word(r, p, width);
	*at += width + 1 + n * size;
	if (size == 8 || (BUG != 1 && *at > r->len))
		return -1;
	int64_t w[15];
	uint64_t control[15];
	for (int i = 0; i < n; i++) {
		w[i] = offset(r, p + width + 1 + i * size, size);
		control[i] = word(r, p + width + 1 + i * size, size);
	}
	memset(row, 0, sizeof *row);
	if (n == 0)
		return 0;
	row->ra.kind = row->fp.kind = SFRAME_FUZZ_UNCHANGED;
	if (r->ra)
		row->ra = saved(r->ra);
	if (r->fp)
		row->fp = saved(r->fp);
	if (!e->flex) {
		int k = 1, fp = r->aarch ? (BUG == 3 ? 30 : 29) : 6;
		row->cfa = (struct sframe_fuzz_rule){ SFRAME_FUZZ_REGISTER, 0, info & 1 ? (r->aarch ? 31 : 7) : fp, w[0] };
		if (r->aarch && n > k)
			row->ra = saved(w[k++]);
		if (n > k)
			row->fp = saved(w[k]);
		return 0;
	}
	struct sframe_fuzz_rule *to[] = { &row->cfa, &row->ra, &row->fp };
	for (int i = 0, what = 0; i < n && what < 3; i++, what++) {
		uint64_t c = control[i];
		if (c == 0 && what > 0)
			continue;
		if ((what == 0 && !(c & 1)) || ++i == n)
			return -1;
		*to[what] = (struct sframe_fuzz_rule){ c & 1 ? SFRAME_FUZZ_REGISTER : SFRAME_FUZZ_CFA, c >> 1 & 1, c & 1 ? c >> 3 : 0, w[i] };
	}
	return 0;
}

/* valid walks all FDEs and FREs, and keeps a table of starts. Bug 8 loses it. */
static int valid(const struct reader *r)
{
	struct entry e = { 0 };
	struct sframe_fuzz_row row;
	uint64_t *starts = malloc(8 * (size_t)r->count + 8);
	__asm__ volatile("" : : "r"(starts) : "memory"); /* the compiler must not leave it out */
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t start;
		int bad = entry(r, i, &e);
		uint64_t at = e.at;
		starts[i] = e.start;
		for (uint32_t k = 0; k < e.rows && !bad; k++)
			bad = next(r, &e, &at, &start, &row);
		if (bad) {
			if (BUG != 8)
				free(starts);
			return 0;
		}
	}
	free(starts);
	return 1;
}

int NAME(const uint8_t *p, size_t size, uint64_t addr, uint64_t pc, struct sframe_fuzz_row *row)
{
	struct reader r;
	struct entry e = { 0 };
	if (header(&r, p, size, addr) || !valid(&r))
		return -1;
	for (uint32_t i = 0; i < r.count; i++) {
		entry(&r, i, &e);
		uint64_t off = pc - e.start, at = e.at;
		if (BUG == 4 ? off > e.size : off >= e.size)
			continue;
		if (e.info & 16 && e.rep == 0 && BUG != 7)
			return 0;
		if (BUG == 7 && e.info & 16)
			while (off >= e.rep)
				off -= e.rep;
		else if (BUG != 6 && e.rep)
			off %= e.rep;
		int found = 0;
		for (uint32_t k = 0; k < e.rows; k++) {
			struct sframe_fuzz_row x;
			uint32_t start;
			next(&r, &e, &at, &start, &x);
			if (start <= off) {
				*row = x;
				found = 1;
			}
		}
		return found;
	}
	return 0;
}

/* POINTS lists at most n PCs to look up: the ends of functions, and the starts of FREs in the first two blocks. */
size_t POINTS(const uint8_t *p, size_t size, uint64_t addr, uint64_t *pc, size_t n)
{
	struct reader r;
	struct entry e = { 0 };
	size_t k = 0;
	if (header(&r, p, size, addr) || !valid(&r))
		return 0;
	for (uint32_t i = 0; i < r.count && k + 3 < n; i++) {
		entry(&r, i, &e);
		pc[k++] = e.start - 1;
		pc[k++] = e.start + e.size - 1;
		pc[k++] = e.start + e.size;
		uint64_t at = e.at;
		for (uint32_t j = 0; j < e.rows && k + 2 < n; j++) {
			struct sframe_fuzz_row x;
			uint32_t start;
			next(&r, &e, &at, &start, &x);
			pc[k++] = e.start + start;
			pc[k++] = e.start + start + e.rep;
		}
	}
	return k;
}
