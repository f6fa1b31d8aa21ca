package insn

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestClasses: what instructions do with their operand in memory, which ones are padding, which ones call
// the kernel, and which ones set SP to a value from elsewhere.
func TestClasses(t *testing.T) {
	const amd64, arm64, s390 = elf.EM_X86_64, elf.EM_AARCH64, elf.EM_S390
	sp := map[elf.Machine]Reg{amd64: rsp, arm64: a64SP, s390: zSP}
	for _, c := range []struct {
		machine    elf.Machine
		text, code string
		want       string // r, w: reads, writes; s: stores, also what is no operand; p: pad; k: kernel; n: new SP
	}{
		{amd64, "mov %eax,(%rdi)", "8907", "ws"},
		{amd64, "mov (%rdi),%eax", "8b07", "r"},
		{amd64, "mov %edi,%eax", "89f8", ""},
		{amd64, "cmpl $1,(%rdi)", "833f01", "r"},
		{amd64, "add %eax,(%rdi)", "0107", "ws"},
		{amd64, "lea (%rdi),%rax", "488d07", ""},
		{amd64, "push %rax", "50", "s"},
		{amd64, "push (%rax)", "ff30", "rs"},
		{amd64, "pop (%rax)", "8f00", "ws"},
		{amd64, "call", "e800000000", "s"},
		{amd64, "rep stosb", "f3aa", "ws"},
		{amd64, "rep movsb", "f3a4", "rws"},
		{amd64, "cmpsb", "a6", "r"},
		{amd64, "xchg %rax,(%rsp)", "48870424", "ws"},
		{amd64, "fldt (%rsp)", "db2c24", "r"},
		{amd64, "fstpt (%rsp)", "db3c24", "ws"},
		{amd64, "fxsave (%rsp)", "0fae0424", "ws"},
		{amd64, "ldmxcsr (%rsp)", "0fae1424", "r"},
		{amd64, "prefetcht0 (%rsi)", "0f180e", ""},
		{amd64, "movups (%rdi),%xmm0", "0f1007", "r"},
		{amd64, "movups %xmm0,(%rdi)", "0f1107", "ws"},
		{amd64, "maskmovdqu %xmm0,%xmm1", "660ff7c8", "ws"},
		{amd64, "vmovdqu %ymm0,(%rdi)", "c5fe7f07", "ws"},
		{amd64, "vmovdqu (%rsi),%ymm0", "c5fe6f06", "r"},
		{amd64, "vmovdqu64 %ymm16,(%rdi)", "62e1fe287f07", "ws"},
		{amd64, "vpmovqb %zmm0,(%rdi)", "62f27e483207", "ws"},
		{amd64, "vmaskmovps %ymm0,%ymm1,(%rdi)", "c4e2752e07", "ws"},
		{amd64, "vextracti128 $1,%ymm0,(%rdi)", "c4e37d390701", "ws"},
		{amd64, "nop", "90", "p"},
		{amd64, "pause", "f390", ""},
		{amd64, "data16 nop", "6690", "p"},
		{amd64, "nopw 0(%rax,%rax)", "660f1f840000000000", "p"},
		{amd64, "int3", "cc", "p"},
		{amd64, "zeros", "0000", "wsp"},
		{amd64, "ud2", "0f0b", ""},
		{amd64, "endbr64", "f30f1efa", ""},
		{amd64, "syscall", "0f05", "sk"},
		{amd64, "leave", "c9", "n"},
		{amd64, "pop %rsp", "5c", "n"},
		{amd64, "mov %rax,%rsp", "4889c4", "n"},
		{amd64, "xchg %rax,%rsp", "4894", "n"},
		{amd64, "sub %rax,%rsp", "4829c4", ""},
		{amd64, "and $-16,%rsp", "4883e4f0", ""},
		{amd64, "cmp %r8,%rsp", "4c39c4", ""},
		{arm64, "ldr x0,[x1]", "200040f9", "r"},
		{arm64, "str x0,[x1]", "200000f9", "ws"},
		{arm64, "str x0,[x1,x2]", "206822f8", "ws"},
		{arm64, "ldr x0,[x1,x2]", "206862f8", "r"},
		{arm64, "stp x29,x30,[sp,#-32]!", "fd7bbea9", "ws"},
		{arm64, "ldxr w0,[x2]", "407c5f88", "r"},
		{arm64, "stxr w0,x1,[x2]", "417c00c8", "ws"},
		{arm64, "ldadd x0,x1,[x2]", "410020f8", "rws"},
		{arm64, "stzg x0,[x0]", "000860d9", "rws"},
		{arm64, "ld1 {v1.16b},[x3]", "6170404c", "r"},
		{arm64, "prfm pldl1keep,[x0]", "000080f9", ""},
		{arm64, "dc zva,x3", "23740bd5", "ws"},
		{arm64, "ldr z0,[x0]", "00408085", "r"},
		{arm64, "str z0,[x0]", "004080e5", "ws"},
		{arm64, "nop", "1f2003d5", "p"},
		{arm64, "zeros", "00000000", "p"},
		{arm64, "brk #1000", "007d20d4", ""},
		{arm64, "svc #0", "010000d4", "sk"},
		{arm64, "mov sp,x29", "bf030091", "n"},
		{arm64, "sub sp,x29,#32", "bf8300d1", "n"},
		{arm64, "sub sp,sp,#32", "ff8300d1", ""},
		{s390, "nopr %r7", "0707", "p"},
		{s390, "zeros", "0000", "p"},
		{s390, "svc 1", "0a01", "sk"},
		{s390, "lgr %r15,%r11", "b90400fb", "n"},
		{s390, "lghi %r2,1", "a7290001", ""},
		{s390, "lg %r15,0(%r1)", "e3f010000004", "rn"},
		{s390, "stg %r14,112(%r15)", "e3e0f0700024", "ws"},
		{s390, "la %r11,160(%r15)", "41b0f0a0", ""},
		{s390, "mvc 8(16,%r15),0(%r2)", "d20ff0082000", "rws"},
		{s390, "aghi %r15,-160", "a7fbff60", ""},
	} {
		code, err := hex.DecodeString(c.code)
		require.NoError(t, err)
		i := For(c.machine).One(code, 0)
		require.Equal(t, len(code), int(i.Len), c.text)
		got := ""
		for _, x := range []struct {
			mark string
			has  bool
		}{{"r", i.Access&Reads != 0}, {"w", i.Access&Writes != 0}, {"s", i.Writes()}, {"p", i.Pad}, {"k", i.System}, {"n", i.Replaces(sp[c.machine])}} {
			if x.has {
				got += x.mark
			}
		}
		require.Equal(t, c.want, got, c.text)
	}
}

func TestNoCode(t *testing.T) {
	require.Nil(t, For(elf.EM_RISCV))
	require.Equal(t, Bad, For(elf.EM_RISCV).One([]byte{1, 2, 3, 4}, 0).Flow)
	require.Equal(t, Bad, For(elf.EM_X86_64).One(nil, 0).Flow)
	for range For(elf.EM_RISCV).All([]byte{1, 2, 3, 4}, 0) {
		t.Fatal("an instruction of a machine without a decoder")
	}
	n := 0
	for off, i := range For(elf.EM_AARCH64).All(make([]byte, 10), 0) {
		n++
		require.Equal(t, off == 8, i.Flow == Bad)
	}
	require.Equal(t, 3, n)
}

func TestText(t *testing.T) {
	require.Equal(t, "endbr64", Text(elf.EM_X86_64, []byte("\xf3\x0f\x1e\xfa"), 0))
	require.Equal(t, "sub $0x8,%rsp", Text(elf.EM_X86_64, []byte("\x48\x83\xec\x08"), 0))
	for code, want := range map[string]string{
		"\x8b\x85\xd0\xfe\xff\xff":             "mov -0x130(%rbp),%eax",
		"\x8b\x04\xcd\xf0\xff\xff\xff":         "mov -0x10(,%rcx,8),%eax",
		"\x48\x8d\x05\xf0\xff\xff\xff":         "lea -0x10(%rip),%rax",
		"\x41\x3b\x44\x24\x10":                 "cmp 0x10(%r12),%eax",
		"\x43\x8b\x04\x2c":                     "mov (%r12,%r13),%eax",
		"\x64\x48\x8b\x04\x25\x28\x00\x00\x00": "mov %fs:0x28,%rax",
	} {
		require.Equal(t, want, Text(elf.EM_X86_64, []byte(code), 0))
	}
	require.Equal(t, "ret", Text(elf.EM_AARCH64, []byte("\xc0\x03\x5f\xd6"), 0))
	for hint, name := range map[uint32]string{0: "nop", 7: "xpaclri", 25: "paciasp", 29: "autiasp", 31: "autibsp", 34: "bti c", 33: "hint #0x21", 127: "hint #0x7f"} {
		require.Equal(t, name, Text(elf.EM_AARCH64, binary.LittleEndian.AppendUint32(nil, 0xd503201f|hint<<5), 0))
	}
	require.Equal(t, "br %r14", Text(elf.EM_S390, []byte("\x07\xfe"), 0))
	require.Empty(t, Text(elf.EM_RISCV, []byte("\x01\x00"), 0))
	require.Empty(t, Text(elf.EM_X86_64, nil, 0))
}

// TestCutInstructionHasNoText: the library for s390x read beyond the bytes that it was given, and panicked.
func TestCutInstructionHasNoText(t *testing.T) {
	whole := []byte{0x93, 0x00, 0x82, 0xcb}
	assert.Equal(t, "ts 715(%r8)", Text(elf.EM_S390, whole, 0))
	assert.Empty(t, Text(elf.EM_S390, whole[:2], 0))
	assert.Empty(t, Text(elf.EM_S390, whole[:2:2], 0))
}
