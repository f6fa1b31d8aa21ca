// What the parser of java-profiler needs of the rest of it.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;

const int DW_REG_FP = 6, DW_REG_SP = 7; // of AMD64
const int DW_SAME_FP = INT32_MIN, DW_LINK_REGISTER = INT32_MAX;
const int LINKED_FRAME_CLANG_SIZE = 16, LINKED_FRAME_SIZE = 16;

struct FrameDesc {
  u32 loc, cfa;
  int fp_off, pc_off;

  static FrameDesc default_clang_frame, default_frame;
  static int comparator(const void *a, const void *b) {
    u32 x = static_cast<const FrameDesc *>(a)->loc, y = static_cast<const FrameDesc *>(b)->loc;
    return x < y ? -1 : x > y;
  }
};
