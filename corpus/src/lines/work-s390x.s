	.file	"work.c"
	.machinemode zarch
	.machine "z196"
.text
.Ltext0:
	.file 1 "work.c"
	.align	8
.globl work
	.type	work, @function
work:
.LVL0:
.LFB2:
	.loc 1 10 1 view -0
	.cfi_startproc
	.loc 1 11 2 view .LVU1
	.loc 1 13 2 view .LVU2
.LBB8:
.LBI8:
	.loc 1 3 19 view .LVU3
.LBB9:
	.loc 1 5 2 view .LVU4
.LBB10:
.LBI10:
	.file 2 "hold.h"
	.loc 2 2 20 view .LVU5
.LBB11:
	.loc 2 9 2 view .LVU6
#APP
# 9 "hold.h" 1
	aghi %r15,-8
	nopr
	aghi %r15,8
# 0 "" 2
#NO_APP
.LBE11:
.LBE10:
	.loc 1 6 2 view .LVU7
.LVL1:
	.loc 1 6 2 is_stmt 0 view .LVU8
.LBE9:
.LBE8:
	.loc 1 11 6 view .LVU9
	ahik	%r1,%r2,1
.LVL2:
.LBB13:
.LBB12:
	.loc 1 6 11 view .LVU10
	sll	%r1,1
.LVL3:
	.loc 1 6 11 view .LVU11
.LBE12:
.LBE13:
	.loc 1 13 18 view .LVU12
	ar	%r2,%r1
.LVL4:
	.loc 1 14 1 view .LVU13
	lgfr	%r2,%r2
	br	%r14
	.cfi_endproc
.LFE2:
	.size	work, .-work
	.align	8
.globl _start
	.type	_start, @function
_start:
.LFB3:
	.loc 1 17 1 is_stmt 1 view -0
	.cfi_startproc
	stmg	%r14,%r15,112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-160(%r15)
	.cfi_def_cfa_offset 320
.L4:
	.loc 1 18 2 discriminator 1 view .LVU15
	.loc 1 19 3 discriminator 1 view .LVU16
	lghi	%r2,1
	brasl	%r14,work@PLT
.LVL5:
	.loc 1 18 2 discriminator 1 view .LVU17
	j	.L4
	.cfi_endproc
.LFE3:
	.size	_start, .-_start
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.4byte	0x10f
	.2byte	0x4
	.4byte	.Ldebug_abbrev0
	.byte	0x8
	.uleb128 0x1
	.4byte	.LASF0
	.byte	0xc
	.4byte	.LASF1
	.4byte	.LASF2
	.4byte	.Ldebug_ranges0+0x30
	.8byte	0
	.4byte	.Ldebug_line0
	.uleb128 0x2
	.4byte	.LASF3
	.byte	0x1
	.byte	0x10
	.byte	0x6
	.8byte	.LFB3
	.8byte	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.4byte	0x5b
	.uleb128 0x3
	.8byte	.LVL5
	.4byte	0x5b
	.uleb128 0x4
	.uleb128 0x1
	.byte	0x52
	.uleb128 0x1
	.byte	0x31
	.byte	0
	.byte	0
	.uleb128 0x5
	.4byte	.LASF4
	.byte	0x1
	.byte	0x9
	.byte	0x5
	.4byte	0xe6
	.8byte	.LFB2
	.8byte	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.4byte	0xe6
	.uleb128 0x6
	.string	"x"
	.byte	0x1
	.byte	0x9
	.byte	0xe
	.4byte	0xe6
	.4byte	.LLST0
	.4byte	.LVUS0
	.uleb128 0x7
	.string	"y"
	.byte	0x1
	.byte	0xb
	.byte	0x6
	.4byte	0xe6
	.4byte	.LLST1
	.4byte	.LVUS1
	.uleb128 0x8
	.4byte	0xed
	.8byte	.LBI8
	.byte	.LVU3
	.4byte	.Ldebug_ranges0+0
	.byte	0x1
	.byte	0xd
	.byte	0x9
	.uleb128 0x9
	.4byte	0xfe
	.4byte	.LLST2
	.4byte	.LVUS2
	.uleb128 0xa
	.4byte	0x109
	.8byte	.LBI10
	.byte	.LVU5
	.8byte	.LBB10
	.8byte	.LBE10-.LBB10
	.byte	0x1
	.byte	0x5
	.byte	0x2
	.byte	0
	.byte	0
	.uleb128 0xb
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0xc
	.4byte	.LASF5
	.byte	0x1
	.byte	0x3
	.byte	0x13
	.4byte	0xe6
	.byte	0x3
	.4byte	0x109
	.uleb128 0xd
	.string	"x"
	.byte	0x1
	.byte	0x3
	.byte	0x1d
	.4byte	0xe6
	.byte	0
	.uleb128 0xe
	.4byte	.LASF6
	.byte	0x2
	.byte	0x2
	.byte	0x14
	.byte	0x3
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x1b
	.uleb128 0xe
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x2117
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x4109
	.byte	0x1
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x31
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x410a
	.byte	0
	.uleb128 0x2
	.uleb128 0x18
	.uleb128 0x2111
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x2117
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x58
	.uleb128 0xb
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x1d
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x58
	.uleb128 0xb
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x20
	.uleb128 0xb
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loc,"",@progbits
.Ldebug_loc0:
.LVUS0:
	.uleb128 0
	.uleb128 .LVU13
	.uleb128 .LVU13
	.uleb128 0
.LLST0:
	.8byte	.LVL0
	.8byte	.LVL4
	.2byte	0x1
	.byte	0x52
	.8byte	.LVL4
	.8byte	.LFE2
	.2byte	0x4
	.byte	0xf3
	.uleb128 0x1
	.byte	0x52
	.byte	0x9f
	.8byte	0
	.8byte	0
.LVUS1:
	.uleb128 .LVU2
	.uleb128 .LVU10
	.uleb128 .LVU10
	.uleb128 .LVU11
	.uleb128 .LVU11
	.uleb128 .LVU13
	.uleb128 .LVU13
	.uleb128 0
.LLST1:
	.8byte	.LVL0
	.8byte	.LVL2
	.2byte	0x3
	.byte	0x72
	.sleb128 1
	.byte	0x9f
	.8byte	.LVL2
	.8byte	.LVL3
	.2byte	0x1
	.byte	0x51
	.8byte	.LVL3
	.8byte	.LVL4
	.2byte	0x3
	.byte	0x72
	.sleb128 1
	.byte	0x9f
	.8byte	.LVL4
	.8byte	.LFE2
	.2byte	0x6
	.byte	0xf3
	.uleb128 0x1
	.byte	0x52
	.byte	0x23
	.uleb128 0x1
	.byte	0x9f
	.8byte	0
	.8byte	0
.LVUS2:
	.uleb128 .LVU3
	.uleb128 .LVU8
.LLST2:
	.8byte	.LVL0
	.8byte	.LVL1
	.2byte	0x3
	.byte	0x72
	.sleb128 1
	.byte	0x9f
	.8byte	0
	.8byte	0
	.section	.debug_aranges,"",@progbits
	.4byte	0x2c
	.2byte	0x2
	.4byte	.Ldebug_info0
	.byte	0x8
	.byte	0
	.2byte	0
	.2byte	0
	.8byte	.Ltext0
	.8byte	.Letext0-.Ltext0
	.8byte	0
	.8byte	0
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.8byte	.LBB8
	.8byte	.LBE8
	.8byte	.LBB13
	.8byte	.LBE13
	.8byte	0
	.8byte	0
	.8byte	.Ltext0
	.8byte	.Letext0
	.8byte	0
	.8byte	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF6:
	.string	"hold"
.LASF3:
	.string	"_start"
.LASF1:
	.string	"work.c"
.LASF2:
	.string	"/build/lines"
.LASF5:
	.string	"twice"
.LASF0:
	.string	"GNU C17 12.2.0 -march=z196 -m64 -mzarch -gdwarf-4 -O1 -fasynchronous-unwind-tables"
.LASF4:
	.string	"work"
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
