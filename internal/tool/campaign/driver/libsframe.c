/* Reads sections with libsframe 3 (binutils 2.46 and later), by its interface. It writes "refused N",
 * or a line for each function, each FRE and each look-up. The declarations are those that it uses. */
#include "serve.h"

typedef struct decoder decoder;
typedef struct {
	uint32_t start;
	unsigned char rest[124]; /* more than any release has */
} fre;

decoder *sframe_decode(const char *, size_t, int *);
void sframe_decoder_free(decoder **);
uint8_t sframe_decoder_get_version(const decoder *);
uint32_t sframe_decoder_get_num_fidx(const decoder *);
int sframe_decoder_get_funcdesc_v2(const decoder *, unsigned int, uint32_t *, uint32_t *, int32_t *, unsigned char *, uint8_t *);
int sframe_decoder_get_funcdesc_v3(const decoder *, unsigned int, uint32_t *, uint32_t *, int64_t *, unsigned char *, unsigned char *, uint8_t *);
int sframe_decoder_get_fre(const decoder *, unsigned int, unsigned int, fre *);
int32_t sframe_fre_get_cfa_offset(const decoder *, const fre *, uint32_t, int *);
int32_t sframe_fre_get_ra_offset(const decoder *, const fre *, uint32_t, int *);
int32_t sframe_fre_get_fp_offset(const decoder *, const fre *, uint32_t, int *);
bool sframe_fre_get_ra_undefined_p(const decoder *, const fre *, int *);
int sframe_find_fre(const decoder *, int64_t, fre *);

enum { TYPE_MASK = 0x1f, MANY = 400 };

static void row(const decoder *d, const fre *f, uint32_t type)
{
	int err = 0;
	int32_t v;

	if (sframe_fre_get_ra_undefined_p(d, f, &err)) {
		say(" outermost\n");
		return;
	}
	v = sframe_fre_get_cfa_offset(d, f, type, &err);
	value("cfa", v, err);
	v = sframe_fre_get_ra_offset(d, f, type, &err);
	value("ra", v, err);
	v = sframe_fre_get_fp_offset(d, f, type, &err);
	value("fp", v, err);
	say("\n");
}

static void functions(const decoder *d)
{
	uint32_t i, j, n = sframe_decoder_get_num_fidx(d);

	for (i = 0; i < n && !full(); i++) {
		uint32_t fres = 0, length = 0;
		int64_t start = 0;
		unsigned char info = 0, info2 = 0;
		uint8_t rep = 0;
		fre f;
		int err;

		if (sframe_decoder_get_version(d) == 3)
			err = sframe_decoder_get_funcdesc_v3(d, i, &fres, &length, &start, &info, &info2, &rep);
		else {
			int32_t short_start = 0;

			err = sframe_decoder_get_funcdesc_v2(d, i, &fres, &length, &short_start, &info, &rep);
			start = short_start;
		}
		if (err) {
			say("function none\n");
			continue;
		}
		say("function %" PRId64 " %" PRIu32 " %" PRIu32 "\n", start, length, fres);
		for (j = 0; j < fres && !full(); j++) {
			memset(&f, 0, sizeof f);
			if (sframe_decoder_get_fre(d, i, j, &f)) {
				say("none\n");
				break;
			}
			say("%" PRIu32, f.start);
			row(d, &f, info2 & TYPE_MASK);
		}
	}
}

static void read_section(char *data, const struct request *r, const struct lookup *lookups)
{
	int err = 0;
	decoder *d = sframe_decode(data, r->size, &err);
	uint32_t i;

	if (!d) {
		say("refused %d\n", err);
		return;
	}
	if (r->lookups < MANY) /* the text has room for one of the two */
		functions(d);
	for (i = 0; i < r->lookups && !full(); i++) {
		int64_t pc = lookups[i].pc - r->address;
		fre f;

		memset(&f, 0, sizeof f);
		say("pc %" PRIx64, lookups[i].pc);
		if (sframe_find_fre(d, pc, &f))
			say(" not found\n");
		else
			row(d, &f, lookups[i].fde_type);
	}
	sframe_decoder_free(&d);
}
