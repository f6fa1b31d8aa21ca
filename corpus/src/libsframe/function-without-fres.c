/* Writes a section with a function that has no FREs, as version 3 allows. */

#include <sframe-api.h>

int
main (void)
{
  int err;
  size_t size;
  sframe_encoder_ctx *e
    = sframe_encode (SFRAME_VERSION_3, SFRAME_F_FDE_FUNC_START_PCREL,
		     SFRAME_ABI_AMD64_ENDIAN_LITTLE, 0, -8, &err);
  sframe_encoder_add_funcdesc_v3 (e, 0x100, 16, 0, 0, 0, 0);
  sframe_encoder_write (e, &size, false, &err);
  sframe_encoder_free (&e);
  return 0;
}
