/* cfi - compares the FREs of a linked file with the rows of its .eh_frame.

   Usage: cfi FILE

   It executes the CFI of each FDE of .eh_frame, finds the FDE of .sframe for the same start, and
   compares CFA, RA and FP wherever either of both has a row. It prints the number of functions,
   rows and differences. Rows that SFrame cannot express count as equal.  */
#include "image.h"

enum { UNCHANGED, AT_CFA, OTHER };	/* a register's rule; OTHER cannot be compared */
typedef struct { int kind; int64_t off; } rule;
typedef struct { int other; uint32_t reg; int64_t off; rule ra, fp; } state;	/* reg + off is the CFA */

typedef struct
{
  const uint8_t *p, *end, *ops;		/* ops: initial instructions */
  int64_t code, data;
  uint32_t ra_reg;
  int encoding, augmented;
} cie;

static uint32_t sp, fp;
static uint64_t functions, rows, differ;

static uint64_t
uleb (const uint8_t **p, const uint8_t *end)
{
  uint64_t v = 0;
  for (int shift = 0; *p < end; shift += 7)
    {
      uint8_t b = *(*p)++;
      if (shift < 64)
	v |= (uint64_t) (b & 127) << shift;
      if (!(b & 128))
	break;
    }
  return v;
}

static int64_t
sleb (const uint8_t **p, const uint8_t *end)
{
  uint64_t v = 0;
  int shift = 0;
  uint8_t b = 0;
  do
    {
      if (*p >= end)
	return 0;
      b = *(*p)++;
      if (shift < 64)
	v |= (uint64_t) (b & 127) << shift;
      shift += 7;
    }
  while (b & 128);
  if (shift < 64 && b & 64)
    v |= ~0ull << shift;
  return v;
}

/* Decode a CIE, or return 0.  */
static int
decode_cie (const part *s, uint64_t at, cie *c)
{
  if (at + 9 > s->size)
    return 0;
  uint32_t len = u32 (s->p + at);
  if (len > s->size - at - 4 || len < 5 || u32 (s->p + at + 4))
    return 0;
  c->p = s->p + at;
  c->end = s->p + at + 4 + len;
  const uint8_t *p = s->p + at + 9, *aug = p;
  while (p < c->end && *p)
    p++;
  p++;
  c->code = uleb (&p, c->end);
  c->data = sleb (&p, c->end);
  c->ra_reg = s->p[at + 8] == 1 ? (p < c->end ? *p++ : 0) : uleb (&p, c->end);
  c->encoding = 0;
  c->augmented = aug < c->end && *aug == 'z';
  if (c->augmented)
    {
      uint64_t n = uleb (&p, c->end);
      if (n > (uint64_t) (c->end - p))
	return 0;
      const uint8_t *a = p;
      p += n;
      for (aug++; a < p && *aug; aug++)
	if (*aug == 'R')
	  c->encoding = *a++;
	else if (*aug == 'L')
	  a++;
	else if (*aug == 'P')
	  a += 1 + ((*a & 7) == 4 ? 8 : 4);	/* the sizes that compilers use */
    }
  c->ops = p;
  return c->encoding == 0x1b;	/* pcrel, sdata4: what linkers leave */
}

static inline void
set (const cie *c, state *s, uint32_t reg, int kind, int64_t off)
{
  if (reg == c->ra_reg)
    s->ra = (rule) { kind, off };
  else if (reg == fp)
    s->fp = (rule) { kind, off };
}

/* The FREs of the function that is compared.  */
static struct { const sframe *s; fde f; const uint8_t *p; uint32_t j; fre now; uint32_t next; state st; } side;

static void
recover (void)
{
  const fre *r = &side.now;
  state *s = &side.st;
  *s = (state) { 0 };
  int tracks = side.s->fixed_ra == 0, k = 1;
  if (r->n == 0 || r->n > 3 || (side.f.info2 & 31))
    {
      s->other = 1;	/* flexible, or RA is undefined */
      return;
    }
  s->reg = r->info & 1 ? sp : fp;
  s->off = word (r, 0);
  s->ra = tracks ? (rule) { UNCHANGED, 0 } : (rule) { AT_CFA, side.s->fixed_ra };
  if (tracks && k < r->n)
    s->ra = (rule) { AT_CFA, word (r, k++) };
  if (k < r->n)
    s->fp = (rule) { AT_CFA, word (r, k) };
}

/* Make the FRE that covers an offset the current one.  */
static inline int
seek (uint32_t off)
{
  while (side.j < side.f.count && side.next <= off)
    {
      if (!decode_fre (side.p, side.s->fres + side.s->fres_size, side.f.info & 15, &side.now))
	return 0;
      side.p = side.now.next;
      fre after;
      int more = ++side.j < side.f.count && decode_fre (side.p, side.s->fres + side.s->fres_size, side.f.info & 15, &after);
      side.next = more ? after.start : side.f.size;
      recover ();
    }
  return 1;
}

/* Compare a row of CFI for offsets from to end with the FREs.  */
static void
compare (const state *s, uint32_t from, uint32_t end)
{
  while (from < end)
    {
      rows++;
      if (!seek (from))
	{
	  differ++;
	  return;
	}
      const state *f = &side.st;
      if (!s->other && !f->other && s->ra.kind != OTHER && s->fp.kind != OTHER)
	differ += s->reg != f->reg || s->off != f->off || s->ra.kind != f->ra.kind || s->ra.off != f->ra.off
		  || s->fp.kind != f->fp.kind || s->fp.off != f->fp.off;
      from = side.next > from && side.next < end ? side.next : end;
    }
}

/* Execute instructions from loc on; with live, compare each row.  Return 0 for an unknown one.  */
static int
execute (const cie *c, const uint8_t *p, const uint8_t *end, state *s, const state *initial, int live, uint32_t size)
{
  static state stack[64];
  int depth = 0;
  uint64_t loc = 0, to, reg;
  while (p < end)
    {
      uint8_t op = *p++;
      int64_t n = op & 63, delta = -1;
      switch (op >> 6)
	{
	case 1: delta = n; break;
	case 2: set (c, s, n, AT_CFA, (int64_t) uleb (&p, end) * c->data); continue;
	case 3: if (n == c->ra_reg) s->ra = initial->ra; else if (n == fp) s->fp = initial->fp; continue;
	default:
	  switch (op)
	    {
	    case 0x00: continue;				/* nop */
	    case 0x02: delta = end - p >= 1 ? *p : 0; p += 1; break;
	    case 0x03: delta = end - p >= 2 ? u16 (p) : 0; p += 2; break;
	    case 0x04: delta = end - p >= 4 ? u32 (p) : 0; p += 4; break;
	    case 0x05: reg = uleb (&p, end); set (c, s, reg, AT_CFA, (int64_t) uleb (&p, end) * c->data); continue;
	    case 0x06: reg = uleb (&p, end); if (reg == c->ra_reg) s->ra = initial->ra; else if (reg == fp) s->fp = initial->fp; continue;
	    case 0x07: set (c, s, uleb (&p, end), OTHER, 0); continue;	/* undefined */
	    case 0x08: set (c, s, uleb (&p, end), UNCHANGED, 0); continue;
	    case 0x09: reg = uleb (&p, end); uleb (&p, end); set (c, s, reg, OTHER, 0); continue;
	    case 0x0a: if (depth == 64) return 0; stack[depth++] = *s; continue;
	    case 0x0b: if (depth == 0) return 0; *s = stack[--depth]; continue;
	    case 0x0c: s->reg = uleb (&p, end); s->off = uleb (&p, end); s->other = 0; continue;
	    case 0x0d: s->reg = uleb (&p, end); continue;
	    case 0x0e: s->off = uleb (&p, end); continue;
	    case 0x0f: s->other = 1; n = uleb (&p, end); p += n < end - p ? n : end - p; continue;
	    case 0x10: case 0x16: reg = uleb (&p, end); n = uleb (&p, end); p += n < end - p ? n : end - p; set (c, s, reg, OTHER, 0); continue;
	    case 0x11: reg = uleb (&p, end); set (c, s, reg, AT_CFA, sleb (&p, end) * c->data); continue;
	    case 0x12: s->reg = uleb (&p, end); s->off = sleb (&p, end) * c->data; s->other = 0; continue;
	    case 0x13: s->off = sleb (&p, end) * c->data; continue;
	    case 0x2d: continue;				/* the sign of RA is toggled */
	    case 0x2e: uleb (&p, end); continue;		/* size of arguments */
	    default: return 0;
	    }
	}
      to = loc + (uint64_t) delta * c->code;
      if (to > size)
	to = size;
      if (live)
	compare (s, loc, to);
      loc = to;
    }
  if (live)
    compare (s, loc, size);
  return 1;
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    fail ("usage: cfi FILE");
  image in = load (argv[1]);
  sframe s = header (in.sframe);
  part *e = &in.eh_frame;
  sp = in.machine == EM_X86_64 ? 7 : 31, fp = in.machine == EM_X86_64 ? 6 : 29;
  side.s = &s;
  cie c = { 0 };
  state initial = { 0 };
  uint32_t at_sframe = 0;
  for (uint64_t at = 0; at + 8 <= e->size;)
    {
      uint32_t len = u32 (e->p + at), id = u32 (e->p + at + 4);
      if (len == 0 || len > e->size - at - 4)
	break;
      const uint8_t *p = e->p + at + 8, *end = e->p + at + 4 + len;
      uint64_t here = at + 4;
      at += 4 + (uint64_t) len;
      if (id == 0 || id > here || end - p < 8)
	continue;
      if (c.p != e->p + here - id)
	{
	  initial = (state) { 0 };
	  if (!decode_cie (e, here - id, &c) || !execute (&c, c.ops, c.end, &initial, &initial, 0, 0))
	    {
	      c.p = NULL;
	      continue;
	    }
	}
      uint64_t start = e->addr + (uint64_t) (p - e->p) + (int64_t) (int32_t) u32 (p);
      uint32_t size = u32 (p + 4);
      p += 8;
      if (c.augmented)
	{
	  uint64_t n = uleb (&p, end);
	  p += n < (uint64_t) (end - p) ? n : (uint64_t) (end - p);
	}
      /* Nearly always the FDE after the last one; if not, search.  */
      fde f;
      if (at_sframe >= s.count || !decode_fde (&s, at_sframe, &f) || f.start != start)
	{
	  uint32_t lo = 0, hi = s.count;
	  while (lo < hi)
	    {
	      uint32_t mid = lo + (hi - lo) / 2;
	      if (decode_fde (&s, mid, &f) && f.start < start)
		lo = mid + 1;
	      else
		hi = mid;
	    }
	  if (lo == s.count || !decode_fde (&s, lo, &f) || f.start != start)
	    continue;
	  at_sframe = lo;
	}
      at_sframe++;
      functions++;
      if (f.info & 16 || f.count == 0)
	continue;
      side.f = f, side.p = s.fres + f.off, side.j = 0, side.next = 0;
      state now = initial;
      execute (&c, p, end, &now, &initial, 1, size < f.size ? size : f.size);
    }
  printf ("%lu functions, %lu rows, %lu differences\n", (unsigned long) functions, (unsigned long) rows, (unsigned long) differ);
  return differ > 0;
}
