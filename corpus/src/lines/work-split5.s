	.file	"work.c"
	.text
.Ltext0:
	.file 0 "/build/lines" "work.c"
	.globl	work
	.type	work, @function
work:
.LVL0:
.LFB2:
	.file 1 "work.c"
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
	.loc 2 5 2 view .LVU6
#APP
# 5 "hold.h" 1
	pushq %rax
	nop
	popq %rax
# 0 "" 2
#NO_APP
.LBE11:
.LBE10:
	.loc 1 6 2 view .LVU7
.LVL1:
	.loc 1 6 2 is_stmt 0 view .LVU8
.LBE9:
.LBE8:
	.loc 1 13 18 view .LVU9
	leal	2(%rdi,%rdi,2), %eax
	.loc 1 14 1 view .LVU10
	ret
	.cfi_endproc
.LFE2:
	.size	work, .-work
	.globl	_start
	.type	_start, @function
_start:
.LFB3:
	.loc 1 17 1 is_stmt 1 view -0
	.cfi_startproc
.L3:
	.loc 1 18 2 discriminator 1 view .LVU12
	.loc 1 19 3 discriminator 1 view .LVU13
	movl	$1, %edi
	call	work
.LVL2:
	.loc 1 18 2 discriminator 1 view .LVU14
	jmp	.L3
	.cfi_endproc
.LFE3:
	.size	_start, .-_start
.Letext0:
	.section	.debug_addr,"",@progbits
	.long	0x4c
	.value	0x5
	.byte	0x8
	.byte	0
.Ldebug_addr0:
	.quad	.LBB10
	.quad	.LVL2
	.quad	.LBI10
	.quad	.LVL0
	.quad	.Ltext0
	.quad	.LFB2
	.quad	.LFB3
	.quad	.LBB8
	.quad	.LBI8
	.section	.debug_info.dwo,"e",@progbits
.Ldebug_info0:
	.long	0xc2
	.value	0x5
	.byte	0x5
	.byte	0x8
	.long	.Ldebug_abbrev0
	.byte	0xcc
	.byte	0xee
	.byte	0x24
	.byte	0xa
	.byte	0xdf
	.byte	0xd0
	.byte	0xe2
	.byte	0xb
	.uleb128 0x1
	.uleb128 0x2
	.byte	0x1d
	.uleb128 0x3
	.uleb128 0x4
	.uleb128 0x2
	.uleb128 0x1
	.byte	0x1
	.byte	0x10
	.byte	0x6
	.uleb128 0x6
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.long	0x3a
	.uleb128 0x3
	.uleb128 0x1
	.long	0x3a
	.uleb128 0x4
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x1
	.byte	0x31
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x6
	.byte	0x1
	.byte	0x9
	.byte	0x5
	.long	0x9f
	.uleb128 0x5
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.long	0x9f
	.uleb128 0x6
	.string	"x"
	.byte	0x1
	.byte	0x9
	.byte	0xe
	.long	0x9f
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x7
	.string	"y"
	.byte	0x1
	.byte	0xb
	.byte	0x6
	.long	0x9f
	.uleb128 0
	.long	.LVUS0-.Ldebug_loc0
	.uleb128 0x8
	.long	0xa6
	.uleb128 0x8
	.byte	.LVU3
	.uleb128 0x7
	.quad	.LBE8-.LBB8
	.byte	0x1
	.byte	0xd
	.byte	0x9
	.uleb128 0x9
	.long	0xb4
	.uleb128 0x1
	.long	.LVUS1-.Ldebug_loc0
	.uleb128 0xa
	.long	0xbf
	.uleb128 0x2
	.byte	.LVU5
	.uleb128 0
	.quad	.LBE10-.LBB10
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
	.uleb128 0x5
	.byte	0x1
	.byte	0x3
	.byte	0x13
	.long	0x9f
	.byte	0x3
	.long	0xbf
	.uleb128 0xd
	.string	"x"
	.byte	0x1
	.byte	0x3
	.byte	0x1d
	.long	0x9f
	.byte	0
	.uleb128 0xe
	.uleb128 0
	.byte	0x2
	.byte	0x2
	.byte	0x14
	.byte	0x3
	.byte	0
	.section	.debug_info,"",@progbits
.Lskeleton_debug_info0:
	.long	0x2d
	.value	0x5
	.byte	0x4
	.byte	0x8
	.long	.Lskeleton_debug_abbrev0
	.byte	0xcc
	.byte	0xee
	.byte	0x24
	.byte	0xa
	.byte	0xdf
	.byte	0xd0
	.byte	0xe2
	.byte	0xb
	.uleb128 0x1
	.long	.LLRL2
	.quad	0
	.long	.Ldebug_line0
	.long	.LASF0
	.long	.LASF1
	.long	.Ldebug_addr0
	.section	.debug_abbrev,"",@progbits
.Lskeleton_debug_abbrev0:
	.uleb128 0x1
	.uleb128 0x4a
	.byte	0
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x10
	.uleb128 0x17
	.uleb128 0x76
	.uleb128 0xe
	.uleb128 0x1b
	.uleb128 0xe
	.uleb128 0x2134
	.uleb128 0x19
	.uleb128 0x73
	.uleb128 0x17
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_abbrev.dwo,"e",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0x1a
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1a
	.uleb128 0x1b
	.uleb128 0x1a
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0x1a
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x11
	.uleb128 0x1b
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1b
	.uleb128 0x7f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x49
	.byte	0
	.uleb128 0x2
	.uleb128 0x18
	.uleb128 0x7e
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0x1a
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
	.uleb128 0x1b
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
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
	.uleb128 0x18
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
	.uleb128 0x22
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
	.uleb128 0x1b
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1b
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
	.uleb128 0x9
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x22
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
	.uleb128 0x1b
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1b
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
	.uleb128 0x1a
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
	.uleb128 0x1a
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
	.section	.debug_loclists.dwo,"e",@progbits
	.long	.Ldebug_loc3-.Ldebug_loc2
.Ldebug_loc2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0x2
.Ldebug_loc0:
	.long	.LLST0-.Ldebug_loc0
	.long	.LLST1-.Ldebug_loc0
.LVUS0:
	.uleb128 .LVU2
	.uleb128 0
.LLST0:
	.byte	0x3
	.uleb128 0x3
	.uleb128 .LFE2-.LVL0
	.uleb128 0x3
	.byte	0x75
	.sleb128 1
	.byte	0x9f
	.byte	0
.LVUS1:
	.uleb128 .LVU3
	.uleb128 .LVU8
.LLST1:
	.byte	0x3
	.uleb128 0x3
	.uleb128 .LVL1-.LVL0
	.uleb128 0x3
	.byte	0x75
	.sleb128 1
	.byte	0x9f
	.byte	0
.Ldebug_loc3:
	.section	.debug_gnu_pubnames,"",@progbits
	.long	0x39
	.value	0x2
	.long	.Lskeleton_debug_info0
	.long	0xc6
	.long	0x19
	.byte	0x30
	.string	"_start"
	.long	0x3a
	.byte	0x30
	.string	"work"
	.long	0xa6
	.byte	0xb0
	.string	"twice"
	.long	0xbf
	.byte	0xb0
	.string	"hold"
	.long	0
	.section	.debug_gnu_pubtypes,"",@progbits
	.long	0x17
	.value	0x2
	.long	.Lskeleton_debug_info0
	.long	0xc6
	.long	0x9f
	.byte	0x90
	.string	"int"
	.long	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Lskeleton_debug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.LLRL2:
	.byte	0x3
	.uleb128 0x4
	.uleb128 .Letext0-.Ltext0
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_line.dwo,"e",@progbits
.Lskeleton_debug_line0:
	.long	.LELT0-.LSLT0
.LSLT0:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	.LELTP0-.LASLTP0
.LASLTP0:
	.byte	0x1
	.byte	0x1
	.byte	0x1
	.byte	0xf6
	.byte	0xf2
	.byte	0xd
	.byte	0
	.byte	0x1
	.byte	0x1
	.byte	0x1
	.byte	0x1
	.byte	0
	.byte	0
	.byte	0
	.byte	0x1
	.byte	0
	.byte	0
	.byte	0x1
	.byte	0x1
	.uleb128 0x1
	.uleb128 0x8
	.uleb128 0x1
	.string	"/build/lines"
	.byte	0x2
	.uleb128 0x1
	.uleb128 0x8
	.uleb128 0x2
	.uleb128 0xb
	.uleb128 0x3
	.string	"work.c"
	.byte	0
	.string	"work.c"
	.byte	0
	.string	"hold.h"
	.byte	0
.LELTP0:
.LELT0:
	.section	.debug_str,"MS",@progbits,1
.LASF0:
	.string	"work-split5.dwo"
.LASF1:
	.string	"/build/lines"
	.section	.debug_str_offsets.dwo,"e",@progbits
	.long	0x20
	.value	0x5
	.value	0
	.long	0
	.long	0x5
	.long	0xc
	.long	0x88
	.long	0x8f
	.long	0x9c
	.long	0xa2
	.section	.debug_str.dwo,"e",@progbits
	.string	"hold"
	.string	"_start"
	.string	"GNU C17 12.2.0 -mno-red-zone -mtune=generic -march=x86-64 -gsplit-dwarf -gdwarf-5 -O1 -fno-pic -fasynchronous-unwind-tables"
	.string	"work.c"
	.string	"/build/lines"
	.string	"twice"
	.string	"work"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
