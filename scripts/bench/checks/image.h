/* image.h - what the programs of this folder share: a little-endian ELF64 file in memory, its
   sections, and the FDEs and FREs of SFrame versions 2 and 3.

   The programs make the same checks as sframe-lint in the plainest way, so that its speed can be
   measured against what a careful C program takes. They know AMD64 and AArch64, count faults, and
   explain none.  */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

typedef struct { const uint8_t *p; uint64_t size, addr; } part;
typedef struct { const uint8_t *data; size_t size; uint16_t machine; part sframe, eh_frame, text; } image;

static inline uint16_t u16 (const uint8_t *p) { uint16_t v; memcpy (&v, p, 2); return v; }
static inline uint32_t u32 (const uint8_t *p) { uint32_t v; memcpy (&v, p, 4); return v; }
static inline uint64_t u64 (const uint8_t *p) { uint64_t v; memcpy (&v, p, 8); return v; }

static void
fail (const char *why)
{
  fprintf (stderr, "%s\n", why);
  exit (2);
}

static image
load (const char *path)
{
  image f = { 0 };
  int in = open (path, O_RDONLY);
  struct stat st;
  if (in < 0 || fstat (in, &st))
    fail ("the file cannot be opened");
  f.size = st.st_size;
  const uint8_t *data = mmap (NULL, f.size, PROT_READ, MAP_PRIVATE, in, 0);
  if (data == MAP_FAILED)
    fail ("the file cannot be read");
  f.data = data;
  const Elf64_Ehdr *h = (const Elf64_Ehdr *) data;
  if (f.size < sizeof *h || memcmp (h->e_ident, ELFMAG "\2\1", 6) || h->e_shentsize != sizeof (Elf64_Shdr)
      || h->e_shoff > f.size || (f.size - h->e_shoff) / sizeof (Elf64_Shdr) < h->e_shnum || h->e_shstrndx >= h->e_shnum)
    fail ("not a little-endian ELF64 file with sections");
  f.machine = h->e_machine;
  const Elf64_Shdr *s = (const Elf64_Shdr *) (data + h->e_shoff), *names = s + h->e_shstrndx;
  if (names->sh_offset > f.size || names->sh_size > f.size - names->sh_offset)
    fail ("the names of sections are beyond the end");
  for (int i = 0; i < h->e_shnum; i++)
    {
      if (s[i].sh_type == SHT_NOBITS || s[i].sh_offset > f.size || s[i].sh_size > f.size - s[i].sh_offset || s[i].sh_name >= names->sh_size)
	continue;
      const char *name = (const char *) data + names->sh_offset + s[i].sh_name;
      size_t most = names->sh_size - s[i].sh_name;
      part p = { data + s[i].sh_offset, s[i].sh_size, s[i].sh_addr };
      if (most > 7 && !memcmp (name, ".sframe", 8))
	f.sframe = p;
      else if (most > 9 && !memcmp (name, ".eh_frame", 10))
	f.eh_frame = p;
      else if (most > 5 && !memcmp (name, ".text", 6))
	f.text = p;
    }
  return f;
}

/* A section of SFrame. fdes and fres are its sub-sections.  */
typedef struct { const uint8_t *p; uint64_t size, addr; int version, flags, fixed_ra; uint32_t count, rows; const uint8_t *fdes, *fres; uint64_t fres_size; } sframe;
typedef struct { uint64_t start; uint32_t size, off, count; uint8_t info, info2, rep; } fde;
typedef struct { uint32_t start; uint8_t info; int n, width; const uint8_t *words, *next; } fre;

static sframe
header (part p)
{
  if (p.size < 28 || u16 (p.p) != 0xdee2 || (p.p[2] != 2 && p.p[2] != 3))
    fail ("no SFrame section of version 2 or 3");
  sframe s = { .p = p.p, .size = p.size, .addr = p.addr, .version = p.p[2], .flags = p.p[3], .fixed_ra = (int8_t) p.p[6], .count = u32 (p.p + 8), .rows = u32 (p.p + 12) };
  uint64_t base = 28 + p.p[7], fdes = base + u32 (p.p + 20), fres = base + u32 (p.p + 24);
  s.fres_size = u32 (p.p + 16);
  uint64_t entry = s.version == 3 ? 16 : 20;
  if (fdes > p.size || s.count > (p.size - fdes) / entry || fres > p.size || s.fres_size > p.size - fres)
    fail ("a sub-section is beyond the end");
  s.fdes = p.p + fdes;
  s.fres = p.p + fres;
  return s;
}

/* Decode an FDE, or return 0 if its attribute is beyond the end. off is then that of its first FRE.  */
static inline int
decode_fde (const sframe *s, uint32_t i, fde *f)
{
  const uint8_t *p = s->fdes + (uint64_t) i * (s->version == 3 ? 16 : 20);
  uint64_t at = s->addr + (s->flags & 4 ? (uint64_t) (p - s->p) : 0);
  if (s->version == 3)
    {
      f->start = at + u64 (p);
      f->size = u32 (p + 8);
      f->off = u32 (p + 12);
      if (s->fres_size < 5 || f->off > s->fres_size - 5)
	return 0;
      const uint8_t *a = s->fres + f->off;
      f->count = u16 (a), f->info = a[2], f->info2 = a[3], f->rep = a[4];
      f->off += 5;
      return 1;
    }
  f->start = at + (int64_t) (int32_t) u32 (p);
  f->size = u32 (p + 4), f->off = u32 (p + 8), f->count = u32 (p + 12);
  f->info = p[16], f->info2 = 0, f->rep = p[17];
  return f->off <= s->fres_size;
}

/* Decode an FRE, or return 0 if it is beyond the end or undefined.  */
static inline int
decode_fre (const uint8_t *p, const uint8_t *end, int type, fre *r)
{
  int w = 1 << type;
  if (type > 2 || end - p < w + 1)
    return 0;
  r->start = w == 1 ? p[0] : w == 2 ? u16 (p) : u32 (p);
  r->info = p[w];
  r->n = r->info >> 1 & 15;
  int code = r->info >> 5 & 3;
  r->width = 1 << code;
  r->words = p + w + 1;
  r->next = r->words + r->n * r->width;
  return code < 3 && r->next <= end;
}

static inline int32_t
word (const fre *r, int k)
{
  const uint8_t *p = r->words + k * r->width;
  return r->width == 1 ? (int8_t) *p : r->width == 2 ? (int16_t) u16 (p) : (int32_t) u32 (p);
}
