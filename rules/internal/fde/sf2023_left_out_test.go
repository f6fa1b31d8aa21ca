package fde_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
)

func TestOutermost(t *testing.T) {
	// FDE 3 of the sections of version 3 has no FREs.
	ruletest.Table(t, fde.Rules, `
		V3AMD64 | outermost |  |
		V3AMD64 | signal frame | set 0x9f 80 | SF2023 0x9d+2
		V3S390X | signal frame | set 0xa0 80 | SF2023 0x9e+2
		V3AMD64 | MASK | set 0x9f 10 00 10 | SF2025 0x9d+2
		V3AMD64 | MASK signal frame | set 0x9f 90 00 10 | SF2025 0x9d+2
		V3AMD64 | MASK without rep_size | set 0x9f 10 | SF2007 0xa1+1
		V3AMD64 | flexible | set 0x9f 80 01 | SF2018 0x9d+2
	`)
}

func TestReturnsOutermost(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []ruletest.Edit
		code  byte
		want  []string
	}{
		{"returns", nil, 0xc3, []string{"SF2024 0x9d+2"}},
		{"does not return", nil, 0xf4, []string{}},
		{"a signal frame", []ruletest.Edit{ruletest.Set(0x9f, "80")}, 0xc3, []string{"SF2023 0x9d+2"}},
	} {
		data := elftest.Linked(elf.EM_X86_64, false, ruletest.V3AMD64.Bytes(t, c.edits...)).Bytes(t)
		copy(data[elftest.Text+0x28e:], []byte{0x90, c.code}) // the last two bytes of FDE 3
		elftest.Read(t, data, func(o *reader.Object) {
			require.Equal(t, c.want, ruletest.Findings(t, fde.Rules, o), c.name)
		})
	}
}
