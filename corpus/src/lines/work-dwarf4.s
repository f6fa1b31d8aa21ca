	.file	"work.c"
	.text
.Ltext0:
	.file 1 "work.c"
	.globl	work
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
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x115
	.value	0x4
	.long	.Ldebug_abbrev0
	.byte	0x8
	.uleb128 0x1
	.long	.LASF0
	.byte	0xc
	.long	.LASF1
	.long	.LASF2
	.long	.Ldebug_ranges0+0
	.quad	0
	.long	.Ldebug_line0
	.uleb128 0x2
	.long	.LASF3
	.byte	0x1
	.byte	0x10
	.byte	0x6
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.long	0x5b
	.uleb128 0x3
	.quad	.LVL2
	.long	0x5b
	.uleb128 0x4
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x1
	.byte	0x31
	.byte	0
	.byte	0
	.uleb128 0x5
	.long	.LASF4
	.byte	0x1
	.byte	0x9
	.byte	0x5
	.long	0xec
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.long	0xec
	.uleb128 0x6
	.string	"x"
	.byte	0x1
	.byte	0x9
	.byte	0xe
	.long	0xec
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x7
	.string	"y"
	.byte	0x1
	.byte	0xb
	.byte	0x6
	.long	0xec
	.long	.LLST0
	.long	.LVUS0
	.uleb128 0x8
	.long	0xf3
	.quad	.LBI8
	.byte	.LVU3
	.quad	.LBB8
	.quad	.LBE8-.LBB8
	.byte	0x1
	.byte	0xd
	.byte	0x9
	.uleb128 0x9
	.long	0x104
	.long	.LLST1
	.long	.LVUS1
	.uleb128 0xa
	.long	0x10f
	.quad	.LBI10
	.byte	.LVU5
	.quad	.LBB10
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
	.long	.LASF5
	.byte	0x1
	.byte	0x3
	.byte	0x13
	.long	0xec
	.byte	0x3
	.long	0x10f
	.uleb128 0xd
	.string	"x"
	.byte	0x1
	.byte	0x3
	.byte	0x1d
	.long	0xec
	.byte	0
	.uleb128 0xe
	.long	.LASF6
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
	.uleb128 .LVU2
	.uleb128 0
.LLST0:
	.quad	.LVL0
	.quad	.LFE2
	.value	0x3
	.byte	0x75
	.sleb128 1
	.byte	0x9f
	.quad	0
	.quad	0
.LVUS1:
	.uleb128 .LVU3
	.uleb128 .LVU8
.LLST1:
	.quad	.LVL0
	.quad	.LVL1
	.value	0x3
	.byte	0x75
	.sleb128 1
	.byte	0x9f
	.quad	0
	.quad	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.quad	.Ltext0
	.quad	.Letext0
	.quad	0
	.quad	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF6:
	.string	"hold"
.LASF3:
	.string	"_start"
.LASF2:
	.string	"/build/lines"
.LASF1:
	.string	"work.c"
.LASF0:
	.string	"GNU C17 12.2.0 -mno-red-zone -mtune=generic -march=x86-64 -gdwarf-4 -O1 -fno-pic -fasynchronous-unwind-tables"
.LASF5:
	.string	"twice"
.LASF4:
	.string	"work"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
