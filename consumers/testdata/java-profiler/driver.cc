// Reads a section with the parser of java-profiler and prints its table: an entry a line,
// with the offset of the code from the section, the register and offset of the CFA, and
// the offsets of FP and the return address. "rejected" stands for no table.
//
// usage: driver SECTION
#include "sframe.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

FrameDesc FrameDesc::default_clang_frame, FrameDesc::default_frame;

int main(int argc, char **argv) {
  FILE *f = argc == 2 ? fopen(argv[1], "rb") : nullptr;
  if (!f)
    return 2;
  std::vector<char> data;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
    data.insert(data.end(), part, part + n);
  fclose(f);

  SFrameParser parser("section", data.data(), data.size(), 0);
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
