package witness_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/witness"
	"github.com/sframe-lint/sframe-lint/model"
)

// line returns instructions that follow each other, as a path.
func line(t *testing.T, code ...string) (all []witness.Insn) {
	pc := uint64(0x1000)
	for _, c := range code {
		b, err := hex.DecodeString(c)
		require.NoError(t, err)
		all = append(all, witness.Insn{PC: pc, Code: b, Way: insn.ToNext})
		pc += uint64(len(b))
	}
	return all
}

// TestReplay: what is not known proves nothing, and a definite value that differs does.
func TestReplay(t *testing.T) {
	amd64, aarch64, s390x := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE), model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
	cfa := func(reg uint32, off int64) witness.Rule {
		return witness.Rule{Recovery: model.Recovery{Kind: model.InRegister, Reg: reg, Offset: off}, Of: 0}
	}
	slot := func(of insn.Reg, off int64) witness.Rule {
		return witness.Rule{Recovery: model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}, Of: of}
	}
	same := func(of insn.Reg) witness.Rule {
		return witness.Rule{Recovery: model.Recovery{Kind: model.Unchanged}, Of: of}
	}
	for _, c := range []struct {
		name    string
		abi     model.ABIInfo
		code    []string
		rule    witness.Rule
		refuted bool
	}{
		{"push", amd64, []string{"55"}, cfa(7, 8), true},
		{"push, with the right row", amd64, []string{"55"}, cfa(7, 16), false},
		{"a saved register", amd64, []string{"55"}, slot(6, -16), false},
		{"a slot of another one", amd64, []string{"53"}, slot(6, -16), true},
		{"a slot before it is written", amd64, []string{"4883ec18"}, slot(6, -16), true},
		{"a constant in rbp", amd64, []string{"bd01000000"}, same(6), true},
		{"a word of the heap in rbp", amd64, []string{"488b2f"}, same(6), true},
		{"rbp is kept by a call", amd64, []string{"e800000000"}, same(6), false},
		{"rsp is rounded down", amd64, []string{"4883e4e0"}, cfa(7, 8), true},
		{"an amount that is not known", amd64, []string{"4801c4"}, cfa(7, 16), false},
		{"an amount that is not known, left out", amd64, []string{"4801c4"}, cfa(7, 8), true},
		{"an argument is subtracted", amd64, []string{"4829fc"}, cfa(7, 8), true},
		{"a callee may write to what has its address", amd64, []string{"50", "50", "48892424", "4889e7", "e800000000", "4c892424"}, slot(6, -8), true},
		{"RA is restored from the shadow stack", aarch64, []string{"5e8600f8", "1e0080d2", "5e8e5ff8"}, same(30), false},
		{"RA is loaded from elsewhere", aarch64, []string{"1e0040f9"}, same(30), true},
		{"RA stays at 8(%r15)", s390x, []string{"e3e0f0080024", "c0e500000000"}, slot(14, -152), false},
		{"RA at 16(%r15) is overwritten", s390x, []string{"e3e0f0100024", "c0e500000000"}, slot(14, -144), true},
		{"a loop that moves rsp ends at its bound", amd64, []string{"4989e3", "4981eb00900000", "4881ec00100000", "4c39dc", "75f1"}, cfa(7, 0x9008), false},
		{"the same, with a wrong row", amd64, []string{"4989e3", "4981eb00900000", "4881ec00100000", "4c39dc", "75f1"}, cfa(7, 0x1008), true},
		{"no instruction", amd64, []string{"06"}, cfa(7, 16), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule := c.rule
			if rule.Kind == model.InRegister {
				rule.Of = insn.Reg(c.abi.SP)
			}
			path := line(t, c.code...)
			steps, refuted := witness.New(c.abi, false, 0).Replay(path, rule, c.abi.EntryCFA)
			require.Equal(t, c.refuted, refuted, "%+v", steps)
		})
	}
}
