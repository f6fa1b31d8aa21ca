// Package edit changes files: it replaces bytes of them, writes new contents to files that flags name, and writes
// changes as unified diffs. Its callers decide which changes are right.
package edit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

// Edit replaces bytes of a file by the same number of bytes. The last edit of a plan may instead remove the bytes at
// the end of the file, or add bytes there. To add, Len is 0, and a hole fills the space from the end of the file to
// Off.
type Edit struct {
	Off, Len int64
	New      []byte
	Sum      [sha256.Size]byte // of the replaced bytes, zero if unknown
	Why      string            // the reason, for [Plan.Diff]
}

func (e *Edit) end() int64 { return e.Off + max(e.Len, int64(len(e.New))) }

func (e *Edit) overlaps(x *Edit) bool { return e.Off < x.end() && x.Off < e.end() }

// Sum returns the SHA-256 sum of the bytes of r, for an [Edit].
func Sum(r io.Reader) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	_, err = io.Copy(h, r)
	h.Sum(sum[:0])
	return sum, err
}

// Plan is a set of edits of one file.
type Plan struct {
	Path  string
	edits []*Edit // in order, without overlap
}

// Add adds edits if they overlap neither each other nor those of the plan, and reports whether it did. It sorts the
// slice edits.
func (p *Plan) Add(edits ...Edit) bool {
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Off, b.Off) })
	for i := range edits {
		e := &edits[i]
		next := p.from(e.Off)
		if i > 0 && edits[i-1].overlaps(e) || len(next) > 0 && next[0].overlaps(e) {
			return false
		}
	}
	for i := range edits {
		e := &edits[i]
		p.edits = slices.Insert(p.edits, len(p.edits)-len(p.from(e.Off)), e)
	}
	return true
}

// from returns the edits that end after an offset.
func (p *Plan) from(off int64) []*Edit {
	return p.edits[sort.Search(len(p.edits), func(i int) bool { return p.edits[i].end() > off }):]
}

// ErrShape is the error for an edit that is outside the file or changes the file's length other than at its end.
var ErrShape = errors.New("edit does not fit the file")

// check returns an error if the edits do not fit a file of that many bytes.
func (p *Plan) check(size int64) error {
	for i, e := range p.edits {
		n, last := int64(len(e.New)), i == len(p.edits)-1
		switch {
		case last && e.Len == 0 && n > 0 && e.Off >= size:
		case e.Off < 0 || e.Len < 0 || e.Off > size || e.Len > size-e.Off:
			return fmt.Errorf("%w: bytes 0x%x to 0x%x of 0x%x", ErrShape, e.Off, e.Off+e.Len, size)
		case n == e.Len:
		case last && n == 0 && e.Off+e.Len == size:
		default:
			return fmt.Errorf("%w: %d bytes for %d", ErrShape, n, e.Len)
		}
	}
	return nil
}

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

// Diff writes the changes of the plan in hex, one part for each edit. r reads the file without them.
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
