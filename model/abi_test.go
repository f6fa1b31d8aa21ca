package model_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

func TestABITable(t *testing.T) {
	type facts struct {
		name             string
		machine          elf.Machine
		big              bool
		sp, fp, ra       uint32
		fixedRA          int8
		pauth            bool
		padding, lsb     bool
		reloc32, reloc64 string
		v1, v2, v3       bool
	}
	want := map[model.ABI]facts{
		aarch64be: {"AArch64", elf.EM_AARCH64, true, 31, 29, 30, 0, true, false, false, "R_AARCH64_PREL32", "R_AARCH64_PREL64", true, true, true},
		aarch64:   {"AArch64", elf.EM_AARCH64, false, 31, 29, 30, 0, true, false, false, "R_AARCH64_PREL32", "R_AARCH64_PREL64", true, true, true},
		amd64:     {"AMD64", elf.EM_X86_64, false, 7, 6, 16, -8, false, false, false, "R_X86_64_PC32", "R_X86_64_PC64", true, true, true},
		s390x:     {"s390x", elf.EM_S390, true, 15, 11, 14, 0, false, true, true, "R_390_PC32", "R_390_PC64", false, true, true},
	}
	require.Len(t, model.ABIs(), len(want))
	for i, a := range model.ABIs() {
		require.Equal(t, model.ABI(i+1), a.ID)
		got := facts{a.Name, a.Machine, a.Big, a.SP, a.FP, a.RA, a.FixedRA, a.Pauth, a.RAPadding, a.LSBRegs,
			a.RelocName(a.Reloc32), a.RelocName(a.Reloc64), a.InVersion(v1), a.InVersion(v2), a.InVersion(v3)}
		assert.Equal(t, want[a.ID], got)
		assert.True(t, a.Known())
		assert.Equal(t, a.Name, model.LookupABI(a.ID).Name)
		assert.Equal(t, a.ID, model.LookupMachine(a.Machine, a.Big).ID)
		assert.Equal(t, a.FixedRA == 0, a.TracksRA())
		assert.Zero(t, a.RelocNone)
		assert.Contains(t, a.RelocName(0), "NONE")
		assert.Zero(t, a.FixedFP)
	}
	assert.False(t, model.LookupMachine(elf.EM_X86_64, true).Known())
	assert.False(t, model.LookupMachine(elf.EM_S390, false).Known())
	assert.False(t, model.LookupMachine(elf.EM_RISCV, false).Known())
}

func TestUnknownABI(t *testing.T) {
	for _, id := range []model.ABI{0, 5, 255} {
		a := model.LookupABI(id)

		assert.False(t, a.Known())
		assert.False(t, a.InVersion(v3))
		assert.Equal(t, "reg7", a.RegName(7))
		assert.Equal(t, "reg0", a.RegName(0))
	}
	assert.Equal(t, "ABI 5", model.LookupABI(5).Name)
}

func TestValidWords(t *testing.T) {
	for id, want := range map[model.ABI][]int{amd64: {1, 2}, aarch64: {1, 2, 3}, s390x: {1, 2, 3}} {
		var got []int
		for n := 1; n <= model.MaxWords; n++ {
			if model.LookupABI(id).ValidWords(v3, n) {
				got = append(got, n)
			}
		}
		assert.Equal(t, want, got, id)
		assert.False(t, model.LookupABI(id).ValidWords(v1, 0))
		assert.True(t, model.LookupABI(id).ValidWords(v2, 0))
		assert.True(t, model.LookupABI(id).ValidWords(v3, 0))
	}
}

func TestRegNames(t *testing.T) {
	for _, tt := range []struct {
		abi  model.ABI
		reg  uint32
		want string
	}{
		{amd64, 0, "rax"}, {amd64, 6, "rbp"}, {amd64, 7, "rsp"}, {amd64, 10, "r10"}, {amd64, 16, "rip"}, {amd64, 17, "reg17"},
		{aarch64, 0, "x0"}, {aarch64, 29, "x29"}, {aarch64be, 30, "x30"}, {aarch64, 31, "sp"}, {aarch64, 32, "reg32"},
		{s390x, 11, "r11"}, {s390x, 15, "r15"}, {s390x, 16, "f0"}, {s390x, 17, "f2"}, {s390x, 20, "f1"}, {s390x, 31, "f15"}, {s390x, 32, "reg32"},
	} {
		assert.Equal(t, tt.want, model.LookupABI(tt.abi).RegName(tt.reg), "%d %d", tt.abi, tt.reg)
	}
}
