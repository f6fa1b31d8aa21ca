package code_test

import (
	"bytes"
	"debug/elf"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
)

func TestCFAAgainstCode(t *testing.T) {
	amd64, arm, z := rt.V3AMD64.Bytes(t), rt.V3AArch64.Bytes(t), rt.V3S390X.Bytes(t)
	late := rt.V3AMD64.Bytes(t, rt.Set(0x73, "10")) // rsp+16 on entry to FDE 0
	for _, c := range []struct {
		name    string
		machine elf.Machine
		big     bool
		section []byte
		code    map[int][]byte
		want    []string
	}{
		{"followed", elf.EM_X86_64, false, amd64, map[int][]byte{0: {0x55}}, []string{}},
		{"CFA from FP", elf.EM_X86_64, false, amd64, map[int][]byte{0: {0x48, 0x83, 0xec, 0x30}}, []string{"SF3117 0x74+1"}},
		{"sub", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: {0x48, 0x83, 0xec, 0x30, 0x48, 0x83, 0xc4, 0x30, 0xc3}}, []string{"SF3114 0x89+5"}},
		{"large sub", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: {0x48, 0x81, 0xec, 0x10, 0x01, 0, 0}}, []string{"SF3117 0x89+2"}},
		{"no frame at all", elf.EM_X86_64, false, amd64, map[int][]byte{0: {0x90}}, []string{}},
		{"entered otherwise", elf.EM_X86_64, false, late, map[int][]byte{0: {0x53}}, []string{}},
		{"entered otherwise, and pushes again", elf.EM_X86_64, false, late, map[int][]byte{0: {0x53, 0x53}}, []string{"SF3114 0x74+4"}},
		{"sub sp", elf.EM_AARCH64, false, arm, map[int][]byte{0: {0xff, 0xc3, 0x00, 0xd1, 0xff, 0xc3, 0x00, 0x91, 0xc0, 0x03, 0x5f, 0xd6}}, []string{"SF3114 0x74+5"}},
		{"aghi", elf.EM_S390, true, z, map[int][]byte{0: {0xa7, 0xfb, 0xff, 0xd0, 0xa7, 0xfb, 0, 0x30, 0x07, 0xfe}},
			[]string{"SF3114 0x71+3", "SF3115 0x74+5", "SF3116 0x74+5", "SF3117 0x74+1"}},
	} {
		require.Equal(t, c.want, findings(t, elftest.WithCode(t, c.machine, c.big, c.section, nil, c.code)), c.name)
	}
}

// TestBoltedInPlace: BOLT has changed the code. Without its sections, the CFI that it has kept shows the source to be wrong.
func TestBoltedInPlace(t *testing.T) {
	data, err := os.ReadFile("../../../corpus/files/rewritten/bolt-in-place.elf")
	require.NoError(t, err)
	other := bytes.ReplaceAll(data, []byte(".bolt.org.eh_frame"), []byte(".what.org.eh_frame"))
	other = bytes.ReplaceAll(other, []byte(".note.bolt_info"), []byte(".note.what_info"))
	for text, file := range map[string][]byte{
		"BOLT changed only the code): ": data, "the CFI has the same error): ": other,
	} {
		elftest.Read(t, file, func(o *reader.Object) {
			found := (&rules.Driver{Rules: code.Rules}).Run(o).Findings
			require.Len(t, found, 1)
			require.Equal(t, "SF3114", found[0].Rule.ID)
			require.Contains(t, found[0].Message, text)
		})
	}
}
