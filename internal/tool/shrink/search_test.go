package shrink_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func plan(t *testing.T, turn func(*generator.Config)) *generator.Plan {
	t.Helper()
	c := generator.Default()
	c.Funcs = 20
	if turn != nil {
		turn(&c)
	}
	p, err := generator.Generate(c)
	require.NoError(t, err)
	return p
}

// objects reads a file.
func objects(b []byte) (all []*reader.Object) {
	if err := reader.ScanReader("", bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		all = append(all, o)
		if o.ELF != nil {
			return o.ELF.Symbols.Load()
		}
		return nil
	}); err != nil {
		return nil
	}
	return all
}

// section returns the one section of a file without faults.
func section(b []byte) (*reader.Object, *model.Section) {
	all := objects(b)
	if len(all) != 1 || len(all[0].SFrames) != 1 || len(all[0].SFrames[0].Faults) > 0 {
		return nil, nil
	}
	return all[0], all[0].SFrames[0].Section
}

// has reports whether the section has a row with that CFA offset.
func has(s *model.Section, off int64) bool {
	if s == nil {
		return false
	}
	for i := range s.NumFDEs() {
		for r := range s.FDE(i).FREs() {
			if r.Row().CFA.Offset == off {
				return true
			}
		}
	}
	return false
}

// largest returns the largest CFA offset of a plan.
func largest(p *generator.Plan) (off int64) {
	for i := range p.Funcs {
		for j := range p.Funcs[i].Rows {
			off = max(off, p.Funcs[i].Rows[j].Rules.CFA.Offset)
		}
	}
	return off
}

func wrapped(t *testing.T, wrap func(*generator.Plan) (*generator.File, error), p *generator.Plan) []byte {
	t.Helper()
	w, err := wrap(p)
	require.NoError(t, err)
	return w.Bytes
}

// minimal minimizes a file and checks that the input is not changed.
func minimal(t *testing.T, b []byte, keep func([]byte) bool) []byte {
	t.Helper()
	require.True(t, keep(b))
	was := bytes.Clone(b)
	got := (&shrink.Search{Keep: keep}).File(b)
	assert.Equal(t, was, b)
	require.True(t, keep(got))
	return got
}

func TestRaw(t *testing.T) {
	p := plan(t, nil)
	b, err := generator.Encode(p)
	require.NoError(t, err)
	off := largest(p)
	got := minimal(t, b, func(c []byte) bool {
		_, s := section(c)
		return has(s, off)
	})
	_, s := section(got)
	assert.Equal(t, 1, s.NumFREs())
	assert.Less(t, len(got), 60)
}

// wraps are the files around a section.
var wraps = map[string]func(*generator.Plan) (*generator.File, error){
	"exec": generator.WrapExec, "shared": generator.WrapShared, "rel": generator.WrapRel,
}

// TestOnlyTheSectionMatters: only the section is left in the file.
func TestOnlyTheSectionMatters(t *testing.T) {
	for name, wrap := range wraps {
		p := plan(t, nil)
		b, off := wrapped(t, wrap, p), largest(p)
		got := minimal(t, b, func(c []byte) bool {
			o, s := section(c)
			return has(s, off) && o.ELF != nil && bytes.Contains(c, []byte("\x7fELF"))
		})
		o, s := section(got)
		assert.Equal(t, 1, s.NumFREs(), name)
		assert.Equal(t, 1, s.NumFDEs(), name)
		if o.ELF != nil {
			assert.Less(t, o.ELF.Symbols.Len(), 2, name)
		}
		assert.Less(t, len(got), len(b)/4, name)
	}
}

// TestFileMatters: the file cannot be made anew, so that the section is cut in
// place, and its relocations are removed.
func TestFileMatters(t *testing.T) {
	for name, wrap := range wraps {
		p := plan(t, nil)
		b, off := append(wrapped(t, wrap, p), "a mark"...), largest(p)
		symbols := objects(b)[0].ELF.Symbols.Len()
		keep := func(c []byte) bool {
			o, s := section(c)
			if !has(s, off) || o.ELF == nil || !bytes.HasSuffix(c, []byte("a mark")) || o.ELF.Symbols.Len() != symbols {
				return false
			}
			for i := range s.NumFDEs() {
				if !s.FDE(i).Resolved() {
					return false
				}
			}
			return len(o.SFrames[0].Relocs) == s.NumFDEs() || !o.ELF.Relocatable()
		}
		o, s := section(minimal(t, b, keep))
		assert.Equal(t, 1, s.NumFDEs(), name)
		assert.Equal(t, 1, s.NumFREs(), name)
		if o.ELF.Relocatable() {
			assert.Len(t, o.SFrames[0].Relocs, 1, name)
		}
	}
}

func TestArchive(t *testing.T) {
	p := plan(t, nil)
	off := largest(p)
	a, err := generator.WrapArchive([]generator.Member{
		{Name: "text", Bytes: []byte("text")},
		{Name: "other.o", Bytes: wrapped(t, generator.WrapRel, plan(t, func(c *generator.Config) { c.Funcs, c.Rows = 1, 1 }))},
		{Name: "this.o", Bytes: wrapped(t, generator.WrapRel, p)},
	})
	require.NoError(t, err)
	hit := func(c []byte, member bool) bool {
		for _, o := range objects(c) {
			if len(o.SFrames) == 1 && has(o.SFrames[0].Section, off) && (o.Member != "") == member {
				return true
			}
		}
		return false
	}
	got := minimal(t, a, func(c []byte) bool { return hit(c, true) })
	all := objects(got)
	require.Len(t, all, 1)
	assert.Equal(t, 1, all[0].SFrames[0].Section.NumFREs())
	assert.Less(t, len(got), len(a)/4)

	got = minimal(t, a, func(c []byte) bool { return hit(c, true) || hit(c, false) })
	assert.False(t, bytes.HasPrefix(got, []byte("!<arch>")), "the member is enough")
}

func TestOther(t *testing.T) {
	got := minimal(t, []byte("some text that crashes a program"), func(c []byte) bool { return bytes.Contains(c, []byte("crash")) })
	assert.Equal(t, "crash", string(got))
	got = minimal(t, []byte("!<arch>\nno archive, in truth: crash"), func(c []byte) bool { return bytes.Contains(c, []byte("crash")) })
	assert.Equal(t, "crash", string(got))
	assert.Equal(t, "!<thin>\n", string(minimal(t, []byte("!<thin>\n//"), func(c []byte) bool { return bytes.HasPrefix(c, []byte("!<thin>\n")) })))
}

// TestBroken minimizes files with sections that no plan describes.
func TestBroken(t *testing.T) {
	p := plan(t, func(c *generator.Config) { c.Version = 2 })
	w, err := generator.WrapExec(p)
	require.NoError(t, err)
	b := w.Bytes
	b[w.Offset+8+3] = 0x7f // far more FDEs than there are
	keep := func(c []byte) bool {
		all := objects(c)
		return len(all) == 1 && all[0].ELF != nil && len(all[0].SFrames) == 1 &&
			len(all[0].SFrames[0].Faults) > 0 && all[0].SFrames[0].Faults[0].Code == reader.FDEsBeyondEnd
	}
	assert.Less(t, len(minimal(t, b, keep)), len(b)/4)
}
