package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
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
