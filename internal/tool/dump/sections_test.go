package dump_test

// The sections that the tests dump, byte by byte. Text after a # is a
// comment; the bytes before it are hexadecimal.

// everything has a bit of all that V3 has on AMD64.
const everything = `
e2 de 03 05                       # magic, V3, SORTED | FUNC_START_PCREL
03 00 f8 04                       # AMD64, FP not fixed, RA at CFA-8, 4 bytes of auxiliary header
05 00 00 00  0b 00 00 00          # 5 FDEs, 11 FREs
5c 00 00 00                       # bytes of FREs
00 00 00 00  50 00 00 00          # FDEs after the header, FREs after them
a1 b2 c3 d4                       # auxiliary header
                                  # FDE sub-section at 0x20
e0 0f 00 00 00 00 00 00  20 00 00 00  00 00 00 00 # [0] 0x20 + 0xfe0
f0 0f 00 00 00 00 00 00  40 00 00 00  14 00 00 00 # [1]
20 10 00 00 00 00 00 00  30 00 00 00  37 00 00 00 # [2]
40 10 00 00 00 00 00 00  09 00 00 00  43 00 00 00 # [3]
40 10 00 00 00 00 00 00  00 02 00 00  48 00 00 00 # [4]
                                  # FRE sub-section at 0x70
04 00 00 00 00                    # [0] 4 rows, ADDR1, INC, default
00 03 08                          #   sp+8
01 05 10 f0                       #   sp+16, FP at CFA-16
04 04 10 f0                       #   fp+16, FP at CFA-16
1f 01 00 00                       #   RA undefined; 2 bytes that belong to nothing
03 00 00 01 00                    # [1] 3 rows, flexible
00 04 39 08                       #   CFA rsp+8
05 0a 33 f8 00 33 00              #   CFA *(rbp-8), RA default, FP *(rbp)
10 2c 51 00 00 00 11 00 00 00 02 00 f0 ff #   CFA r10, RA rcx, FP *(CFA-16), 2-byte words
00 00 00 00 00                    # bytes that belong to nothing, all zero
02 00 10 00 10                    # [2] 2 rows, MASK of 16 bytes
00 03 08                          #   sp+8
0b 03 10                          #   sp+16
07                                # a byte that belongs to nothing
00 00 80 00 00                    # [3] no rows, signal frame
02 00 01 00 00                    # [4] 2 rows, ADDR2
00 00 03 08                       #   sp+8
04 01 45 00 00 02 00 f0 ff ff ff  #   sp+131072, FP at CFA-16, 4-byte words
`

// pauth is V2 on big-endian AArch64, starts counted from the section.
const pauth = `
de e2 02 02                       # magic, V2, FRAME_POINTER
01 00 00 00                       # AArch64 big-endian, nothing fixed
00 00 00 02  00 00 00 05          # 2 FDEs, 5 FREs
00 00 00 16                       # bytes of FREs
00 00 00 00  00 00 00 28          # FDEs after the header, FREs after them
                                  # FDE sub-section at 0x1c
ff ff f0 00  00 00 00 20  00 00 00 00  00 00 00 04  20 00 00 00 # [0] pauth key B
ff ff f0 20  00 00 00 08  00 00 00 13  00 00 00 01  00 00 00 00 # [1]
                                  # FRE sub-section at 0x44
00 03 00                          # [0] sp
04 83 00                          #     sp, RA signed
08 a7 01 00 ff 08 ff 00           #     sp+256, RA at CFA-248, FP at CFA-256, RA signed
0c 86 10 f8 f0                    #     fp+16, RA at CFA-8, FP at CFA-16, RA signed
00 03 00                          # [1] sp
`

// registers is V2 on s390x, with RA and FP in registers.
const registers = `
de e2 02 05                       # magic, V2, SORTED | FUNC_START_PCREL
04 00 00 00                       # s390x, nothing fixed
00 00 00 01  00 00 00 06          # 1 FDE, 6 FREs
00 00 00 19                       # bytes of FREs
00 00 00 00  00 00 00 14          # FDEs after the header, FREs after them
00 00 01 00  00 00 00 40  00 00 00 00  00 00 00 06  00 00 00 00 # [0]
                                  # FRE sub-section at 0x30
00 03 00                          # CFA r15+160
04 05 00 21                       # RA in r16, which is f0
08 07 00 00 23                    # RA not saved, FP in r17, which is f2
0c 07 14 d0 b8                    # CFA r15+320, RA at CFA-48, FP at CFA-72
20 06 14 d0 b8                    # the same from r11
3c 02 00                          # CFA r11+160
`

// first is V1 on AMD64.
const first = `
e2 de 01 01                       # magic, V1, SORTED
03 00 f8 00                       # AMD64, FP not fixed, RA at CFA-8
02 00 00 00  03 00 00 00          # 2 FDEs, 3 FREs
0a 00 00 00                       # bytes of FREs
00 00 00 00  22 00 00 00          # FDEs after the header, FREs after them
                                  # FDE sub-section at 0x1c, 17 bytes each
00 f0 ff ff  10 00 00 00  00 00 00 00  02 00 00 00  00 # [0]
10 f0 ff ff  20 00 00 00  07 00 00 00  01 00 00 00  10 # [1] MASK
                                  # FRE sub-section at 0x3e
00 03 08                          # [0] sp+8
01 05 10 f0                       #     sp+16, FP at CFA-16
00 03 08                          # [1] sp+8
`

// fixed is V1 on AMD64 with both flags and FP at a fixed offset.
const fixed = `
e2 de 01 03                       # magic, V1, SORTED | FRAME_POINTER
03 f0 f8 00                       # AMD64, FP at CFA-16, RA at CFA-8
01 00 00 00  01 00 00 00  03 00 00 00  00 00 00 00  11 00 00 00
00 f0 ff ff  10 00 00 00  00 00 00 00  01 00 00 00  00
00 02 10                          # fp+16
`

// fixedV3 is V3 with the same, and FP left to its fixed offset in a flexible
// FDE.
const fixedV3 = `
e2 de 03 04                       # magic, V3, FUNC_START_PCREL
03 f0 f8 00                       # AMD64, FP at CFA-16, RA at CFA-8
02 00 00 00  05 00 00 00  1e 00 00 00  00 00 00 00  20 00 00 00
00 f0 ff ff ff ff ff ff  10 00 00 00  00 00 00 00
00 f0 ff ff ff ff ff ff  10 00 00 00  08 00 00 00
01 00 00 00 00                    # [0] a row
00 02 10                          #   fp+16
04 00 00 01 00                    # [1] 4 rows, flexible
00 04 39 08                       #   rsp+8
01 06 39 08 00                    #   rsp+8, RA padding
02 08 39 08 00 00                 #   rsp+8, RA and FP padding
03                                #   and one that is RA undefined
00
`

// noFunctions is V3 with a header alone.
const noFunctions = `
e2 de 03 04  02 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
`

// damaged is V3 with something wrong in every FDE.
const damaged = `
e2 de 03 87                       # magic, V3, undefined flags 0x82
03 00 f8 00                       # AMD64, RA at CFA-8
08 00 00 00  63 00 00 00          # 8 FDEs of which 7 fit, 99 FREs
28 00 00 00                       # bytes of FREs
28 00 00 00  00 00 00 00          # the FREs before the FDEs
                                  # FRE sub-section at 0x1c
02 00 40 e0 00                    # [0] reserved bits of info and info2
00 03 08
05 83 10                          #     RA signed, which AMD64 does not know
03 00 00 00 00                    # [1] 3 rows
00 03 08
01 73 10 10                       #     word size 3
01 00 03 00 00                    # [2] FRE type 3
02 00 02 02 00                    # [3] ADDR4, FDE type 2
00 00 00 00 03 08                 #     and the second row is cut off
00                                # a byte that belongs to nothing but is no attribute
                                  # FDE sub-section at 0x44
00 00 00 00 00 00 00 00  10 00 00 00  00 00 00 00 # [0]
00 00 00 00 00 00 00 00  10 00 00 00  0b 00 00 00 # [1]
00 00 00 00 00 00 00 00  10 00 00 00  17 00 00 00 # [2]
00 00 00 00 00 00 00 00  10 00 00 00  1c 00 00 00 # [3]
00 00 00 00 00 00 00 00  10 00 00 00  26 00 00 00 # [4] no room for the attribute
00 00 00 00 00 00 00 00  10 00 00 00  00 00 00 7f # [5] rows beyond everything
00 00 00 00 00 00 00 80  ff ff ff ff  00 00 00 00 # [6] the lowest start, [0]'s rows
00 00 00 00 00 00 00                              # [7] is cut off
`

// The sections below have no FDEs that could be read.
const (
	newVersion = `e2 de 04 01  03 00 f8 00  01 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 10 00 00 00  aa bb`
	badMagic   = `e2 df 03 01  03 00 f8 00`
	cutHeader  = `e2 de 03 01  03 00 f8 00  01 00`
	unknownABI = `
e2 de 02 00  09 00 f8 00  01 00 00 00  01 00 00 00  03 00 00 00  00 00 00 00  14 00 00 00
00 00 00 00  10 00 00 00  00 00 00 00  01 00 00 00  c0 00 34 12 # reserved bits and padding2
00 03 08
`
)

// sections are all of them, by the names of their golden files.
var sections = []struct {
	name, hex string
	addr      uint64
	healthy   bool // objdump prints it
}{
	{"v3-everything", everything, 0x400000, false}, // bytes that belong to nothing
	{"v2-pauth-be", pauth, 0x10000, true},
	{"v2-s390x-registers", registers, 0x1000, true},
	{"v1", first, 0x2000, true},
	{"v1-fixed", fixed, 0x2000, true},
	{"v3-fixed", fixedV3, 0x2000, true},
	{"no-functions", noFunctions, 0x2000, true},
	{"damaged", damaged, 0, false},
	{"new-version", newVersion, 0, false},
	{"bad-magic", badMagic, 0, false},
	{"cut-header", cutHeader, 0, false},
	{"unknown-abi", unknownABI, 0, false},
}
