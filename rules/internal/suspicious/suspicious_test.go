package suspicious_test

import (
	"debug/elf"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/elftest"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/suspicious"
)

// all are the rules on the contents of a section, which must stay silent.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules, suspicious.Rules)

func edits(e ...rt.Edit) []rt.Edit { return e }

func TestValidSections(t *testing.T) {
	for _, b := range rt.Bases() {
		want := []string{}
		if b.Name[:2] == "V1" {
			want = []string{"SF1004 0x2+1"}
		}
		require.Equal(t, want, rt.Findings(t, all, rt.Raw(b.Bytes(t))), b.Name)
	}
}

func TestRows(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "below the return address", Base: rt.V3AMD64, Edits: edits(rt.Set(0x90, "03 00")), Want: []string{"SF3101 0x91+1"}},
		{Name: "below the save area", Base: rt.V3S390X, Edits: edits(rt.Set(0x73, "f8")), Want: []string{"SF3101 0x73+1"}},
		{Name: "flexible", Base: rt.V3AMD64, Edits: edits(rt.Set(0xaa, "00")), Want: []string{"SF3101 0xa9+2"}},
		{Name: "misaligned", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7a, "11")), Want: []string{"SF3102 0x7a+1"}},
		{Name: "misaligned SP", Base: rt.V3AArch64, Edits: edits(rt.Set(0x8d, "0128")), Want: []string{"SF3102 0x8d+2"}},
		{Name: "aligned to 8 from FP", Base: rt.V3AArch64, Edits: edits(rt.Set(0x7b, "28 e8 d8"))},
		{Name: "above the CFA", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7b, "08")), Want: []string{"SF3103 0x7b+1"}},
		{Name: "below SP", Base: rt.V3AArch64, Edits: edits(rt.Set(0x77, "c8")), Want: []string{"SF3103 0x77+1"}},
		{Name: "RA at the CFA", Base: rt.V3AArch64, Edits: edits(rt.Set(0x77, "00")), Want: []string{"SF3103 0x77+1"}},
		{Name: "above the CFA, which is FP", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7a, "00 10")), Want: []string{"SF3103 0x7b+1"}},
		{Name: "in the red zone", Base: rt.V3AMD64, Edits: edits(rt.Set(0x77, "80"))},
	})
	rt.Run(t, all, []rt.Case{
		{Name: "RA's slot", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7b, "f8")), Want: []string{"SF3104 0x7b+1"}},
		{Name: "one slot for both", Base: rt.V3AArch64, Edits: edits(rt.Set(0x78, "e8")), Want: []string{"SF3104 0x78+1"}},
		{Name: "FP beside its slot", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7a, "08")), Want: []string{"SF3111 0x7a+1"}},
		{Name: "FP beside its record", Base: rt.V3AArch64, Edits: edits(rt.Set(0x7b, "30")), Want: []string{"SF3110 0x7b+1"}},
		{Name: "FP beside its slot, by a flexible FRE", Base: rt.V3AArch64, Edits: edits(rt.Set(0xb2, "00e9 0030")), Want: []string{"SF3110 0xb2+4"}},
		{Name: "FP not saved", Base: rt.V3AMD64, Edits: edits(rt.Set(0x9b, "02")), Want: []string{"SF3105 0x9c+1"}},
		{Name: "fixed offset in doubt", Base: rt.V3AMD64, Edits: edits(rt.Set(0x06, "f0"), rt.Set(0x7a, "11")), Want: []string{"SF1008 0x6+1", "SF3102 0x7a+1"}},
		// FDE 1's row of 2-byte words gets words of 4 bytes.
		{Name: "larger than a stack", Base: rt.V3AMD64, Edits: edits(rt.Set(0x8b, "43"), rt.Delete(0x8c, 2), rt.Insert(0x8c, "01000008"),
			rt.Set(0x10, "0000004c"), rt.Set(0x48, "00000028"), rt.Set(0x58, "00000033"), rt.Set(0x68, "00000038")), Want: []string{"SF3108 0x8c+4"}},
	})
}

func TestStartsNearTheLimit(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "last function far away", Base: rt.V2AMD64, Edits: edits(rt.Set(0x58, "7ffffff0")), Want: []string{"SF2101 0x58+4"}},
		{Name: "64 MiB from the limit", Base: rt.V2AMD64, Edits: edits(rt.Set(0x58, "7bff0000"))},
		{Name: "64 bits", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "000000007ffffff0"))},
	})
}

// codeFile returns a file with the section and some code in .text.
func codeFile(t *testing.T, m elf.Machine, big bool, section []byte, symbols []elftest.Symbol, code map[int][]byte) []byte {
	f := elftest.Linked(m, big, section)
	f.Symbols = symbols
	data := f.Bytes(t)
	abi := model.LookupMachine(m, big)
	for at := 0; at+len(abi.Trap) <= elftest.TextSize; at += len(abi.Trap) { // what is not code is not executed
		copy(data[elftest.Text+at:], abi.Trap)
	}
	for at, b := range code {
		copy(data[elftest.Text+at:], b)
	}
	return data
}

func findings(t *testing.T, data []byte) (out []string) {
	elftest.Read(t, data, func(o *reader.Object) { out = rt.Findings(t, suspicious.Rules, o) })
	return out
}

// symbol is a function of the test sections.
func symbol(name string, at, size uint64) elftest.Symbol {
	return elftest.Symbol{Name: name, Value: at, Size: size, Section: elftest.TextIndex, Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL}
}

func TestEntryState(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0x73, "18")) // rsp+24 on entry to FDE 0
	for name, want := range map[string][]string{
		"called":      {"SF3106 0x71+3"},
		"called.cold": {},
		"":            {}, // without a symbol it may be part of another function
	} {
		var symbols []elftest.Symbol
		if name != "" {
			symbols = append(symbols, symbol(name, 0x1000, 0x40))
			if name != "called" {
				symbols[0].Bind = elf.STB_LOCAL // as compilers make it
			}
		}
		data := codeFile(t, elf.EM_X86_64, false, section, symbols, nil)
		require.Equal(t, want, findings(t, data), name)
	}
}

func TestSignedAtEntry(t *testing.T) {
	section := rt.V3AArch64.Bytes(t, rt.Set(0x72, "83"))
	data := codeFile(t, elf.EM_AARCH64, false, section, []elftest.Symbol{symbol("called", 0x1000, 0x40)}, nil)
	require.Equal(t, []string{"SF3106 0x72+1"}, findings(t, data))
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
		require.Equal(t, c.want, findings(t, codeFile(t, elf.EM_AARCH64, false, c.section, nil, c.code)), c.name)
	}
}

// TestNoSuchRegister: which registers there are is another rule's affair.
func TestNoSuchRegister(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0xa9, "81")) // FDE 4 begins with register 16
	data := codeFile(t, elf.EM_X86_64, false, section, []elftest.Symbol{symbol("called", 0x1290, 0x28)}, nil)
	require.Empty(t, findings(t, data))
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
		{"ret", elf.EM_X86_64, false, section, map[int][]byte{0x3f: {0xc3}}, []string{"SF3109 0x7c+4"}},
		{"jump to itself", elf.EM_X86_64, false, section, map[int][]byte{0x3e: {0xeb, 0xc3}}, []string{}},
		{"call", elf.EM_X86_64, false, section, map[int][]byte{0x3b: {0xe8, 0, 0, 0, 0xc3}}, []string{}},
		{"no return", elf.EM_X86_64, false, section, map[int][]byte{0x3e: {0x0f, 0x0b}}, []string{}},
		{"ret", elf.EM_AARCH64, false, arm, map[int][]byte{0x3c: {0xc0, 0x03, 0x5f, 0xd6}}, []string{"SF3109 0x7e+3"}},
		{"br", elf.EM_AARCH64, false, arm, map[int][]byte{0x3c: {0x00, 0x02, 0x1f, 0xd6}}, []string{}},
		{"br %r14", elf.EM_S390, true, z, map[int][]byte{0x3e: {0x07, 0xfe}}, []string{"SF3109 0x7e+3"}},
	} {
		require.Equal(t, c.want, findings(t, codeFile(t, c.machine, c.big, c.section, nil, c.code)), c.name)
	}
}
