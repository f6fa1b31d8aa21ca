/* Reads sections with the reader of a glibc tree. It writes "refused" or a line for each look-up.
 * The reader has the section's start and not its size. */
#include "serve.h"

#include "sframe-read.c"

static void read_section(char *data, const struct request *r, const struct lookup *lookups)
{
	sframe_decoder_ctx d;
	uint32_t i;

	memset(&d, 0x5a, sizeof d);
	if (__sframe_decode(&d, data) != _URC_NO_REASON) {
		say("refused\n");
		return;
	}
	for (i = 0; i < r->lookups && !full(); i++) {
		sframe_frame_row_entry f = {};
		_Unwind_Reason_Code err = _URC_NO_REASON;
		int32_t v;

		say("pc %" PRIx64, lookups[i].pc);
		if (__sframe_find_fre(&d, (int32_t)(lookups[i].pc - r->address), &f) != _URC_NO_REASON) {
			say(" not found\n");
			continue;
		}
		v = __sframe_fre_get_cfa_offset(&d, &f, &err);
		if (err != _URC_NO_REASON) {
			say(sframe_fre_get_offset_count(f.fre_info) ? " not found\n" : " outermost\n");
			continue;
		}
		say(" base %s", __sframe_fre_get_base_reg_id(&f) == SFRAME_BASE_REG_SP ? "sp" : "fp");
		value("cfa", v, false);
		v = __sframe_fre_get_ra_offset(&d, &f, &err);
		value("ra", v, err != _URC_NO_REASON);
		v = __sframe_fre_get_fp_offset(&d, &f, &err);
		value("fp", v, err != _URC_NO_REASON);
		say("\n");
	}
}
