package model_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// The sizes that the manual states follow from the fields.
func TestSizesFollowFromTheFields(t *testing.T) {
	for _, tt := range []struct {
		v                        model.Version
		header, fde, start, attr int
		most                     uint32
		stubs, flex              bool
	}{
		{model.SFRAME_VERSION_1, 28, 17, 4, 0, 1<<32 - 1, false, false},
		{model.SFRAME_VERSION_2, 28, 20, 4, 0, 1<<32 - 1, true, false},
		{model.SFRAME_VERSION_3, 28, 16, 8, 5, 1<<16 - 1, true, true},
		{0, 28, 0, 0, 0, 0, false, false},
		{200, 28, 0, 0, 0, 0, false, false},
	} {
		i := tt.v.Info()
		assert.Equal(t, []int{tt.header, tt.fde, tt.start, tt.attr}, []int{i.HeaderSize, i.FDESize, i.StartWidth, i.AttrSize}, "%v", tt.v)
		assert.Equal(t, tt.most, i.MaxFREs, "%v", tt.v)
		assert.Equal(t, []bool{tt.stubs, tt.flex}, []bool{i.Stubs, i.Flex}, "%v", tt.v)
		assert.Equal(t, tt.header, model.HeaderSize([]byte{0xe2, 0xde, byte(tt.v), 0}), "%v", tt.v)
	}
	assert.Equal(t, 28, model.HeaderSize([]byte{0xe2}))
}

// The fields of each version follow one another without gaps.
func TestFieldsAreAdjacent(t *testing.T) {
	for _, v := range model.Versions(nil) {
		end := int64(0)
		for f := range v.Info().HeaderFields() {
			assert.Equal(t, end, f.Span().Off, "%v %v", v, f)
			end = f.Span().End()
		}
		at := map[bool]int64{}
		for f := model.FDEStart; f <= model.FDEPadding; f++ {
			l := v.Info().Field(f)
			if l.Len == 0 {
				continue
			}
			assert.Equal(t, at[l.Attr], l.Off, "%v %s", v, l.Name)
			at[l.Attr] = l.Off + l.Len
		}
	}
}

// Set and Value are each other's reverse for every field that a Header has.
func TestHeaderValues(t *testing.T) {
	var h model.Header
	for f := range model.NumHeaderFields {
		h.Set(f, uint64(f)+1)
	}
	for f := range model.NumHeaderFields {
		want := uint64(f) + 1
		if f == model.HdrMagic {
			want = model.SFRAME_MAGIC
		}
		assert.Equal(t, want, h.Value(f), "%v", f)
	}
	h.FixedRAOffset = -8
	assert.Equal(t, int64(-8), int64(h.Value(model.HdrFixedRA)))
	assert.Equal(t, uint32(model.HdrFREOff)+1, h.FREOff)
}

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

func at(start int64, size uint32, rows ...[]byte) fn { return fn{start: start, size: size, rows: rows} }

func TestFind(t *testing.T) {
	tests := []struct {
		name              string
		fns               []fn
		ordered, disjoint bool
		want              map[uint64]int // -1: none
	}{
		{"none", nil, true, true, map[uint64]int{0: -1}},
		{"gaps", []fn{at(0x10, 4), at(0x14, 4), at(0x20, 1)}, true, true,
			map[uint64]int{0xf: -1, 0x10: 0, 0x13: 0, 0x14: 1, 0x17: 1, 0x18: -1, 0x20: 2, 0x21: -1}},
		{"unsorted", []fn{at(0x20, 1), at(0x10, 4)}, false, false, map[uint64]int{0x10: 1, 0x20: 0, 0x14: -1}},
		{"nested", []fn{at(0x10, 0x20), at(0x14, 2), at(0x18, 2)}, true, false, map[uint64]int{0x14: 1, 0x16: 0, 0x18: 2, 0x1a: 0, 0x30: -1}},
		{"same start", []fn{at(0x10, 8), at(0x10, 4)}, true, false, map[uint64]int{0x10: 1, 0x14: 0}},
		{"size 0", []fn{at(0x10, 0), at(0x10, 4)}, true, false, map[uint64]int{0x10: 1}},
		{"size 0 alone", []fn{at(0x10, 0)}, true, true, map[uint64]int{0x10: -1}},
		{"nested, unsorted", []fn{at(0x14, 2), at(0x10, 0x20)}, false, false, map[uint64]int{0x14: 0, 0x16: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := craft{v: v3, abi: amd64, fixedRA: -8, fns: tt.fns}.section(t)
			assert.Equal(t, tt.ordered, s.StartsAscend())
			assert.Equal(t, tt.disjoint, s.Disjoint())
			for pc, want := range tt.want {
				f, ok := s.Find(pc)
				assert.Equal(t, want >= 0, ok, "%#x", pc)
				if ok {
					assert.Equal(t, want, f.Index(), "%#x", pc)
				}
			}
		})
	}
}

func TestFindInPlaces(t *testing.T) {
	b := craft{v: v3, abi: amd64, fixedRA: -8, fns: []fn{at(0, 4), at(0, 4), at(0, 4)}}.bytes()
	starts := []model.Start{{Addr: 0, Place: 1, OK: true}, {Addr: 0, Place: 5, OK: true}, {}}
	s, _ := reader.DecodeSection(b, reader.SectionOptions{Relocatable: true,
		Start: func(off int64, width int) model.Start { return starts[(off-28)/16] }})
	for place, want := range map[int]int{1: 0, 5: 1} {
		f, ok := s.FindIn(place, 3)
		assert.True(t, ok)
		assert.Equal(t, want, f.Index())
		assert.Equal(t, place, f.Place())
	}
	for _, place := range []int{0, 2, 6} {
		_, ok := s.FindIn(place, 0)
		assert.False(t, ok, place)
	}
	assert.False(t, s.FDE(2).Resolved())
}

func TestLookup(t *testing.T) {
	mask := at(0x100, 0x40, fre(0, sp, 8), fre(6, sp, 16))
	mask.info, mask.rep = model.InfoPCTypeBit, 16
	noRep := at(0x200, 16, fre(0, sp, 8))
	noRep.info = model.InfoPCTypeBit
	s := craft{v: v3, abi: amd64, fixedRA: -8, fns: []fn{
		at(0x10, 0x10, fre(0, sp, 8), fre(1, sp, 16), fre(4, fp, 16)),
		at(0x20, 0x10, fre(2, sp, 8)), at(0x30, 0x10), mask, noRep,
	}}.section(t)
	for pc, want := range map[uint64]int{0x0f: -1, 0x10: 0, 0x11: 1, 0x13: 1, 0x14: 2, 0x1f: 2, 0x20: -1, 0x22: 0, 0x2f: 0, 0x30: -1,
		0x100: 0, 0x105: 0, 0x106: 1, 0x10f: 1, 0x110: 0, 0x13f: 1, 0x140: -1, 0x200: -1} {
		_, r, ok := s.At(pc)
		assert.Equal(t, want >= 0, ok, "%#x", pc)
		if ok {
			assert.Equal(t, want, r.Index(), "%#x", pc)
		}
	}
}
