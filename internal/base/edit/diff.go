package edit

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

// part is a part of a unified diff.
type part struct {
	lines    bytes.Buffer
	old, new int // how many lines of the file it has
}

// add adds a line. One without an end is the last one of its file.
func (p *part) add(sign byte, line string) {
	p.lines.WriteByte(sign)
	p.lines.WriteString(line)
	if !strings.HasSuffix(line, "\n") {
		p.lines.WriteString("\n\\ No newline at end of file\n")
	}
	if sign != '+' {
		p.old++
	}
	if sign != '-' {
		p.new++
	}
}

// write writes the part, with its place.
func (p *part) write(w io.Writer, place string) error {
	_, err := fmt.Fprintf(w, "@@ %s @@\n%s", place, &p.lines)
	return err
}

// maxShown bounds the bytes of an edit that are shown.
const maxShown = 1024

// Diff writes what the plan changes, in hex, one part for each edit. r reads the file without them.
func (p *Plan) Diff(w io.Writer, r io.ReaderAt) error {
	name := escape.Printable(p.Path)
	if _, err := fmt.Fprintf(w, "--- %s\n+++ %s (fixed)\n", name, name); err != nil {
		return err
	}
	for _, e := range p.edits {
		old := make([]byte, min(e.Len, maxShown))
		if n, err := r.ReadAt(old, e.Off); n < len(old) {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		var x part
		x.hex('-', old, e.Len)
		x.hex('+', e.New, int64(len(e.New)))
		if err := x.write(w, fmt.Sprintf("0x%x, %s", e.Off, e.Why)); err != nil {
			return err
		}
	}
	return nil
}

// hex adds lines of the first ones of n bytes.
func (p *part) hex(sign byte, data []byte, n int64) {
	for line := range slices.Chunk(data[:min(len(data), maxShown)], 16) {
		p.add(sign, fmt.Sprintf("% x\n", line))
	}
	if n > maxShown {
		p.add(sign, fmt.Sprintf("... and %d more\n", n-maxShown))
	}
}
