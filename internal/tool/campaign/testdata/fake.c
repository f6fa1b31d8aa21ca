/* A reader whose behavior is the first byte of the section. It writes what it was asked. */
#include "serve.h"

static void read_section(char *data, const struct request *r, const struct lookup *lookups)
{
	volatile char byte;
	uint32_t i;

	say("%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu32, r->address, r->text_start, r->text_end, r->size);
	for (i = 0; i < r->lookups; i++)
		say(" %" PRIx64 ":%" PRIu64, lookups[i].pc, lookups[i].fde_type);
	switch (r->size ? data[0] : 0) {
	case 'e':
		byte = data[r->size]; /* beyond the end */
		break;
	case 'a':
		abort();
	case 'l':
		for (;;)
			byte = 0;
	case 'x':
		_exit(1);
	case 't':
		while (!full())
			say(" text");
	}
	(void)byte;
}
