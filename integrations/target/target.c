/* A small reader of SFrame sections, as a target to fuzz.
 *
 * It decodes a raw section of version 1 to 3 in either byte order: every
 * function, every row, the rules of every row. It exits with status 0 for a
 * section that it could read, 1 for one that it rejects.
 *
 *     cc -o target target.c && ./target FILE
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __AFL_FUZZ_TESTCASE_LEN
#include <unistd.h>
#endif

enum { AARCH64_BIG = 1, AARCH64 = 2, AMD64 = 3, S390X = 4 };

struct section {
    const uint8_t *p;
    size_t size;
    int big, version, flags, abi;
    uint32_t fdes, fres, fre_len;
    size_t fde_at, fre_at, fre_end;
};

struct function {
    int64_t start;
    uint32_t size, data, rows;
    uint8_t info, info2, rep;
    size_t at; /* of the first row */
};

struct row {
    uint32_t start;
    uint8_t info;
    int n, size; /* of the words, in bytes */
    int32_t word[15];
};

/* get reads n bytes; the caller has checked that they exist. */
static uint64_t get(const struct section *s, size_t at, int n)
{
    uint64_t v = 0;
    for (int i = 0; i < n; i++)
        v |= (uint64_t)s->p[at + i] << 8 * (s->big ? n - 1 - i : i);
    return v;
}

static int64_t get_signed(const struct section *s, size_t at, int n)
{
    return (int64_t)(get(s, at, n) << (64 - 8 * n)) >> (64 - 8 * n);
}

static int entry_size(const struct section *s) { return s->version == 1 ? 17 : s->version == 2 ? 20 : 16; }

static int open_section(struct section *s)
{
    if (s->size < 28)
        return 0;
    if (s->p[0] == 0xde && s->p[1] == 0xe2)
        s->big = 1;
    else if (s->p[0] != 0xe2 || s->p[1] != 0xde)
        return 0;
    s->version = s->p[2];
    s->flags = s->p[3];
    s->abi = s->p[4];
    if (s->version < 1 || s->version > 3 || s->flags & ~7)
        return 0;
    if (s->abi < AARCH64_BIG || s->abi > S390X || s->big != (s->abi == AARCH64_BIG || s->abi == S390X))
        return 0;
    if (s->abi == AMD64 ? (int8_t)s->p[6] != -8 : s->p[6] != 0)
        return 0;
    size_t end = 28 + s->p[7];
    s->fdes = get(s, 8, 4);
    s->fres = get(s, 12, 4);
    s->fre_len = get(s, 16, 4);
    s->fde_at = end + get(s, 20, 4);
    s->fre_at = end + get(s, 24, 4);
    s->fre_end = s->fre_at + s->fre_len;
    if (s->fde_at > s->fre_at || s->fre_end > s->size)
        return 0;
    return (s->fre_at - s->fde_at) / entry_size(s) >= s->fdes;
}

static int read_function(const struct section *s, uint32_t i, struct function *f)
{
    size_t at = s->fde_at + (size_t)i * entry_size(s);
    int wide = s->version == 3 ? 8 : 4;
    f->start = get_signed(s, at, wide);
    if (s->flags & 4)
        f->start += at;
    f->size = get(s, at + wide, 4);
    f->data = get(s, at + wide + 4, 4);
    f->info2 = f->rep = 0;
    if (f->data > s->fre_len)
        return 0;
    f->at = s->fre_at + f->data;
    if (s->version == 3) {
        if (s->fre_end - f->at < 5)
            return 0;
        f->rows = get(s, f->at, 2);
        f->info = s->p[f->at + 2];
        f->info2 = s->p[f->at + 3];
        f->rep = s->p[f->at + 4];
        f->at += 5;
    } else {
        f->rows = get(s, at + 12, 4);
        f->info = s->p[at + 16];
        if (s->version == 2)
            f->rep = s->p[at + 17];
    }
    if ((f->info & 15) > 2 || (f->info2 & 31) > 1)
        return 0;
    return !(f->info & 16) || f->rep != 0 || s->version == 1;
}

/* read_row reads the row at *at and moves *at after it. */
static int read_row(const struct section *s, const struct function *f, size_t *at, struct row *r)
{
    int width = 1 << (f->info & 15);
    if (s->fre_end - *at < (size_t)width + 1)
        return 0;
    r->start = get(s, *at, width);
    r->info = s->p[*at + width];
    r->n = r->info >> 1 & 15;
    *at += width + 1;
    r->size = 1 << (r->info >> 5 & 3);
    if (r->size == 8 || s->fre_end - *at < (size_t)(r->n * r->size))
        return 0;
    for (int k = 0; k < r->n; k++, *at += r->size)
        r->word[k] = get_signed(s, *at, r->size);
    return 1;
}

/* flexible follows control words; it returns whether CFA, RA and FP can be decoded. */
static int flexible(const struct row *r)
{
    int k = 0;
    for (int what = 0; what < 3 && k < r->n; what++) {
        uint32_t control = r->word[k++] & 0xffffffffu >> (32 - 8 * r->size);
        if (control == 0) {
            if (what == 0)
                return 0;
            continue;
        }
        if (k == r->n || control & 4)
            return 0;
        int reg = control >> 3;
        if (control & 1 ? reg > 31 : what == 0 || reg != 0)
            return 0;
        if (control & 2 && r->word[k] % 8 != 0)
            return 0;
        k++;
    }
    return k == r->n;
}

static int rules(const struct section *s, const struct function *f, const struct row *r)
{
    if (r->n == 0)
        return s->version > 1 && !(r->info & 1);
    if ((f->info2 & 31) == 1)
        return flexible(r);
    if (r->info & 0x80 && s->abi != AARCH64 && s->abi != AARCH64_BIG)
        return 0;
    switch (s->abi) {
    case AMD64:
        return r->n <= 2 && r->word[0] % 8 == 0 && (r->n < 2 || r->word[1] < 0);
    case S390X:
        if (r->n > 3)
            return 0;
        for (int k = 1; k < r->n; k++)
            if (r->word[k] & 1 ? s->version != 2 || r->word[k] >> 1 > 31 : r->word[k] % 8 != 0)
                return 0;
        return r->n < 3 || r->word[2] != 0;
    default:
        return r->n <= 3 && r->word[0] % 16 == 0 && (r->n < 3 || r->word[1] != r->word[2]);
    }
}

static int read_section(struct section *s)
{
    if (!open_section(s))
        return 1;
    int64_t last = INT64_MIN;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < s->fdes; i++) {
        struct function f;
        if (!read_function(s, i, &f) || ((s->flags & 1) && f.start < last))
            return 1;
        last = f.start;
        size_t at = f.at;
        struct row r = {0};
        for (uint32_t j = 0; j < f.rows; j++, rows++) {
            uint32_t before = r.start;
            if (!read_row(s, &f, &at, &r) || !rules(s, &f, &r))
                return 1;
            if (j == 0 ? r.start != 0 : r.start <= before || r.start >= f.size)
                return 1;
        }
    }
    return rows != s->fres;
}

/* check reads a copy of just that size, so that a sanitizer sees what is read
 * beyond it. */
static int check(const uint8_t *data, size_t size)
{
    uint8_t *p = malloc(size ? size : 1);
    if (!p)
        return 2;
    for (size_t i = 0; i < size; i++)
        p[i] = data[i];
    int status = read_section(&(struct section){.p = p, .size = size});
    free(p);
    return status;
}

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();

int main(void)
{
    __AFL_INIT();
    const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(100000))
        check(data, __AFL_FUZZ_TESTCASE_LEN);
    return 0;
}
#else
int main(int argc, char **argv)
{
    static uint8_t data[1 << 20];
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
    if (!f) {
        perror(argv[1]);
        return 2;
    }
    return check(data, fread(data, 1, sizeof data, f));
}
#endif
