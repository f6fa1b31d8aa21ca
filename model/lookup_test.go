package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

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
