package properties

import (
	"bytes"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// text checks that the section, as it is, with breaks and damaged, prints as a text that assembles to
// the same bytes.
func (r *run) text() {
	b, _ := r.section()
	if b == nil {
		return
	}
	s := reader.DecodeSFrame(b, reader.SectionOptions{Addr: r.p.Addr, NoSurvey: true})
	text := r.assembles(&reader.Object{Path: "section", Size: int64(len(b)), SFrames: []*reader.SFrame{s}}, s)
	if strings.Contains(text, ".at ") || strings.Contains(text, "info=") {
		r.fail("the text of a valid section has raw bytes:\n%s", text)
	}
	if f, err := r.file(objectFile); err == nil {
		r.texts(f.Bytes, 0)
	}
	kinds := breaks.Containers()
	if s, err := breaks.New(r.p, kinds[r.m.Rand.IntN(len(kinds))]); err == nil {
		broken, steps := breaks.Compose(s, 1+r.m.Rand.IntN(3), r.m.Rand)
		r.stats.Breaks += int64(len(steps))
		r.texts(broken.File(), s.Addr())
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.Section, r.m.Section} {
		r.texts(change(b, 8), r.p.Addr)
	}
}

// texts checks the texts of all sections of a file, which may be damaged.
func (r *run) texts(file []byte, addr uint64) {
	r.input = file
	err := reader.ScanReader("damaged", bytes.NewReader(file), int64(len(file)), reader.Options{RawAddress: addr, NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			r.stats.Damaged++
			r.assembles(o, s)
		}
		return nil
	})
	if err != nil {
		r.fail("not read: %v", err)
	}
}

// assembles checks that the text of a section assembles to the section's bytes. It returns the text.
func (r *run) assembles(o *reader.Object, s *reader.SFrame) string {
	var b bytes.Buffer
	if err := dump.Assembly(&b, o, s); err != nil {
		r.fail("no text: %v", err)
		return ""
	}
	out, err := asm.Assemble(b.Bytes(), asm.Options{})
	if err != nil {
		r.fail("the text has errors: %v\n%s", err, b.Bytes())
	} else if !bytes.Equal(out.Section, s.Data) {
		r.fail("the text assembles to %x:\n%s", out.Section, b.Bytes())
	}
	return b.String()
}
