package properties

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// hostile checks any input: findings must be in the input, and its sections and files must have the properties that
// also hold for damaged ones. addr is the address of a raw section. With shown, which takes longer, it also dumps
// small inputs in all styles and runs the rules on consumers.
func (r *run) hostile(input []byte, addr uint64, shown bool) {
	r.input = input
	shown = shown && len(input) <= mostShown
	err := reader.ScanReader("hostile", bytes.NewReader(input), int64(len(input)), reader.Options{RawAddress: addr}, func(o *reader.Object) error {
		found := r.checked(r.driver.Run(o))
		r.stats.Findings += int64(len(found))
		for _, f := range found {
			r.inside(f, int64(len(input)))
		}
		if r.consumers != nil && shown {
			r.checked(r.consumers.Run(o))
		}
		r.query(o)
		for _, s := range o.SFrames {
			if s.Section != nil {
				r.tiled(s.Section)
				if p, err := generator.FromModel(s.Section); err == nil {
					if again, err := generator.Encode(p); err == nil && !bytes.Equal(again, s.Data) {
						r.fail("a section is written as another one")
					}
				}
			}
			if shown {
				r.dumps(o, s)
			}
		}
		return nil
	})
	if err != nil {
		r.fail("not read: %v", err)
	}
}

// mostShown bounds the inputs that are dumped, in bytes.
const mostShown = 16 << 10

// inside checks that the bytes of a finding are in the input.
func (r *run) inside(f rules.Finding, size int64) {
	if f.Span.Off < 0 || f.Span.Len < 0 || f.FileOffset < 0 || f.FileOffset > size || f.Span.Len > size-f.FileOffset {
		r.fail("%s at 0x%x, %d bytes, of %d: %s", f.Rule.ID, f.FileOffset, f.Span.Len, size, f.Message)
	}
}

// dumps checks that a section can be dumped in all styles, without control
// characters.
func (r *run) dumps(o *reader.Object, s *reader.SFrame) {
	for _, style := range []struct {
		name string
		dump func(w io.Writer, o *reader.Object, s *reader.SFrame) error
	}{
		{"objdump", dump.Objdump},
		{"full", func(w io.Writer, o *reader.Object, s *reader.SFrame) error {
			return dump.Full(w, o, s, dump.Selection{})
		}},
		{"json", func(w io.Writer, o *reader.Object, s *reader.SFrame) error {
			return dump.JSON(w, o, s, dump.Selection{})
		}},
		{"asm", dump.Assembly},
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

// damage changes the section and files around it, and checks the results as
// [Checker.Hostile] does.
func (r *run) damage() {
	b, _ := r.section()
	if b == nil {
		return
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.Section} {
		bad := change(b, 8)
		r.stats.Damaged++
		r.hostile(bad, r.p.Addr, r.m.Rand.IntN(8) == 0)
	}
	f, _, err := r.drawFile()
	if err != nil {
		return
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.File} {
		bad := change(f.Bytes, 8)
		r.stats.Damaged++
		r.hostile(bad, 0, r.m.Rand.IntN(8) == 0)
	}
	r.stats.Damaged++
	r.lint(r.m.File(r.dialect(f).bytes, 8), 0)
}
