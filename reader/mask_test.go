package reader

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// masks makes a section of n functions, of which isMask says which are MASK.
func masks(v model.Version, n int, isMask func(i int) bool) []byte {
	var fns []testFunc
	for i := range n {
		f := leaf(int64(16*i), 16)
		if isMask(i) {
			f.info, f.rep = model.InfoPCTypeBit, 16
		}
		fns = append(fns, f)
	}
	return craft(le, v, amd64, 0, fns...)
}

// The survey lists some thousands of MASK FDEs and walks the section for more.
// The result is the same, also where the parts of a large section meet.
func TestEachMaskYieldsAllInOrder(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, n := range []int{0, 1, 4095, 4096, 4097, 9000} {
			isMask := func(i int) bool { return i%3 == 1 && i/3 < n }
			var got, want []int
			for i := range 3 * n {
				if isMask(i) {
					want = append(want, i)
				}
			}
			DecodeSFrame(masks(v, 3*max(n, 1), isMask), SectionOptions{}).Survey().EachMask(func(f model.FDE) {
				require.Equal(t, model.SFRAME_FDE_PCTYPE_MASK, f.PCType())
				got = append(got, f.Index())
			})
			assert.Equal(t, want, got, "%v, %d of them", v, n)
		}
	}
}

// An FDE of version 3 whose attribute lies beyond the section has no PC type.
func TestEachMaskLeavesOutWhatHasNoAttribute(t *testing.T) {
	data := masks(model.SFRAME_VERSION_3, 5000, func(int) bool { return true })
	for cut, want := range map[int]int{3: 5000, 4: 4999} {
		n := 0
		DecodeSFrame(data[:len(data)-cut], SectionOptions{}).Survey().EachMask(func(model.FDE) { n++ })
		assert.Equal(t, want, n)
	}
}

// Where a caller has set the section by hand, the survey is of that one.
func TestSurveyOfASectionSetByHand(t *testing.T) {
	known := func(int64, int) model.Start { return model.Start{Addr: 64, Place: 1, OK: true} }
	for _, start := range []func(int64, int) model.Start{nil, known} {
		f := DecodeSFrame(masks(model.SFRAME_VERSION_3, 2, func(int) bool { return true }), SectionOptions{})
		opts := SectionOptions{Relocatable: true, Start: start}
		want := DecodeSFrame(masks(model.SFRAME_VERSION_3, 3, func(i int) bool { return i == 1 }), opts)
		f.Data, f.Section = want.Data, want.Section
		require.Equal(t, traits(want.Survey()), traits(f.Survey()))
		f.Survey().EachMask(func(m model.FDE) { assert.Equal(t, 1, m.Index()) })
	}
}
