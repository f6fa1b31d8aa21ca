package code_test

import (
	"bytes"
	"debug/elf"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
)

// TestCutInstructions: an FDE starts or ends inside an instruction. What fills the space before code that is
// not aligned is not an instruction.
func TestCutInstructions(t *testing.T) {
	amd64 := rt.V3AMD64.Bytes(t, rt.Set(0x89, "00 01"))
	late := rt.V3AMD64.Bytes(t, rt.Set(0x89, "00 01"), rt.Set(0x5c, "@8:1291"))
	z := rt.V3S390X.Bytes(t, rt.Set(0x8a, "01 00"))
	jump := []byte{0xe9, 0xf9, 1, 0, 0} // from 0x40 to 0x23e
	for _, c := range []struct {
		name    string
		machine elf.Machine
		big     bool
		section []byte
		code    map[int][]byte
		want    []string
	}{
		{"ends inside mov", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: jump, 0x23e: {0x48, 0x89, 0xf0, 0xc3}}, []string{"SF3118 0x34+4"}},
		{"ends after xchg", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: jump, 0x23e: {0x90, 0xc3}}, []string{}},
		{"ends after bytes that are not an instruction", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: jump, 0x23e: {0x06, 0x06}}, []string{}},
		{"ends inside a call", elf.EM_S390, true, z, map[int][]byte{0x40: {0xa7, 0xf4, 0, 0xff}, 0x23e: {0xc0, 0x10, 0, 0, 0, 0}}, []string{"SF3118 0x34+4"}},
		{"starts inside endbr64", elf.EM_X86_64, false, late, map[int][]byte{0x290: {0xf3, 0x0f, 0x1e, 0xfa, 0xc3}}, []string{"SF3118 0x5c+8"}},
		{"zeros before it", elf.EM_X86_64, false, late, map[int][]byte{0x290: {0x00, 0x49, 0x89, 0xd3, 0xc3}}, []string{}},
	} {
		require.Equal(t, c.want, findings(t, elftest.WithCode(t, c.machine, c.big, c.section, nil, c.code)), c.name)
	}
}

// TestCutFunctions: the code after an FDE belongs to its function.
func TestCutFunctions(t *testing.T) {
	nops := strings.Repeat("\x90", 10)
	const call, branch = "\xe8\x30\x00\x00\x00", "\x74\x0c\xc3" // to FDE 1, and je to 0xe; ret
	for _, c := range []struct {
		name, size, code, want string
	}{
		{"the frame is taken down by FP", "10", "\x55\x48\x89\xe5" + nops[:7] + call + "\xc9\xc3", "SF3118 0x24+4"}, // push %rbp; mov %rsp,%rbp; call; leave; ret
		{"the frame is taken down by SP", "10", "\x53" + nops + call + "\x5b\xc3", "SF3118 0x24+4"},                 // push %rbx; call; pop %rbx; ret
		{"a function follows", "10", "\x53" + nops + call + "\x53\x5b\xc3", ""},                                     // push %rbx; pop %rbx; ret
		{"a branch to what is not aligned", "0e", branch + nops + "\x90\xc3", "SF3118 0x24+4"},
		{"a branch to what is aligned", "10", "\x74\x0e\xc3" + nops + "\x90\x90\x90\xc3", ""},
		{"a branch to padding", "0e", branch + nops + "\x90\x90", ""},
	} {
		section := rt.V3AMD64.Bytes(t, rt.Set(0x24, c.size+" 00 00 00")) // FDE 0; FDE 1 starts at 0x40
		code := append([]byte(c.code), bytes.Repeat([]byte{0x90}, 0x40-len(c.code))...)
		var got []string
		for _, f := range findings(t, elftest.WithCode(t, elf.EM_X86_64, false, section, nil, map[int][]byte{0: code, 0x40: {0xc3}})) {
			if strings.HasPrefix(f, "SF3118 0x24") {
				got = append(got, f)
			}
		}
		require.Equal(t, c.want, strings.Join(got, ", "), c.name)
	}
}

// TestBetweenFDEs: a function between two that have FDEs sets up a frame and returns. One without a frame may be
// anything, and several may be an object without SFrame data, as libgcc's init_have_lse_atomics and the start files.
func TestBetweenFDEs(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0x24, "10 00 00 00")) // FDE 0 ends at 0x10, FDE 1 starts at 0x40
	const function = "\x53\x48\x83\xec\x10\x48\x83\xc4\x10\x5b" // push %rbx; sub $16,%rsp; add $16,%rsp; pop %rbx
	for code, want := range map[string]string{
		function + "\xc3":                                 "SF3118 0x8+4", // ret
		function + "\xe9\x21\x00\x00\x00":                 "SF3118 0x8+4", // jmp to FDE 1
		"\x31\xc0\xc3":                                    "",             // xor %eax,%eax; ret
		function + "\xc3\x90\x90\x90\x90\x90\x31\xc0\xc3": "",             // another function
	} {
		hole := bytes.Repeat([]byte{0x90}, 0x30)
		copy(hole, code)
		var got []string
		for _, f := range findings(t, elftest.WithCode(t, elf.EM_X86_64, false, section, nil, map[int][]byte{0: {0xc3}, 0x10: hole, 0x40: {0xc3}})) {
			if strings.HasPrefix(f, "SF3118") {
				got = append(got, f)
			}
		}
		require.Equal(t, want, strings.Join(got, ", "), "%x", code)
	}
}

// TestLandingPads: the FDE starts after an instruction to which indirect calls lead.
func TestLandingPads(t *testing.T) {
	late := rt.V3AArch64.Bytes(t, rt.Set(0x5c, "@8:1294")) // FDE 4, which was at 0x1290
	for before, want := range map[string][]string{
		"\x5f\x24\x03\xd5": {"SF3118 0x5c+8"}, // bti c
		"\x1f\x20\x03\xd5": {},                // nop
	} {
		require.Equal(t, want, findings(t, elftest.WithCode(t, elf.EM_AARCH64, false, late, nil, map[int][]byte{0x290: []byte(before), 0x294: {0xc0, 3, 0x5f, 0xd6}})))
	}
}

// TestUnmarkedTrampoline: only functions that make a system call are looked at; what they do besides it decides.
func TestUnmarkedTrampoline(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0x24, "10 00 00 00")) // FDE 0 ends at 0x10
	for code, want := range map[string]bool{
		"\xb8\x0f\x00\x00\x00\x0f\x05":         true,  // mov $15,%eax; syscall
		"\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05": true,  // mov $15,%rax; syscall
		"\xb8\x0e\x00\x00\x00\x0f\x05":         false, // another system call
		"\xb8\x0f\x00\x00\x00\xc3":             false, // no system call
		"\x31\xff\xb8\x0f\x00\x00\x00\x0f\x05": false, // xor %edi,%edi before it
	} {
		got := false
		for _, f := range findings(t, elftest.WithCode(t, elf.EM_X86_64, false, section, nil, map[int][]byte{0: []byte(code), 0x40: {0xc3}})) {
			got = got || strings.HasPrefix(f, "SF3119")
		}
		require.Equal(t, want, got, "% x", code)
	}
}
