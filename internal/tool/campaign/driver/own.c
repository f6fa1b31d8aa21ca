/* Reads sections with a library that exports a function of sframe_fuzz.h. It writes "refused" or a line for each
 * look-up, "accepted" for a library without look-ups. */
#include "serve.h"
#include "sframe_fuzz.h"

static __typeof__(sframe_fuzz_lookup) *look_up;
static __typeof__(LLVMFuzzerTestOneInput) *test_one_input;

/* load loads the library in the process that reads: a runtime of another language has threads, which a fork loses. */
static void load(void)
{
	void *library = dlopen(READER, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		_exit(3);
	}
	*(void **)&look_up = dlsym(library, "sframe_fuzz_lookup");
	*(void **)&test_one_input = dlsym(library, "LLVMFuzzerTestOneInput");
}

static void rule(const char *name, const struct sframe_fuzz_rule *r)
{
	char base[32] = "cfa";

	if (r->kind == SFRAME_FUZZ_UNDEFINED || r->kind == SFRAME_FUZZ_UNCHANGED) {
		say(" %s %s", name, r->kind == SFRAME_FUZZ_UNDEFINED ? "undefined" : "unchanged");
		return;
	}
	if (r->kind == SFRAME_FUZZ_REGISTER)
		snprintf(base, sizeof base, "r%" PRId64, r->reg);
	say(r->memory ? " %s *(%s%+" PRId64 ")" : " %s %s%+" PRId64, name, base, r->offset);
}

static void read_section(char *data, const struct request *r, const struct lookup *lookups)
{
	struct sframe_fuzz_row row = { 0 };
	uint32_t i;

	if (!look_up && !test_one_input)
		load();
	if (!look_up) {
		say(test_one_input((uint8_t *)data, r->size) ? "refused\n" : "accepted\n");
		return;
	}
	if (r->lookups == 0 && look_up((uint8_t *)data, r->size, r->address, r->address, &row) < 0)
		say("refused\n");
	for (i = 0; i < r->lookups && !full(); i++) {
		int found = look_up((uint8_t *)data, r->size, r->address, lookups[i].pc, &row);

		if (found < 0) {
			shared->size = 0;
			say("refused\n");
			return;
		}
		say("pc %" PRIx64, lookups[i].pc);
		if (found) {
			rule("cfa", &row.cfa);
			rule("ra", &row.ra);
			rule("fp", &row.fp);
			say("\n");
		} else {
			say(" not found\n");
		}
	}
}
