/* sections - checks the FDEs and FREs of a linked file's .sframe by themselves.

   Usage: sections FILE

   It decodes all of them and checks what the rules SF1 to SF4 check of each: bounds, reserved
   bits, the order of FDEs and FREs, overlaps, counts, widths, and the values of the words. It
   prints the number of FDEs, FREs and faults.  */
#include "image.h"

static uint64_t faults[32];
enum { BEYOND, RESERVED, TYPE, ORDER, OVERLAP, EMPTY, NO_ROWS, REP, FIRST, ROW_ORDER, ROW_BEYOND, WIDE, COUNT, LOW_CFA, ALIGN, SLOT, SLOTS, REPEATED, DATA, FLEX, INSN, HUGE_CFA, TOTAL };

#define CHECK(kind, bad) (faults[kind] += !!(bad))

/* The values of an FRE of the default type.  */
static inline void
check_words (const sframe *s, const fre *r, int amd64)
{
  int most = amd64 ? 2 : 3, tracks = s->fixed_ra == 0;
  if (r->n == 0)
    return;
  CHECK (COUNT, r->n > most);
  if (r->n > most)
    return;
  int32_t cfa = word (r, 0), ra = 0, fp = 0;
  int k = 1, has_ra = tracks && k < r->n;
  if (has_ra)
    ra = word (r, k);
  k += tracks;
  int has_fp = k < r->n;
  if (has_fp)
    fp = word (r, k);
  int needless = r->width > 1;
  for (int i = 0; needless && i < r->n; i++)
    {
      int32_t v = word (r, i);
      needless = r->width == 4 ? v >= INT16_MIN && v <= INT16_MAX : v >= INT8_MIN && v <= INT8_MAX;
    }
  CHECK (WIDE, needless);
  CHECK (LOW_CFA, (r->info & 1) ? cfa < (amd64 ? 8 : 0) : cfa < 0);
  CHECK (ALIGN, cfa & 7);
  CHECK (HUGE_CFA, cfa > 1 << 28 || cfa < -(1 << 28));
  CHECK (SLOT, (has_ra && (ra & 7 || ra >= 0)) || (has_fp && (fp & 7 || fp >= 0)));
  CHECK (SLOTS, has_fp && ((has_ra && fp == ra) || (s->fixed_ra && fp == s->fixed_ra)));
}

/* The words of an FRE of a flexible FDE: up to three pairs.  */
static inline void
check_flex (const fre *r)
{
  int k = 0;
  for (int role = 0; role < 3 && k < r->n; role++)
    {
      uint32_t ctl = (uint32_t) word (r, k) & (r->width == 4 ? ~0u : (1u << 8 * r->width) - 1);
      if (ctl == 0 && role > 0)
	{
	  k++;
	  continue;
	}
      CHECK (FLEX, ctl & 4 || k + 1 >= r->n || (role == 0 && !(ctl & 1)) || (ctl & 1 && ctl >> 3 > 31));
      k += 2;
    }
  CHECK (FLEX, k < r->n);
}

static uint64_t
check_rows (const sframe *s, const fde *f, int amd64)
{
  const uint8_t *p = s->fres + f->off, *end = s->fres + s->fres_size, *last = NULL;
  int type = f->info & 15, mask = f->info & 16, flex = s->version == 3 && (f->info2 & 31) == 1;
  uint32_t extent = mask && f->rep && f->rep < f->size ? f->rep : f->size, prev = 0;
  size_t len = 0;
  for (uint32_t j = 0; j < f->count; j++)
    {
      fre r;
      if (!decode_fre (p, end, type, &r))
	{
	  faults[BEYOND]++;
	  return (uint64_t) (p - s->fres);
	}
      CHECK (FIRST, j == 0 && r.start != 0);
      CHECK (ROW_ORDER, j > 0 && r.start <= prev);
      CHECK (ROW_BEYOND, r.start >= extent);
      CHECK (INSN, !amd64 && r.start & 3);
      size_t here = r.next - r.words + 1;
      CHECK (REPEATED, last && here == len && !memcmp (last, r.words - 1, len));
      last = r.words - 1;
      len = here;
      prev = r.start;
      if (flex)
	check_flex (&r);
      else
	check_words (s, &r, amd64);
      p = r.next;
    }
  CHECK (WIDE, f->count && ((type == 1 && extent <= 256) || (type == 2 && extent <= 65536)));
  return (uint64_t) (p - s->fres);
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    fail ("usage: sections FILE");
  image in = load (argv[1]);
  sframe s = header (in.sframe);
  int amd64 = in.machine == EM_X86_64;
  uint64_t rows = 0, end = 0, data = 0, total = 0;
  uint8_t *used = calloc (1, s.fres_size / 8 + 1);	/* where FREs are not in the order of FDEs */
  CHECK (RESERVED, s.flags & ~7);
  for (uint32_t i = 0; i < s.count; i++)
    {
      fde f;
      if (!decode_fde (&s, i, &f))
	{
	  faults[BEYOND]++;
	  continue;
	}
      CHECK (RESERVED, f.info & (s.version == 3 ? 0x40 : 0xc0) || f.info2 & 0xe0);
      CHECK (TYPE, (f.info & 15) > 2 || (f.info2 & 31) > 1);
      CHECK (ORDER, i && s.flags & 1 && f.start < end && f.start + f.size < end);
      CHECK (OVERLAP, i && s.flags & 1 && f.start < end);
      CHECK (EMPTY, f.size == 0);
      CHECK (NO_ROWS, f.count == 0);
      CHECK (REP, (f.info & 16) ? f.rep == 0 || f.size % f.rep : f.rep != 0);
      CHECK (BEYOND, in.text.size && (f.start < in.text.addr || f.start + f.size > in.text.addr + in.text.size));
      uint64_t from = f.off - (s.version == 3 ? 5 : 0), to = check_rows (&s, &f, amd64);
      if (from < data)
	for (uint64_t b = from; used && b < to; b++)
	  CHECK (DATA, used[b / 8] >> (b % 8) & 1), used[b / 8] |= 1 << (b % 8);
      data = to > data ? to : data;
      rows += f.count;
      end = f.start + f.size > end ? f.start + f.size : end;
    }
  CHECK (TOTAL, rows != s.rows);
  for (int i = 0; i <= TOTAL; i++)
    total += faults[i];
  printf ("%u FDEs, %lu FREs, %lu faults\n", s.count, (unsigned long) rows, (unsigned long) total);
  return total > 0;
}
