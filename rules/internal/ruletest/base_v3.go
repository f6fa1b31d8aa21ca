package ruletest

// Sections of version 3. Comments give the offset in the section.
const (
	v3AMD64 = `
dee2 03 05 # magic, version, flags
03 # AMD64
00 f8 00 # fixed offsets, auxiliary header
00000005 0000000c 0000004a # FDEs, FREs, bytes of FREs
00000000 00000050 # offsets of the sub-sections
# FDEs
@8:1000 00000040 00000000 # 0x1c
@8:1040 00000200 00000014 # 0x2c
@8:1240 00000040 00000026 # 0x3c
@8:1280 00000010 00000031 # 0x4c
@8:1290 00000028 00000036 # 0x5c
# FDE 0, rows at 0x0 of the FREs
  0004 00 00 00 # 0x6c: attribute
  00 03 08 # 0x71: sp+8
  01 05 10 f0 # 0x74: sp+16, FP at CFA-16
  04 04 10 f0 # 0x78: fp+16, FP at CFA-16
  3f 05 08 f0 # 0x7c: sp+8, FP at CFA-16
# FDE 1, rows at 0x14 of the FREs
  0003 01 00 00 # 0x80: attribute
  0000 03 08 # 0x85: sp+8
  0004 23 0118 # 0x89: sp+280
  01f8 03 08 # 0x8e: sp+8
# FDE 2, rows at 0x26 of the FREs
  0002 10 00 10 # 0x92: attribute
  00 03 08 # 0x97: sp+8
  0b 03 10 # 0x9a: sp+16
# FDE 3, rows at 0x31 of the FREs
  0000 00 00 00 # 0x9d: attribute
# FDE 4, rows at 0x36 of the FREs
  0003 00 01 00 # 0xa2: attribute
  00 04 39 08 # 0xa7: sp+8
  05 04 51 00 # 0xab: r10
  11 0a 33 f8 00 33 00 # 0xaf: *(fp-8), FP at fp
`

	v3AArch64 = `
dee2 03 05 # magic, version, flags
02 # AArch64
00 00 00 # fixed offsets, auxiliary header
00000005 0000000c 00000052 # FDEs, FREs, bytes of FREs
00000000 00000050 # offsets of the sub-sections
# FDEs
@8:1000 00000040 00000000 # 0x1c
@8:1040 00000200 00000015 # 0x2c
@8:1240 00000040 00000027 # 0x3c
@8:1280 00000010 00000032 # 0x4c
@8:1290 00000028 00000037 # 0x5c
# FDE 0, rows at 0x0 of the FREs
  0004 00 00 00 # 0x6c: attribute
  00 03 00 # 0x71: sp+0
  04 07 20 e8 e0 # 0x74: sp+32, RA at CFA-24, FP at CFA-32
  08 06 20 e8 e0 # 0x79: fp+32, RA at CFA-24, FP at CFA-32
  3c 03 00 # 0x7e: sp+0
# FDE 1, rows at 0x15 of the FREs
  0003 01 00 00 # 0x81: attribute
  0000 03 00 # 0x86: sp+0
  0004 23 0120 # 0x8a: sp+288
  01f8 03 00 # 0x8f: sp+0
# FDE 2, rows at 0x27 of the FREs
  0002 10 00 10 # 0x93: attribute
  00 03 00 # 0x98: sp+0
  04 03 10 # 0x9b: sp+16
# FDE 3, rows at 0x32 of the FREs
  0000 00 00 00 # 0x9e: attribute
# FDE 4, rows at 0x37 of the FREs
  0003 00 01 00 # 0xa3: attribute
  00 04 f9 00 # 0xa8: sp+0
  04 04 51 00 # 0xac: x10
  10 2c 00eb fff0 0002 ffe8 0002 ffe0 # 0xb0: *(fp-16), RA at CFA-24, FP at CFA-32
`

	v3S390X = `
dee2 03 05 # magic, version, flags
04 # s390x
00 00 00 # fixed offsets, auxiliary header
00000005 0000000c 00000050 # FDEs, FREs, bytes of FREs
00000000 00000050 # offsets of the sub-sections
# FDEs
@8:1000 00000040 00000000 # 0x1c
@8:1040 00000200 00000015 # 0x2c
@8:1240 00000040 00000027 # 0x3c
@8:1280 00000010 00000032 # 0x4c
@8:1290 00000028 00000037 # 0x5c
# FDE 0, rows at 0x0 of the FREs
  0004 00 00 00 # 0x6c: attribute
  00 03 00 # 0x71: sp+160
  06 07 00 d0 b8 # 0x74: sp+160, RA at CFA-48, FP at CFA-72
  0c 06 14 d0 b8 # 0x79: fp+320, RA at CFA-48, FP at CFA-72
  3e 03 00 # 0x7e: sp+160
# FDE 1, rows at 0x15 of the FREs
  0003 01 00 00 # 0x81: attribute
  0000 03 00 # 0x86: sp+160
  0004 23 0100 # 0x8a: sp+2208
  01f8 03 00 # 0x8f: sp+160
# FDE 2, rows at 0x27 of the FREs
  0002 10 00 10 # 0x93: attribute
  00 03 00 # 0x98: sp+160
  06 03 01 # 0x9b: sp+168
# FDE 3, rows at 0x32 of the FREs
  0000 00 00 00 # 0x9e: attribute
# FDE 4, rows at 0x37 of the FREs
  0003 00 01 00 # 0xa3: attribute
  00 04 79 00 # 0xa8: sp+160
  06 08 79 00 02 d0 # 0xac: sp+160, RA at CFA-48
  10 28 0009 0a00 0002 ffd0 # 0xb2: r1+20640, RA at CFA-48
`
)
