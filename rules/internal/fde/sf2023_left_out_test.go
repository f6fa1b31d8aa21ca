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
	const amd64, s390x = 0x9d, 0x9e
	ruletest.Run(t, fde.Rules, []ruletest.Case{
		{Name: "outermost", Base: ruletest.V3AMD64},
		{Name: "signal frame", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(amd64+2, "80")}, Want: []string{"SF2023 0x9d+2"}},
		{Name: "signal frame", Base: ruletest.V3S390X, Edits: []ruletest.Edit{ruletest.Set(s390x+2, "80")}, Want: []string{"SF2023 0x9e+2"}},
		{Name: "MASK", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(amd64+2, "10 00 10")}, Want: []string{"SF2025 0x9d+2"}},
		{Name: "MASK signal frame", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(amd64+2, "90 00 10")}, Want: []string{"SF2025 0x9d+2"}},
		{Name: "MASK without rep_size", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(amd64+2, "10")}, Want: []string{"SF2007 0xa1+1"}},
		{Name: "flexible", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(amd64+2, "80 01")}, Want: []string{"SF2018 0x9d+2"}},
	})
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
