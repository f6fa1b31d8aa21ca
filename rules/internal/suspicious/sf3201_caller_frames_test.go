package suspicious_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/elftest"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/suspicious"
)

func TestCallerFrames(t *testing.T) {
	rt.Run(t, suspicious.TopmostRules, []rt.Case{
		{Name: "CFA from r10", Base: rt.V3AMD64, Want: []string{"SF3201 0xab+4"}},
		{Name: "CFA from no register", Base: rt.V3AMD64, Edits: []rt.Edit{rt.Set(0xad, "e1")}},
		{Name: "CFA from f9", Base: rt.V3S390X, Edits: []rt.Edit{rt.Set(0xae, "e1"), rt.Set(0xb4, "0079")}},
		{Name: "CFA from a register of another ABI", Base: rt.V3AMD64, Edits: []rt.Edit{rt.Set(0x04, "02"), rt.Set(0xad, "51")}},
		{Name: "RA in no register", Base: rt.V2S390X, Edits: []rt.Edit{rt.Set(0x72, "7f")}},
		{Name: "words that the ABI has no use for", Base: rt.V2S390X, Edits: []rt.Edit{
			rt.Set(0x10, "00000026"), rt.Set(0x38, "00000011"), rt.Set(0x4c, "0000001e"), rt.Set(0x60, "00000024"),
			rt.Set(0x70, "09 00 21 23"), rt.Insert(0x74, "00")}},
		{Name: "CFA from rbp", Base: rt.V3AMD64, Edits: []rt.Edit{rt.Set(0xad, "33")}},
		{Name: "RA and FP in registers", Base: rt.V2S390X, Edits: []rt.Edit{rt.Set(0x72, "21 23")}, Want: []string{"SF3202 0x6f+5"}},
		{Name: "RA and FP in the frame", Base: rt.V2S390X},
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
			for _, f := range rt.Findings(t, suspicious.TopmostRules, o) {
				if f[:6] == "SF3203" {
					got = append(got, f)
				}
			}
		})
		require.Equal(t, c.want, got, c.name)
	}
}
