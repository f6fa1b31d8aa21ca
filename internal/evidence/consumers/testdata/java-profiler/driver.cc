// Reads a section with the parser of java-profiler and prints its table: an entry a line,
// with the offset of the code from the section, the register and offset of the CFA, and
// the offsets of FP and the return address. "rejected" stands for no table.
//
// usage: driver SECTION
#include "sframe.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "section.h"

FrameDesc FrameDesc::default_clang_frame, FrameDesc::default_frame;

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  size_t size;
  char *data = read_section(argv[1], &size);

  SFrameParser parser("section", data, size, 0);
  if (!parser.parse()) {
    puts("rejected");
    return 0;
  }
  int n = parser.count();
  FrameDesc *table = parser.table();
  for (int i = 0; i < n; i++)
    printf("%d %u %d %d %d\n", static_cast<int>(table[i].loc), table[i].cfa & 0xff, static_cast<int>(table[i].cfa) >> 8,
           table[i].fp_off, table[i].pc_off);
  free(table);
}
