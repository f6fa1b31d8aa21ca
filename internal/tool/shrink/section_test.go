package shrink_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func decode(b []byte) *model.Section {
	s, _ := reader.DecodeSection(b, reader.SectionOptions{})
	return s
}

func generate(t *testing.T, c generator.Config) (*generator.Plan, []byte) {
	t.Helper()
	p, err := generator.Generate(c)
	require.NoError(t, err)
	b, err := generator.Encode(p)
	require.NoError(t, err)
	return p, b
}

// without returns the data without the cuts.
func without(b []byte, cuts []model.Span) []byte {
	var out []byte
	at := int64(0)
	for _, c := range cuts {
		out = append(out, b[at:c.Off]...)
		at = c.End()
	}
	return append(out, b[at:]...)
}

// reduce reduces a section and checks that every candidate is the last section
// accepted without the cuts: only fields between the first and the last one
// that was set differ.
func reduce(t *testing.T, b []byte, keep func([]byte) bool) []byte {
	t.Helper()
	require.True(t, keep(b))
	last, was := b, bytes.Clone(b)
	l := &shrink.Loop[shrink.Section]{Value: shrink.Section{Bytes: b}, Keep: func(c shrink.Section) bool {
		require.Len(t, c.Bytes, len(without(last, c.Cuts)))
		require.Less(t, len(c.Bytes), len(last))
		if !keep(c.Bytes) {
			return false
		}
		last = c.Bytes
		return true
	}}
	got := l.Run(shrink.Sections(decode, false)).Bytes
	assert.Equal(t, was, b, "the data given is not changed")
	assert.Equal(t, last, got)
	return got
}

// healthy decodes a section and reports whether it has no faults.
func healthy(b []byte) (*model.Section, bool) {
	s, faults := reader.DecodeSection(b, reader.SectionOptions{})
	return s, s != nil && len(faults) == 0
}

func configs() (all []generator.Config) {
	for _, abi := range model.ABIs() {
		for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
			if abi.InVersion(v) {
				c := generator.Default()
				c.ABI, c.Version, c.Funcs, c.Rows, c.FDEGap, c.Trailing, c.Aux = abi.ID, v, 20, 12, 8, 5, 3
				all = append(all, c)
			}
		}
	}
	return all
}

// TestOneRowIsLeft plants a fault that a certain row sets off: that row is
// left, the rest of the section is well, and the row is still where it was.
func TestOneRowIsLeft(t *testing.T) {
	for _, conf := range configs() {
		_, b := generate(t, conf)
		s := decode(b)
		want := s.FDE(7).FRE(s.FDE(7).NumFREs() - 1)
		hit := func(c []byte) bool {
			u, ok := healthy(c)
			if !ok || u.Header().NumFREs != uint32(u.NumFREs()) {
				return false
			}
			for i := range u.NumFDEs() {
				for r := range u.FDE(i).FREs() {
					if u.FDE(i).Start() == want.FDE().Start() && r.Start() == want.Start() && r.Row() == want.Row() {
						return true
					}
				}
			}
			return false
		}
		got := reduce(t, b, hit)
		u, ok := healthy(got)
		require.True(t, ok)
		assert.Equal(t, 1, u.NumFDEs())
		assert.Equal(t, 1, u.NumFREs())
		assert.Empty(t, u.Gaps())
		assert.Empty(t, u.Aux())
		assert.EqualValues(t, 1, u.Header().NumFREs)
		assert.Equal(t, u.Size(), u.FRESubsection().End())
	}
}

// TestDamagedSection reduces sections that no plan describes.
func TestDamagedSection(t *testing.T) {
	for _, conf := range configs() {
		_, b := generate(t, conf)
		b = b[:len(b)-8] // the last rows are missing, and Trailing has 5 bytes
		code := func(c []byte) (codes []reader.FaultCode) {
			_, faults := reader.DecodeSection(c, reader.SectionOptions{})
			for _, f := range faults {
				codes = append(codes, f.Code)
			}
			return codes
		}
		want := code(b)
		require.NotEmpty(t, want)
		got := reduce(t, b, func(c []byte) bool { return assert.ObjectsAreEqual(want, code(c)) })
		assert.LessOrEqual(t, decode(got).NumFDEs(), 1)
		assert.Less(t, len(got), 80)
	}
}

// TestWords leaves only the word that is asked for.
func TestWords(t *testing.T) {
	c := generator.Default()
	c.ABI, c.FP = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, 100
	_, b := generate(t, c)
	many := func(n int) func(c []byte) bool {
		return func(c []byte) bool {
			s, ok := healthy(c)
			if !ok {
				return false
			}
			for i := range s.NumFDEs() {
				for r := range s.FDE(i).FREs() {
					if r.NumWords() >= n {
						return true
					}
				}
			}
			return false
		}
	}
	s := decode(reduce(t, b, many(2)))
	require.Equal(t, 1, s.NumFREs())
	assert.Equal(t, 2, s.FDE(0).FRE(0).NumWords())
}

// TestSharedRows: rows that two functions claim stay as long as one is left.
func TestSharedRows(t *testing.T) {
	c := generator.Default()
	c.Version, c.Stubs, c.Funcs = 2, 0, 6
	_, b := generate(t, c)
	s := decode(b)
	// The second function gets the rows of the first, with its own left over.
	from, to := s.FDE(0), s.FDE(1)
	copy(b[to.FieldSpan(model.FDEStartFREOff).Off:], s.Bytes(from.FieldSpan(model.FDEStartFREOff)))
	copy(b[to.FieldSpan(model.FDENumFREs).Off:], s.Bytes(from.FieldSpan(model.FDENumFREs)))
	copy(b[to.FieldSpan(model.FDEInfo).Off:], s.Bytes(from.FieldSpan(model.FDEInfo)))
	start, rows, text := to.Start(), from.NumFREs(), s.Bytes(from.FRESpan())
	got := reduce(t, b, func(c []byte) bool {
		u, ok := healthy(c)
		if !ok {
			return false
		}
		for i := range u.NumFDEs() {
			if f := u.FDE(i); f.Start() == start && bytes.Equal(u.Bytes(f.FRESpan()), text) {
				return true
			}
		}
		return false
	})
	assert.Equal(t, 1, decode(got).NumFDEs())
	assert.Equal(t, rows, decode(got).NumFREs())
	assert.Empty(t, decode(got).Gaps(), "rows that nobody claims")
}

// TestAnything shrinks what is no section, or hardly one.
func TestAnything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		c := generator.Default()
		c.Seed, c.Funcs = int64(rnd.Uint64()), 3
		c.Version = model.Version(1 + rnd.Int64N(3))
		_, b := generate(t, c)
		for range 1 + rnd.IntN(4) {
			b[3+rnd.IntN(len(b)-3)] = byte(rnd.Uint32())
		}
		b = b[:rnd.IntN(len(b)+1)]
		reduce(t, b, func(c []byte) bool { return len(c)%3 != 1 || len(c) == len(b) })
	}
}

// TestEnded: after the end nothing is tried, and nothing is decoded again.
func TestEnded(t *testing.T) {
	c := generator.Default()
	c.Funcs = 300
	_, b := generate(t, c)
	n, decoded := 0, 0
	l := &shrink.Loop[shrink.Section]{
		Value: shrink.Section{Bytes: b},
		Keep:  func(shrink.Section) bool { n++; return false },
		Done:  func() bool { return n == 7 },
	}
	got := l.Run(shrink.Sections(func(b []byte) *model.Section { decoded++; return decode(b) }, false))
	assert.Equal(t, b, got.Bytes)
	assert.Equal(t, 7, n)
	assert.Equal(t, 1, decoded, "nothing has changed")
}

// minimize runs one reducer.
func minimize[T any](v T, keep func(T) bool, r shrink.Reducer[T]) T {
	return (&shrink.Loop[T]{Value: v, Keep: keep}).Run(r)
}

func TestBytes(t *testing.T) {
	data := []byte("a long text with NEEDLE in it, and more text at its end")
	was := bytes.Clone(data)
	keep := func(b []byte) bool { return bytes.Contains(b, []byte("NEED")) && bytes.Contains(b, []byte("t")) }
	assert.Len(t, minimize(data, keep, shrink.Bytes), 5)
	assert.Equal(t, was, data)

	got := minimize(data, keep, shrink.Zeros)
	require.Len(t, got, len(data))
	assert.Len(t, bytes.ReplaceAll(got, []byte{0}, nil), 5)

	// Bytes that must keep their offsets.
	fixed := func(b []byte) bool { return len(b) > 20 && b[17] == 'N' }
	got = minimize(data, fixed, shrink.Bytes)
	assert.Len(t, got, 21)
	assert.Equal(t, "N", string(bytes.Trim(got, "\x00")))
	assert.Empty(t, minimize(data, func([]byte) bool { return true }, shrink.Bytes))
}

// TestBytesLarge bounds the number of candidates.
func TestBytesLarge(t *testing.T) {
	n := 0
	minimize(bytes.Repeat([]byte{1}, 1<<16), func(c []byte) bool { n++; return false }, shrink.Bytes)
	assert.Less(t, n, 40000)
}
