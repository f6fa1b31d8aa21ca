package shrinking_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/shrinking"
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

// shrink shrinks a section and sees that every candidate is what its cuts
// say: the bytes in front of the first and behind the last field that was
// set are those of the last one.
func shrink(t *testing.T, b []byte, keep func([]byte) bool) []byte {
	t.Helper()
	require.True(t, keep(b))
	last := b
	c := shrinking.Section{Decode: decode, Try: func(c []byte, cuts []model.Span) bool {
		rest := without(last, cuts)
		require.Len(t, c, len(rest))
		require.Less(t, len(c), len(last))
		if !keep(c) {
			return false
		}
		last = c
		return true
	}}
	was := bytes.Clone(b)
	got := c.Shrink(b)
	assert.Equal(t, was, b, "the data given are left alone")
	assert.Equal(t, last, got)
	return got
}

// healthy tells whether a section can be read to its end and what it holds.
func healthy(b []byte) (*model.Section, bool) {
	s, faults := reader.DecodeSection(b, reader.SectionOptions{})
	return s, s != nil && len(faults) == 0
}

func configs() (all []generator.Config) {
	for _, abi := range model.ABIs() {
		for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
			if abi.InVersion(v) {
				c := generator.Default()
				c.ABI, c.Version, c.Funcs, c.Rows, c.FDEGap, c.Trailing, c.Aux = int64(abi.ID), int64(v), 20, 12, 8, 5, 3
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
		got := shrink(t, b, hit)
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

// TestDamagedSection shrinks sections that can't be described by a plan.
func TestDamagedSection(t *testing.T) {
	for _, conf := range configs() {
		_, b := generate(t, conf)
		b = b[:len(b)-8] // the rows behind are missing, and Trailing has 5 bytes
		code := func(c []byte) (codes []reader.FaultCode) {
			_, faults := reader.DecodeSection(c, reader.SectionOptions{})
			for _, f := range faults {
				codes = append(codes, f.Code)
			}
			return codes
		}
		want := code(b)
		require.NotEmpty(t, want)
		got := shrink(t, b, func(c []byte) bool { return assert.ObjectsAreEqual(want, code(c)) })
		assert.LessOrEqual(t, decode(got).NumFDEs(), 1)
		assert.Less(t, len(got), 80)
	}
}

// TestWords leaves only the word that is asked for.
func TestWords(t *testing.T) {
	c := generator.Default()
	c.ABI, c.FP = int64(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE), 100
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
	s := decode(shrink(t, b, many(2)))
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
	got := shrink(t, b, func(c []byte) bool {
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
		c.Version = 1 + rnd.Int64N(3)
		_, b := generate(t, c)
		for range 1 + rnd.IntN(4) {
			b[3+rnd.IntN(len(b)-3)] = byte(rnd.Uint32())
		}
		b = b[:rnd.IntN(len(b)+1)]
		shrink(t, b, func(c []byte) bool { return len(c)%3 != 1 || len(c) == len(b) })
	}
}

// TestEnded: after the end nothing is tried any more, nor is it after the end
// of the data.
func TestEnded(t *testing.T) {
	c := generator.Default()
	c.Funcs = 300
	_, b := generate(t, c)
	n, decoded := 0, 0
	sh := shrinking.Section{
		Decode: func(b []byte) *model.Section { decoded++; return decode(b) },
		Try:    func([]byte, []model.Span) bool { n++; return false },
		Ended:  func() bool { return n == 7 },
	}
	assert.Equal(t, b, sh.Shrink(b))
	assert.Equal(t, 7, n)
	assert.Equal(t, 1, decoded, "nothing has changed")
}

func TestPlan(t *testing.T) {
	c := generator.Default()
	c.Funcs = 30
	_, b := generate(t, c)
	p, err := generator.FromModel(decode(b))
	require.NoError(t, err)
	q, ok := shrinking.Plan(p, func(p *generator.Plan) bool { return len(p.Funcs) >= 3 })
	assert.True(t, ok)
	assert.Len(t, q.Funcs, 3)
	n := 0
	_, ok = shrinking.Plan(p, func(p *generator.Plan) bool { n++; return p.Layout != nil })
	assert.False(t, ok, "the layout matters")
	assert.Equal(t, 1, n, "nothing else is tried")
}

func TestBytes(t *testing.T) {
	data := []byte("a long text with NEEDLE in it, and more text behind")
	keep := func(b []byte) bool { return bytes.Contains(b, []byte("NEED")) && bytes.Contains(b, []byte("t")) }
	assert.Len(t, shrinking.Bytes(data, keep), 5)
	assert.Equal(t, "a long text with NEEDLE in it, and more text behind", string(data))

	got := shrinking.Zero(data, keep)
	require.Len(t, got, len(data))
	assert.Len(t, bytes.Trim(bytes.ReplaceAll(got, []byte{0}, nil), "\x00"), 5)

	// Bytes that must stay where they are.
	fixed := func(b []byte) bool { return len(b) > 20 && b[17] == 'N' }
	got = shrinking.Bytes(data, fixed)
	assert.Len(t, got, 21)
	assert.Equal(t, "N", string(bytes.Trim(got, "\x00")))
	assert.Empty(t, shrinking.Bytes(data, func([]byte) bool { return true }))
}

// TestBytesLarge: no more runs are tried than is bearable.
func TestBytesLarge(t *testing.T) {
	data := bytes.Repeat([]byte{1}, 1<<16)
	n := 0
	shrinking.Bytes(data, func(c []byte) bool { n++; return false })
	assert.Less(t, n, 40000)
}
