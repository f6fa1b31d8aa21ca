package code_test

import (
	"debug/elf"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
)

func findings(t *testing.T, data []byte) (out []string) {
	elftest.Read(t, data, func(o *reader.Object) { out = rt.Findings(t, code.Rules, o) })
	return out
}

func TestSigning(t *testing.T) {
	paciasp, autiasp, autibsp := []byte{0x3f, 0x23, 3, 0xd5}, []byte{0xbf, 0x23, 3, 0xd5}, []byte{0xff, 0x23, 3, 0xd5}
	ret, retaa, retab := []byte{0xc0, 3, 0x5f, 0xd6}, []byte{0xff, 0x0b, 0x5f, 0xd6}, []byte{0xff, 0x0f, 0x5f, 0xd6}
	plain := rt.V3AArch64.Bytes(t)                                                            // FDE 0: nothing is signed
	signed := rt.V3AArch64.Bytes(t, rt.Set(0x75, "87"), rt.Set(0x7a, "86"))                   // FDE 0: from 4 to 0x3c
	late := rt.V3AArch64.Bytes(t, rt.Set(0x75, "87"), rt.Set(0x7a, "86"), rt.Set(0x7f, "83")) // FDE 0: from 4 on
	for _, c := range []struct {
		name    string
		section []byte
		code    map[int][]byte
		want    []string
	}{
		{"signed, authenticated", signed, map[int][]byte{0: paciasp, 0x38: autiasp, 0x3c: ret}, []string{}},
		{"not signed", plain, map[int][]byte{0x3c: ret}, []string{}},
		{"after paciasp", plain, map[int][]byte{0: paciasp, 0x38: autiasp, 0x3c: ret}, []string{"SF3112 0x75+1"}},
		{"at paciasp", signed, map[int][]byte{8: paciasp}, []string{"SF3112 0x7a+1"}},
		{"at autiasp", plain, map[int][]byte{4: autiasp}, []string{"SF3112 0x75+1"}},
		{"after autiasp", signed, map[int][]byte{0x34: autiasp}, []string{"SF3112 0x7a+1"}},
		{"at ret", late, map[int][]byte{0: paciasp, 0x3c: ret}, []string{"SF3112 0x7f+1"}},
		{"at retaa", late, map[int][]byte{0: paciasp, 0x3c: retaa}, []string{}},
		{"at retaa, not signed", signed, map[int][]byte{0: paciasp, 0x3c: retaa}, []string{"SF3112 0x7f+1"}},
		{"with key B", signed, map[int][]byte{0x38: autibsp, 0x3c: ret}, []string{"SF3113 0x6e+1"}},
		{"returns with key B", late, map[int][]byte{0x3c: retab}, []string{"SF3113 0x6e+1"}},
	} {
		found := findings(t, elftest.WithCode(t, elf.EM_AARCH64, false, c.section, nil, c.code))
		found = slices.DeleteFunc(found, func(s string) bool { return s < "SF3112" || s > "SF3114" }) // the code saves nothing
		require.Equal(t, c.want, found, c.name)
	}
}

func TestReturnState(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0x7d, "05 10")) // FDE 0 ends with rsp+16
	arm := rt.V3AArch64.Bytes(t, rt.Set(0x80, "10"))      // FDE 0 ends with sp+16
	z := rt.V3S390X.Bytes(t, rt.Set(0x80, "04"))          // FDE 0 ends with r15+192
	for _, c := range []struct {
		name    string
		machine elf.Machine
		big     bool
		section []byte
		code    map[int][]byte
		want    []string
	}{
		{"ret", elf.EM_X86_64, false, section, map[int][]byte{0x3f: {0xc3}}, []string{"SF3114 0x7c+4"}},
		{"jump to itself", elf.EM_X86_64, false, section, map[int][]byte{0x3e: {0xeb, 0xc3}}, []string{}},
		{"call", elf.EM_X86_64, false, section, map[int][]byte{0x3b: {0xe8, 0, 0, 0, 0xc3}}, []string{}},
		{"no return", elf.EM_X86_64, false, section, map[int][]byte{0x3e: {0x0f, 0x0b}}, []string{}},
		{"ret", elf.EM_AARCH64, false, arm, map[int][]byte{0x3c: {0xc0, 0x03, 0x5f, 0xd6}}, []string{"SF3114 0x7e+3"}},
		{"br", elf.EM_AARCH64, false, arm, map[int][]byte{0x3c: {0x00, 0x02, 0x1f, 0xd6}}, []string{}},
		{"br %r14", elf.EM_S390, true, z, map[int][]byte{0x3e: {0x07, 0xfe}}, []string{"SF3114 0x7e+3"}},
	} {
		require.Equal(t, c.want, findings(t, elftest.WithCode(t, c.machine, c.big, c.section, nil, c.code)), c.name)
	}
	elftest.Read(t, elftest.WithCode(t, elf.EM_AARCH64, false, arm, nil, map[int][]byte{0x3c: {0xc0, 0x03, 0x5f, 0xd6}}), func(o *reader.Object) {
		require.Contains(t, (&rules.Driver{Rules: code.Rules}).Run(o).Findings[0].Message, `"ret"`) // proves it by itself
	})
}

func TestCallWithRAUnchanged(t *testing.T) {
	for _, c := range []struct {
		name    string
		machine elf.Machine
		big     bool
		base    rt.Base
		at      int
		insn    []byte
		want    []string
	}{
		{"bl before RA is saved", elf.EM_AARCH64, false, rt.V3AArch64, 0x00, []byte{0x05, 0, 0, 0x94}, []string{"SF3203 0x71+3"}},
		{"blr before RA is saved", elf.EM_AARCH64, false, rt.V3AArch64, 0x00, []byte{0x20, 0x00, 0x3f, 0xd6}, []string{"SF3203 0x71+3"}},
		{"bl with RA saved", elf.EM_AARCH64, false, rt.V3AArch64, 0x08, []byte{0x05, 0, 0, 0x94}, nil},
		{"b before RA is saved", elf.EM_AARCH64, false, rt.V3AArch64, 0x00, []byte{0x05, 0, 0, 0x14}, nil},
		{"brasl before RA is saved", elf.EM_S390, true, rt.V3S390X, 0x00, []byte{0xc0, 0xe5, 0, 0, 0, 5}, []string{"SF3203 0x71+3"}},
		{"brasl inside another instruction", elf.EM_S390, true, rt.V3S390X, 0x00, []byte{0xc0, 0x10, 0xc0, 0xe5, 0, 0}, nil},
	} {
		data := elftest.Linked(c.machine, c.big, c.base.Bytes(t)).Bytes(t)
		copy(data[elftest.Text+c.at:], c.insn)
		var got []string
		elftest.Read(t, data, func(o *reader.Object) {
			for _, f := range rt.Findings(t, code.Rules, o) {
				if f[:6] == "SF3203" {
					got = append(got, f)
				}
			}
		})
		require.Equal(t, c.want, got, c.name)
	}
}

// TestReturnsInTheMiddle: a function without FREs that returns before its last instruction has a caller.
func TestReturnsInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name string
		code []byte
		want []string
	}{
		{"returns", []byte{0x85, 0xff, 0x74, 1, 0xc3, 0x0f, 0x0b}, []string{"SF3115 0x9d+2"}},
		{"does not return", []byte{0x85, 0xff, 0x74, 1, 0xf4, 0x0f, 0x0b}, []string{}},
	} {
		// FDE 3 has no FREs.
		require.Equal(t, c.want, findings(t, elftest.WithCode(t, elf.EM_X86_64, false, rt.V3AMD64.Bytes(t), nil, map[int][]byte{0x280: c.code})), c.name)
	}
}
