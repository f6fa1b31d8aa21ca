package fix

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxShown bounds the bytes of an edit that are shown.
const maxShown = 1024

// WriteDiff writes what the plan changes, in hex, one block for each edit. r reads
// the file as it is.
func (p *Plan) WriteDiff(w io.Writer, r io.ReaderAt) error {
	var b bytes.Buffer
	name := escape.Printable(p.Path)
	fmt.Fprintf(&b, "--- %s\n+++ %s (fixed)\n", name, name)
	for _, e := range p.Edits {
		fmt.Fprintf(&b, "@@ 0x%x, %s%s @@\n", e.Span.Off, rules.Count(int(e.Span.Len), "byte"), p.reason(e))
		old := make([]byte, min(e.Span.Len, maxShown))
		n, err := r.ReadAt(old, e.Span.Off)
		if n < len(old) {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		hexLines(&b, '-', old, e.Span.Len)
		hexLines(&b, '+', e.New, int64(len(e.New)))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// reason names the rule and the fix that an edit belongs to.
func (p *Plan) reason(e rules.Edit) string {
	for _, f := range p.Applied {
		for _, x := range f.Fixes {
			for _, y := range editsOf(f, x) {
				if y.Span == e.Span && bytes.Equal(y.New, e.New) {
					return fmt.Sprintf(", %s: %s", f.Rule.ID, escape.Printable(x.Message))
				}
			}
		}
	}
	return ""
}

func hexLines(b *bytes.Buffer, sign byte, data []byte, n int64) {
	for line := range slices.Chunk(data[:min(len(data), maxShown)], 16) {
		fmt.Fprintf(b, "%c% x\n", sign, line)
	}
	if n > maxShown {
		fmt.Fprintf(b, "%c... and %d more\n", sign, n-maxShown)
	}
}
