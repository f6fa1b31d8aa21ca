/* libsframe - decodes an SFrame section with libsframe and visits each FRE, several times.

   Usage: libsframe FILE TIMES

   It prints the least CPU time of a decode and walk in microseconds. The
   declarations are those of libsframe 3 (binutils 2.46 and later), as far as
   they are used here.  */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct decoder decoder;
decoder *sframe_decode (const char *, size_t, int *);
void sframe_decoder_free (decoder **);
uint32_t sframe_decoder_get_num_fidx (const decoder *);
int sframe_decoder_get_funcdesc_v3 (const decoder *, unsigned, uint32_t *,
				    uint32_t *, int64_t *, unsigned char *,
				    unsigned char *, uint8_t *);
int sframe_decoder_get_fre (const decoder *, unsigned, unsigned, void *);

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int
main (int argc, char **argv)
{
  FILE *f = argc == 3 ? fopen (argv[1], "rb") : NULL;
  if (!f)
    return 2;
  fseek (f, 0, SEEK_END);
  size_t size = ftell (f);
  rewind (f);
  char *data = malloc (size);
  if (!data || fread (data, 1, size, f) != size)
    return 2;
  double least = 1e18;
  unsigned long fres = 0;
  for (int times = atoi (argv[2]); times > 0; times--)
    {
      int err = 0;
      double begin = now ();
      decoder *d = sframe_decode (data, size, &err);
      if (!d)
	return 3;
      fres = 0;
      for (uint32_t i = 0; i < sframe_decoder_get_num_fidx (d); i++)
	{
	  uint32_t num = 0, func_size;
	  int64_t start;
	  unsigned char info, info2;
	  uint8_t rep;
	  uint64_t fre[64];	/* more than any version's struct */
	  if (sframe_decoder_get_funcdesc_v3 (d, i, &num, &func_size, &start, &info, &info2, &rep))
	    return 4;
	  for (uint32_t j = 0; j < num; j++)
	    {
	      if (sframe_decoder_get_fre (d, i, j, fre))
		return 5;
	      fres++;
	    }
	}
      sframe_decoder_free (&d);
      double took = now () - begin;
      if (took < least)
	least = took;
    }
  printf ("%.0f %lu\n", least, fres);
  return 0;
}
