package ruletest

// Sections of version 1. Comments give the offset in the section.
const (
	v1AMD64 = `
dee2 01 01 # magic, version, flags
03 # AMD64
00 f8 00 # fixed offsets, auxiliary header
00000002 00000007 0000001c # FDEs, FREs, bytes of FREs
00000000 00000022 # offsets of the sub-sections
# FDEs
fffff000 00000040 00000000 00000004 00 # 0x1c
fffff040 00000200 0000000f 00000003 01 # 0x2d
# FDE 0, rows at 0x0 of the FREs
  00 03 08 # 0x3e: sp+8
  01 05 10 f0 # 0x41: sp+16, FP at CFA-16
  04 04 10 f0 # 0x45: fp+16, FP at CFA-16
  3f 05 08 f0 # 0x49: sp+8, FP at CFA-16
# FDE 1, rows at 0xf of the FREs
  0000 03 08 # 0x4d: sp+8
  0004 23 0118 # 0x51: sp+280
  01f8 03 08 # 0x56: sp+8
`

	v1AArch64 = `
dee2 01 01 # magic, version, flags
02 # AArch64
00 00 00 # fixed offsets, auxiliary header
00000002 00000007 0000001d # FDEs, FREs, bytes of FREs
00000000 00000022 # offsets of the sub-sections
# FDEs
fffff000 00000040 00000000 00000004 00 # 0x1c
fffff040 00000200 00000010 00000003 01 # 0x2d
# FDE 0, rows at 0x0 of the FREs
  00 03 00 # 0x3e: sp+0
  04 07 20 e8 e0 # 0x41: sp+32, RA at CFA-24, FP at CFA-32
  08 06 20 e8 e0 # 0x46: fp+32, RA at CFA-24, FP at CFA-32
  3c 03 00 # 0x4b: sp+0
# FDE 1, rows at 0x10 of the FREs
  0000 03 00 # 0x4e: sp+0
  0004 23 0120 # 0x52: sp+288
  01f8 03 00 # 0x57: sp+0
`
)
