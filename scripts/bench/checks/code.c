/* code - holds the FREs of a linked file for AMD64 against its machine code.

   Usage: code FILE

   The FREs of a function are a certificate: each instruction is decoded once, and the FRE of each
   of its successors must say what the instruction makes of the CFA and FP. Entry and returns are
   the anchors. It prints the number of functions that are certified, of those that are not, and of
   the instructions. A function is not certified if an instruction does something else to SP or FP
   than those that compilers use. Jumps through tables are not followed.  */
#include "image.h"

enum { SP = 4, FP = 5, NONE = 16 };
enum { NEXT, JUMP, BRANCH, RETURN, STOP };
/* What an instruction does: to SP, SP = base + add where base is SP or FP; to FP, FP = SP if fp_set,
   another value if fp_other.  */
typedef struct { int len, flow, sp_base; int64_t add, target; int push, nop, fp_set, fp_other; } insn;
typedef struct { uint32_t from; int base, has_fp, known; int32_t cfa, fp; } row;

/* How many bytes follow an opcode: M for a ModRM byte, I1, I2 and I4 for immediates.  */
enum { M = 16, I1 = 1, I2 = 2, I4 = 4, BAD = 64 };
static uint8_t one[256], two[256];

static void
tables (void)
{
  for (int o = 0; o < 0x40; o++)
    one[o] = (o & 7) < 4 ? M : (o & 7) == 4 ? I1 : (o & 7) == 5 ? I4 : BAD;
  static const struct { uint8_t from, to, v; } ones[] = {
    {0x63,0x63,M},{0x68,0x68,I4},{0x69,0x69,M|I4},{0x6a,0x6a,I1},{0x6b,0x6b,M|I1},{0x70,0x7f,I1},{0x80,0x80,M|I1},
    {0x81,0x81,M|I4},{0x83,0x83,M|I1},{0x84,0x8f,M},{0xa0,0xa3,8},{0xa8,0xa8,I1},{0xa9,0xa9,I4},{0xb0,0xb7,I1},
    {0xb8,0xbf,I4},{0xc0,0xc1,M|I1},{0xc2,0xc2,I2},{0xc6,0xc6,M|I1},{0xc7,0xc7,M|I4},{0xc8,0xc8,3},{0xcd,0xcd,I1},
    {0xd0,0xd3,M},{0xd8,0xdf,M},{0xe0,0xe7,I1},{0xe8,0xe9,I4},{0xeb,0xeb,I1},{0xf6,0xf7,M},{0xfe,0xff,M} };
  for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
    for (int o = ones[i].from; o <= ones[i].to; o++)
      one[o] = ones[i].v;
  static const struct { uint8_t from, to, v; } twos[] = {
    {0x00,0x03,M},{0x0d,0x0d,M},{0x10,0x2f,M},{0x38,0x38,BAD},{0x3a,0x3a,BAD},{0x40,0x76,M},{0x78,0x7f,M},{0x70,0x73,M|I1},
    {0x80,0x8f,I4},{0x90,0x9f,M},{0xa3,0xa3,M},{0xa4,0xa4,M|I1},{0xa5,0xa5,M},{0xab,0xab,M},{0xac,0xac,M|I1},{0xad,0xc7,M},
    {0xba,0xba,M|I1},{0xc2,0xc2,M|I1},{0xc4,0xc6,M|I1},{0xd0,0xff,M} };
  for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
    for (int o = twos[i].from; o <= twos[i].to; o++)
      two[o] = twos[i].v;
}

/* Decode the instruction at p, or return 0.  */
static int
decode (const uint8_t *p, const uint8_t *end, insn *r)
{
  const uint8_t *start = p;
  int rex = 0, small = 0, map = 0, op, form, mod = -1, reg = 0, rm = 0;
  uint8_t buf[32] = { 0 };
  if (end - p < 24)			/* the end of the code: copy it, so that no read is beyond */
    {
      memcpy (buf, p, end - p);
      p = buf;
    }
  const uint8_t *base = p;
  *r = (insn) { .flow = NEXT, .sp_base = SP };
  for (; p - base < 14; p++)
    if (*p == 0x66)
      small = 1;
    else if (*p != 0xf2 && *p != 0xf3 && *p != 0xf0 && *p != 0x2e && *p != 0x3e && *p != 0x36 && *p != 0x26 && *p != 0x64 && *p != 0x65 && *p != 0x67)
      break;
  if ((*p & 0xf0) == 0x40)
    rex = *p++;
  op = *p++;
  if (op == 0x0f)
    {
      map = 1, op = *p++;
      if (op == 0x38 || op == 0x3a)
	map = op == 0x38 ? 2 : 3, op = *p++;
    }
  else if (op == 0xc5)
    map = 1 + 8, rex = 0, p++, op = *p++;
  else if (op == 0xc4 || op == 0x62)
    {
      map = (*p & 7) + 8;
      p += op == 0xc4 ? 2 : 3;
      op = *p++;
    }
  form = map == 0 ? one[op] : (map & 7) == 1 ? (map & 8 && op != 0x77 ? (two[op] & I1) | M : two[op]) : (map & 7) == 3 ? M | I1 : M;
  if (form & BAD)
    return 0;
  int64_t disp = 0;
  int sib = -1;
  if (form & M)
    {
      uint8_t m = *p++;
      mod = m >> 6, reg = (m >> 3 & 7) | (rex & 4) << 1, rm = (m & 7) | (rex & 1) << 3;
      if (mod != 3 && (m & 7) == 4)
	{
	  sib = *p++;
	  rm = (sib & 7) | (rex & 1) << 3;
	  if ((sib >> 3 & 7) != 4 || rex & 2)
	    rm = NONE;			/* with an index */
	}
      if (mod == 1)
	disp = (int8_t) *p++;
      else if (mod == 2 || (mod == 0 && ((m & 7) == 5 || (sib >= 0 && (sib & 7) == 5))))
	{
	  disp = (int32_t) u32 (p);
	  p += 4;
	  if (mod == 0)
	    rm = NONE;
	}
    }
  int n = form & 15;
  if (n == I4 && map == 0 && op >= 0xb8 && op <= 0xbf && rex & 8)
    n = 8;
  else if (n == I4 && small && op != 0xe8 && op != 0xe9 && map == 0)
    n = 2;
  if (map == 0 && (op == 0xf6 || op == 0xf7) && (reg & 6) == 0)
    n = op == 0xf6 ? 1 : small ? 2 : 4;
  int64_t imm = n == 1 ? (int8_t) *p : n == 2 ? (int16_t) u16 (p) : n == 4 ? (int32_t) u32 (p) : 0;
  p += n;
  r->len = p - base;
  if (r->len > end - start)
    return 0;
  int64_t here = r->len + imm;
  int to = (op & 7) | (rex & 1) << 3;
  r->nop = (map == 1 && op == 0x1f) || (map == 0 && op == 0x90);
  if (map == 1)
    {
      if (op >= 0x80 && op <= 0x8f)
	r->flow = BRANCH, r->target = here;
      else if (op == 0x0b)
	r->flow = STOP;
      else if ((op & 0xf0) == 0x40 || op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf || op == 0xaf)
	r->fp_other = reg == FP, r->sp_base = reg == SP ? NONE : SP;
      return 1;
    }
  if (map)
    return 1;
  switch (op)
    {
    case 0xc2: case 0xc3: r->flow = RETURN; return 1;
    case 0xe9: case 0xeb: r->flow = JUMP, r->target = here; return 1;
    case 0xcc: case 0xf4: r->flow = STOP; return 1;
    case 0xc9: r->sp_base = FP, r->add = 8, r->fp_other = 1; return 1;
    case 0x68: case 0x6a: case 0x9c: r->add = -8; return 1;
    case 0x9d: r->add = 8; return 1;
    case 0x89:
      if (mod == 3 && rex & 8 && rm == FP && reg == SP)
	r->fp_set = 1;
      else if (mod == 3 && rm == FP)
	r->fp_other = 1;
      else if (mod == 3 && rm == SP)
	r->sp_base = reg == FP && rex & 8 ? FP : NONE;
      return 1;
    case 0x81: case 0x83:
      if (mod == 3 && rm == SP && (reg & 7) != 7)
	{
	  r->sp_base = (reg & 7) == 0 || (reg & 7) == 5 ? SP : NONE;
	  r->add = (reg & 7) == 5 ? -imm : imm;
	}
      else if (mod == 3 && rm == FP && (reg & 7) != 7)
	r->fp_other = 1;
      return 1;
    case 0x8d:
      if (reg == SP)
	r->sp_base = rm == SP || rm == FP ? rm : NONE, r->add = disp;
      r->fp_other = reg == FP;
      return 1;
    case 0xff:
      if ((reg & 7) == 4)
	r->flow = STOP;			/* a tail call, or a table */
      else if ((reg & 7) == 6)
	r->add = -8;
      return 1;
    case 0x8f: r->add = 8; return 1;
    }
  if (op >= 0x70 && op <= 0x7f)
    r->flow = BRANCH, r->target = here;
  else if (op >= 0xe0 && op <= 0xe3)
    r->flow = BRANCH, r->target = here;
  else if (op >= 0x50 && op <= 0x57)
    r->add = -8, r->push = to == FP;
  else if (op >= 0x58 && op <= 0x5f)
    r->add = 8, r->fp_other = to == FP, r->sp_base = to == SP ? NONE : SP;
  else if (op == 0x8b || op == 0x63 || (op < 0x40 && (op & 7) == 3) || op == 0x69 || op == 0x6b)
    {
      r->fp_other = reg == FP && op < 0x38 + 0x60;
      r->sp_base = reg == SP && (op >= 0x40 || op < 0x38) ? (op == 0x8b && mod == 3 && rm == FP ? FP : NONE) : SP;
    }
  else if (op < 0x38 && (op & 7) == 1 && mod == 3)
    r->fp_other = rm == FP, r->sp_base = rm == SP ? NONE : SP;
  else if (op >= 0xb8 && op <= 0xbf)
    r->fp_other = to == FP, r->sp_base = to == SP ? NONE : SP;
  return 1;
}

/* Whether the row of a successor says what an instruction makes of that of the instruction.  */
static inline int
agrees (const row *a, const insn *i, const row *b)
{
  if (!a->known || !b->known)
    return 0;
  int64_t sp = 0;			/* the CFA as SP after the instruction + sp */
  int sp_known = 1;
  if (i->sp_base == SP && a->base == SP)
    sp = a->cfa - i->add;
  else if (i->sp_base == FP && a->base == FP)
    sp = a->cfa - i->add;
  else
    sp_known = 0;
  if (b->base == SP && (!sp_known || b->cfa != sp))
    return 0;
  if (b->base == FP && !(a->base == FP && !i->fp_set && !i->fp_other && b->cfa == a->cfa) && !(i->fp_set && sp_known && b->cfa == sp))
    return 0;
  if (!a->has_fp && b->has_fp)		/* saved by this instruction */
    return i->push && sp_known && b->fp == -sp;
  if (a->has_fp && b->has_fp)
    return a->fp == b->fp;
  return a->has_fp ? i->fp_other : !i->fp_set && !i->fp_other;
}

static row rows[1 << 16];

/* Read the FREs of a function.  */
static uint32_t
read_rows (const sframe *s, const fde *f)
{
  const uint8_t *p = s->fres + f->off;
  uint32_t n = 0;
  fre r;
  for (; n < f->count && n < 1 << 16 && decode_fre (p, s->fres + s->fres_size, f->info & 15, &r); p = r.next)
    rows[n++] = (row) { r.start, r.info & 1 ? SP : FP, r.n > 1, r.n == 1 || r.n == 2, r.n ? word (&r, 0) : 0, r.n > 1 ? word (&r, 1) : 0 };
  return n;
}

static const row *
at (uint32_t n, uint32_t off)
{
  uint32_t lo = 0, hi = n;
  while (hi - lo > 1)
    {
      uint32_t mid = lo + (hi - lo) / 2;
      if (rows[mid].from <= off)
	lo = mid;
      else
	hi = mid;
    }
  return &rows[lo];
}

static uint64_t instructions;

static int
certify (const uint8_t *code, uint32_t size, uint32_t n)
{
  if (n == 0 || rows[0].from || rows[0].base != SP || rows[0].cfa != 8 || rows[0].has_fp)
    return 0;
  uint32_t now = 0;
  int reached = 1;
  for (uint32_t off = 0; off < size;)
    {
      insn i;
      if (!decode (code + off, code + size, &i))
	return 0;
      instructions++;
      while (now + 1 < n && rows[now + 1].from <= off)
	now++;
      const row *here = &rows[now];
      uint32_t next = off + i.len;
      if (!reached && i.nop)		/* alignment after a jump */
	{
	  off = next;
	  continue;
	}
      reached = i.flow == NEXT || i.flow == BRANCH;
      if (i.flow == RETURN && (here->base != SP || here->cfa != 8))
	return 0;
      if (i.flow <= BRANCH && i.flow != JUMP && next < size)
	{
	  uint32_t j = now;
	  while (j + 1 < n && rows[j + 1].from <= next)
	    j++;
	  if (rows[j].from > off && rows[j].from < next)
	    return 0;			/* inside of the instruction */
	  if ((j != now || i.add || i.sp_base != SP || i.fp_set || i.fp_other) && !agrees (here, &i, &rows[j]))
	    return 0;
	}
      if (i.flow == JUMP || i.flow == BRANCH)
	{
	  int64_t to = (int64_t) off + i.target;
	  if (to >= 0 && to < size && !agrees (here, &i, at (n, to)))
	    return 0;
	}
      off = next;
    }
  return 1;
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    fail ("usage: code FILE");
  image in = load (argv[1]);
  sframe s = header (in.sframe);
  if (in.machine != EM_X86_64)
    fail ("not a file for AMD64");
  tables ();
  uint64_t good = 0, bad = 0;
  for (uint32_t i = 0; i < s.count; i++)
    {
      fde f;
      if (!decode_fde (&s, i, &f) || f.info & 16 || f.info2 & 31 || f.start < in.text.addr || f.start - in.text.addr > in.text.size
	  || f.size > in.text.size - (f.start - in.text.addr))
	continue;
      if (certify (in.text.p + (f.start - in.text.addr), f.size, read_rows (&s, &f)))
	good++;
      else
	bad++;
    }
  printf ("%lu functions certified, %lu not, %lu instructions\n", (unsigned long) good, (unsigned long) bad, (unsigned long) instructions);
  return 0;
}
