package fix

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxShown bounds the bytes of an edit that are shown.
const maxShown = 1024

// WriteDiff writes what the plan changes, in hex, one block for each edit. r reads
// the file without them.
func (p *Plan) WriteDiff(w io.Writer, r io.ReaderAt) error {
	name := escape.Printable(p.Path)
	if _, err := fmt.Fprintf(w, "--- %s\n+++ %s (fixed)\n", name, name); err != nil {
		return err
	}
	reasons := p.reasons()
	var b bytes.Buffer
	for _, e := range p.Edits {
		b.Reset()
		fmt.Fprintf(&b, "@@ 0x%x, %s%s @@\n", e.Span.Off, rules.Count(int(e.Span.Len), "byte"), reasons[e.Span])
		old := make([]byte, min(e.Span.Len, maxShown))
		n, err := r.ReadAt(old, e.Span.Off)
		if n < len(old) {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		hexLines(&b, '-', old, e.Span.Len)
		hexLines(&b, '+', e.New, int64(len(e.New)))
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// reasons names the rules and the fixes that edits belong to.
func (p *Plan) reasons() map[model.Span]string {
	all := map[model.Span]string{}
	for _, f := range p.Applied {
		x := f.Fixes[p.fixIndex(f)]
		for _, e := range editsOf(f, x) {
			all[e.Span] = fmt.Sprintf(", %s: %s", f.Rule.ID, escape.Printable(x.Message))
		}
	}
	return all
}

func hexLines(b *bytes.Buffer, sign byte, data []byte, n int64) {
	for line := range slices.Chunk(data[:min(len(data), maxShown)], 16) {
		fmt.Fprintf(b, "%c% x\n", sign, line)
	}
	if n > maxShown {
		fmt.Fprintf(b, "%c... and %d more\n", sign, n-maxShown)
	}
}
