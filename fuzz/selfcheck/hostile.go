package selfcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/dump"
	"github.com/sframe-lint/sframe-lint/fuzz/mutate"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Hostile checks an input that may be anything: that nothing panics, that
// findings lie in the input, and that what holds for every section and file
// holds for those in it. addr is the address of a raw section. It never
// panics.
func (c *Checker) Hostile(input []byte, addr uint64) []Failure {
	h := fnv.New64a()
	h.Write(input)
	r := &run{Checker: c, m: mutate.New(h.Sum64()), name: "hostile input"}
	r.guard(func() { r.hostile(input, addr) })
	return r.failures
}

func (r *run) hostile(input []byte, addr uint64) {
	for _, f := range r.lint(input, addr) {
		r.inside(f, int64(len(input)))
	}
	r.query(input)
	err := reader.ScanReader("hostile", bytes.NewReader(input), int64(len(input)), reader.Options{RawAddress: addr}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if s.Section != nil {
				r.tiled(s.Section)
				again, err := generator.EncodeModel(s.Section)
				if err == nil && !bytes.Equal(again, s.Data) {
					r.fail("a section is written as another one")
				}
			}
			r.dumps(o, s)
		}
		return nil
	})
	if err != nil {
		r.fail("not read: %v", err)
	}
}

// inside sees that the bytes of a finding are bytes of the input.
func (r *run) inside(f rules.Finding, size int64) {
	if f.Span.Off < 0 || f.Span.Len < 0 || f.FileOffset < 0 || f.FileOffset > size || f.Span.Len > size-f.FileOffset {
		r.fail("%s at 0x%x, %d bytes, of %d: %s", f.Rule.ID, f.FileOffset, f.Span.Len, size, f.Message)
	}
}

// dumps sees that a section can be shown in all styles, and that what is
// shown can be.
func (r *run) dumps(o *reader.Object, s *reader.SFrame) {
	for _, style := range []struct {
		name string
		dump func(w io.Writer, o *reader.Object, s *reader.SFrame) error
	}{
		{"objdump", dump.Objdump},
		{"full", func(w io.Writer, o *reader.Object, s *reader.SFrame) error { return dump.Full(w, o, s, dump.Options{}) }},
		{"json", dump.JSON},
	} {
		var b bytes.Buffer
		if err := style.dump(&b, o, s); err != nil && !errors.Is(err, dump.ErrNothing) {
			r.fail("dump in style %s: %v", style.name, err)
		}
		if style.name == "json" && !json.Valid(b.Bytes()) {
			r.fail("dump in style json is not JSON: %s", b.Bytes())
		}
		if strings.ContainsFunc(b.String(), func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f }) {
			r.fail("dump in style %s has control characters: %q", style.name, b.String())
		}
	}
}
