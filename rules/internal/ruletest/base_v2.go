package ruletest

// Sections of version 2. Comments give the offset in the section.
const (
	v2AMD64 = `
dee2 02 05 # magic, version, flags
03 # AMD64
00 f8 00 # fixed offsets, auxiliary header
00000004 0000000a 00000024 # FDEs, FREs, bytes of FREs
00000000 00000050 # offsets of the sub-sections
# FDEs
@4:1000 00000040 00000000 00000004 00 00 0000 # 0x1c
@4:1040 00000200 0000000f 00000003 01 00 0000 # 0x30
@4:1240 00000040 0000001c 00000002 10 10 0000 # 0x44
@4:1280 00000010 00000022 00000001 00 00 0000 # 0x58
# FDE 0, rows at 0x0 of the FREs
  00 03 08 # 0x6c: sp+8
  01 05 10 f0 # 0x6f: sp+16, FP at CFA-16
  04 04 10 f0 # 0x73: fp+16, FP at CFA-16
  3f 05 08 f0 # 0x77: sp+8, FP at CFA-16
# FDE 1, rows at 0xf of the FREs
  0000 03 08 # 0x7b: sp+8
  0004 23 0118 # 0x7f: sp+280
  01f8 03 08 # 0x84: sp+8
# FDE 2, rows at 0x1c of the FREs
  00 03 08 # 0x88: sp+8
  0b 03 10 # 0x8b: sp+16
# FDE 3, rows at 0x22 of the FREs
  00 00 # 0x8e: RA undefined
`

	v2AArch64 = `
dee2 02 05 # magic, version, flags
02 # AArch64
00 00 00 # fixed offsets, auxiliary header
00000004 0000000a 00000025 # FDEs, FREs, bytes of FREs
00000000 00000050 # offsets of the sub-sections
# FDEs
@4:1000 00000040 00000000 00000004 00 00 0000 # 0x1c
@4:1040 00000200 00000010 00000003 01 00 0000 # 0x30
@4:1240 00000040 0000001d 00000002 10 10 0000 # 0x44
@4:1280 00000010 00000023 00000001 00 00 0000 # 0x58
# FDE 0, rows at 0x0 of the FREs
  00 03 00 # 0x6c: sp+0
  04 07 20 e8 e0 # 0x6f: sp+32, RA at CFA-24, FP at CFA-32
  08 06 20 e8 e0 # 0x74: fp+32, RA at CFA-24, FP at CFA-32
  3c 03 00 # 0x79: sp+0
# FDE 1, rows at 0x10 of the FREs
  0000 03 00 # 0x7c: sp+0
  0004 23 0120 # 0x80: sp+288
  01f8 03 00 # 0x85: sp+0
# FDE 2, rows at 0x1d of the FREs
  00 03 00 # 0x89: sp+0
  04 03 10 # 0x8c: sp+16
# FDE 3, rows at 0x23 of the FREs
  00 00 # 0x8f: RA undefined
`

	v2S390X = `
dee2 02 05 # magic, version, flags
04 # s390x
00 00 00 # fixed offsets, auxiliary header
00000004 0000000a 00000025 # FDEs, FREs, bytes of FREs
00000000 00000050 # offsets of the sub-sections
# FDEs
@4:1000 00000040 00000000 00000004 00 00 0000 # 0x1c
@4:1040 00000200 00000010 00000003 01 00 0000 # 0x30
@4:1240 00000040 0000001d 00000002 10 10 0000 # 0x44
@4:1280 00000010 00000023 00000001 00 00 0000 # 0x58
# FDE 0, rows at 0x0 of the FREs
  00 03 00 # 0x6c: sp+160
  06 07 00 d0 b8 # 0x6f: sp+160, RA at CFA-48, FP at CFA-72
  0c 06 14 d0 b8 # 0x74: fp+320, RA at CFA-48, FP at CFA-72
  3e 03 00 # 0x79: sp+160
# FDE 1, rows at 0x10 of the FREs
  0000 03 00 # 0x7c: sp+160
  0004 23 0100 # 0x80: sp+2208
  01f8 03 00 # 0x85: sp+160
# FDE 2, rows at 0x1d of the FREs
  00 03 00 # 0x89: sp+160
  06 03 01 # 0x8c: sp+168
# FDE 3, rows at 0x23 of the FREs
  00 00 # 0x8f: RA undefined
`
)
