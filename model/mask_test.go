package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// The MASK FDEs of a section are listed up to some thousands and looked for
// beyond that; nobody may see the difference, or where parts of a large
// section were joined.
func TestEachMaskYieldsAllInOrder(t *testing.T) {
	for _, v := range []model.Version{v1, v2, v3} {
		for _, masks := range []int{0, 1, 4095, 4096, 4097, 9000} {
			c := craft{v: v, abi: amd64, fixedRA: -8}
			var want []int
			for i := range 3 * max(masks, 1) {
				f := at(int64(16*i), 16, fre(0, sp, 8))
				if i%3 == 1 && len(want) < masks {
					f.info, f.rep = model.InfoPCTypeBit, 16
					want = append(want, i)
				}
				c.fns = append(c.fns, f)
			}
			var got []int
			c.section(t).EachMask(func(f model.FDE) {
				require.Equal(t, model.SFRAME_FDE_PCTYPE_MASK, f.PCType())
				got = append(got, f.Index())
			})
			assert.Equal(t, want, got, "%v, %d of them", v, masks)
		}
	}
}

// An FDE of version 3 whose attribute lies beyond the section has no PC type.
func TestEachMaskLeavesOutWhatHasNoAttribute(t *testing.T) {
	c := craft{v: v3, abi: amd64, fixedRA: -8}
	for i := range 5000 {
		f := at(int64(16*i), 16, fre(0, sp, 8))
		f.info, f.rep = model.InfoPCTypeBit, 16
		c.fns = append(c.fns, f)
	}
	data := c.bytes()
	s, _ := reader.DecodeSection(data[:len(data)-3], reader.SectionOptions{})
	n := 0
	s.EachMask(func(f model.FDE) { n++ })
	assert.Equal(t, 5000, n)
	s, _ = reader.DecodeSection(data[:len(data)-4], reader.SectionOptions{})
	n = 0
	s.EachMask(func(f model.FDE) { n++ })
	assert.Equal(t, 4999, n)
}
