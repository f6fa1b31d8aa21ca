// Package fix applies the repairs that findings carry: byte-exact edits of
// the files they were found in.
package fix

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/rules"
)

// Edit replaces bytes of a file. Removed bytes end the file.
type Edit struct {
	Off int64
	Old int64 // bytes replaced
	New []byte
}

// Plan is what is to be done to one file.
type Plan struct {
	Path    string
	Edits   []Edit // by offset, without overlap
	Applied []rules.Finding
	// Left are findings whose fix was not taken: it is unsafe and was not
	// allowed, or touches bytes that another fix has changed.
	Left []rules.Finding
}

// Choose picks, of all findings in a file, the fixes that can be applied
// together.
func Choose(path string, findings []rules.Finding, unsafe bool) *Plan {
	p := &Plan{Path: path}
	for _, f := range findings {
		if len(f.Fixes) == 0 {
			continue
		}
		x := f.Fixes[0]
		edits := editsOf(f, x)
		if p.has(edits) && (x.Safe || unsafe) {
			p.Applied = append(p.Applied, f) // one repair mends several findings
			continue
		}
		if !x.Safe && !unsafe || !p.fits(edits) {
			p.Left = append(p.Left, f)
			continue
		}
		p.Edits = append(p.Edits, edits...)
		p.Applied = append(p.Applied, f)
	}
	slices.SortFunc(p.Edits, func(a, b Edit) int { return cmp.Compare(a.Off, b.Off) })
	return p
}

// editsOf moves a fix's edits from the object to the file.
func editsOf(f rules.Finding, x rules.Fix) []Edit {
	var out []Edit
	for _, e := range x.Edits {
		out = append(out, Edit{f.Base + e.Span.Off, e.Span.Len, e.New})
	}
	return out
}

// has tells whether the plan makes just these edits already.
func (p *Plan) has(edits []Edit) bool {
	for _, e := range edits {
		if !slices.ContainsFunc(p.Edits, func(q Edit) bool {
			return q.Off == e.Off && q.Old == e.Old && bytes.Equal(q.New, e.New)
		}) {
			return false
		}
	}
	return true
}

// fits tells whether edits leave alone what the plan already changes.
func (p *Plan) fits(edits []Edit) bool {
	for _, e := range edits {
		for _, q := range p.Edits {
			if e.Off < q.Off+q.Old && q.Off < e.Off+e.Old {
				return false
			}
		}
	}
	return true
}

// ErrShape is returned for an edit that is not in the file or changes its
// length elsewhere than at its end.
var ErrShape = errors.New("edit does not fit the file")

// Bytes returns the file's bytes as the plan leaves them.
func (p *Plan) Bytes(data []byte) ([]byte, error) {
	out := bytes.Clone(data)
	for i := len(p.Edits) - 1; i >= 0; i-- {
		e := p.Edits[i]
		end := e.Off + e.Old
		switch {
		case e.Off < 0 || end > int64(len(data)):
			return nil, fmt.Errorf("%s: %w: [0x%x,0x%x)", p.Path, ErrShape, e.Off, end)
		case int64(len(e.New)) == e.Old:
			copy(out[e.Off:], e.New)
		case len(e.New) == 0 && end == int64(len(data)):
			out = out[:e.Off]
		default:
			return nil, fmt.Errorf("%s: %w: %d bytes for %d", p.Path, ErrShape, len(e.New), e.Old)
		}
	}
	return out, nil
}

// Apply writes the plan to the file: into a temporary file beside it, which
// then takes its name, so that no reader sees half of it. Permissions stay.
func (p *Plan) Apply() error {
	info, err := os.Stat(p.Path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(p.Path)
	if err != nil {
		return err
	}
	fixed, err := p.Bytes(data)
	if err != nil {
		return err
	}
	// A symbolic link stays one: what it leads to is replaced.
	target, err := filepath.EvalSymlinks(p.Path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".fix-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // of no effect once it is renamed
	_, err = tmp.Write(fixed)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Sync(), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), target)
}

// WriteDiff shows what the plan changes, in hex, an edit a block.
func (p *Plan) WriteDiff(w io.Writer, data []byte) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "--- %s\n+++ %s (fixed)\n", p.Path, p.Path)
	for _, e := range p.Edits {
		fmt.Fprintf(&b, "@@ 0x%x +%d @@\n", e.Off, e.Old)
		old := data[min(e.Off, int64(len(data))):min(e.Off+e.Old, int64(len(data)))]
		hexLines(&b, '-', old)
		hexLines(&b, '+', e.New)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func hexLines(b *bytes.Buffer, sign byte, data []byte) {
	for line := range slices.Chunk(data, 16) {
		fmt.Fprintf(b, "%c% x\n", sign, line)
	}
}
