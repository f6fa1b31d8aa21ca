// Package fix applies the fixes of findings: byte-exact edits of files.
package fix

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Plan is a set of edits of one file.
type Plan struct {
	Path    string
	Edits   []rules.Edit // with offsets in the file, in order and without overlap
	Applied []*rules.Finding
	// Left are the findings whose fix is not part of the plan: it is unsafe and
	// unsafe fixes are not allowed, or it changes the same bytes as another fix.
	Left []*rules.Finding
	// Append are bytes that are added at the end of the file, after Gap bytes, which are a hole.
	Append []byte
	Gap    int64

	fresh  []rules.Edit // those that were added last, as Edits
	unsafe bool         // unsafe fixes are allowed
}

// Choose returns a plan with the fixes of findings in a file that can be applied
// together. It uses the first allowed fix of each finding.
func Choose(path string, findings []rules.Finding, unsafe bool) *Plan {
	p := &Plan{Path: path, unsafe: unsafe}
	for i := range findings {
		if len(findings[i].Fixes) > 0 {
			p.take(&findings[i])
		}
	}
	p.merge()
	return p
}

// take adds a finding's fix to the plan, or the finding to those that are left.
func (p *Plan) take(f *rules.Finding) {
	i := p.fixIndex(f)
	if i < 0 || !p.add(editsOf(f, f.Fixes[i])) {
		p.Left = append(p.Left, f)
		return
	}
	p.Applied = append(p.Applied, f)
}

// fixIndex returns the index of the fix that is used, -1 for none.
func (p *Plan) fixIndex(f *rules.Finding) int {
	return slices.IndexFunc(f.Fixes, func(x rules.Fix) bool { return x.Safe || p.unsafe })
}

// editsOf moves a fix's edits from the object to the file.
func editsOf(f *rules.Finding, x rules.Fix) []rules.Edit {
	out := slices.Clone(x.Edits)
	for i := range out {
		out[i].Span.Off += f.Base
	}
	return out
}

// add adds edits unless they overlap each other or edits of the plan.
func (p *Plan) add(edits []rules.Edit) bool {
	slices.SortFunc(edits, byOffset)
	for i, e := range edits {
		if i > 0 && edits[i-1].Span.End() > e.Span.Off || overlaps(p.Edits, e) || overlaps(p.fresh, e) {
			return false
		}
	}
	for _, e := range edits {
		k, _ := slices.BinarySearchFunc(p.fresh, e, byOffset)
		p.fresh = slices.Insert(p.fresh, k, e)
	}
	if len(p.fresh) > maxFresh {
		p.merge()
	}
	return true
}

// maxFresh bounds what an insertion moves.
const maxFresh = 2048

// merge joins the edits that were added last with the others.
func (p *Plan) merge() {
	if len(p.fresh) > 0 {
		p.Edits = append(p.Edits, p.fresh...)
		slices.SortFunc(p.Edits, byOffset)
		p.fresh = nil
	}
}

// overlaps reports whether an edit overlaps one of others, which are in order.
func overlaps(others []rules.Edit, e rules.Edit) bool {
	k, _ := slices.BinarySearchFunc(others, e, byOffset)
	return k > 0 && others[k-1].Span.End() > e.Span.Off || k < len(others) && others[k].Span.Off < e.Span.End()
}

// Sort sorts the edits of a plan after some were added.
func (p *Plan) Sort() { slices.SortFunc(p.Edits, byOffset) }

func byOffset(a, b rules.Edit) int { return cmp.Compare(a.Span.Off, b.Span.Off) }

// ErrShape is the error for an edit that is outside the file or changes the
// file's length other than at its end.
var ErrShape = errors.New("edit does not fit the file")

// check returns an error if the edits do not fit a file of that many bytes.
func (p *Plan) check(size int64) error {
	for _, e := range p.Edits {
		switch {
		case e.Span.Off < 0 || e.Span.Len < 0 || e.Span.Off > size || e.Span.Len > size-e.Span.Off:
			return fmt.Errorf("%w: bytes 0x%x to 0x%x of 0x%x", ErrShape, e.Span.Off, e.Span.End(), size)
		case int64(len(e.New)) == e.Span.Len:
		case len(e.New) == 0 && e.Span.End() == size:
		default:
			return fmt.Errorf("%w: %d bytes for %d", ErrShape, len(e.New), e.Span.Len)
		}
	}
	return nil
}

// endAfter returns where the file ends when the plan has been applied.
func (p *Plan) endAfter(size int64) int64 {
	if n := len(p.Edits); n > 0 && len(p.Edits[n-1].New) == 0 {
		return p.Edits[n-1].Span.Off
	}
	return size
}

// View returns a reader of a file of size bytes with the plan's changes, and
// its size with them.
func (p *Plan) View(r io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	if err := p.check(size); err != nil {
		return nil, 0, err
	}
	end := p.endAfter(size)
	return &view{io.NewSectionReader(r, 0, end), r, p.Edits}, end, nil
}

type view struct {
	r     io.ReaderAt
	file  io.ReaderAt // without the end of the view
	edits []rules.Edit
}

func (v *view) ReadAt(b []byte, off int64) (int, error) {
	n, err := v.r.ReadAt(b, off)
	first, _ := slices.BinarySearchFunc(v.edits, off, func(e rules.Edit, off int64) int {
		if e.Span.End() <= off {
			return -1
		}
		return 1
	})
	for _, e := range v.edits[first:] {
		if e.Span.Off >= off+int64(n) {
			break
		}
		from, to := max(e.Span.Off, off), min(e.Span.Off+int64(len(e.New)), off+int64(n))
		if from < to {
			copy(b[from-off:to-off], e.New[from-e.Span.Off:])
		}
	}
	return n, err
}

// Data returns how many of n bytes from an offset on are not in a hole of the file: a plan
// fills none.
func (v *view) Data(off, n int64) int64 { return regular.Data(v.file, off, n) }

// Without returns the plan without the fixes of a rule.
func (p *Plan) Without(rule string) *Plan {
	return p.filter(func(id string) bool { return id != rule })
}

// Only returns the plan with only the fixes of a rule.
func (p *Plan) Only(rule string) *Plan {
	return p.filter(func(id string) bool { return id == rule })
}

// Reveals returns the part of the plan whose fixes let rules check more of the file.
func (p *Plan) Reveals() *Plan {
	ids := map[string]bool{}
	for _, f := range p.Applied {
		ids[f.Rule.ID] = ids[f.Rule.ID] || f.Fixes[p.fixIndex(f)].Reveals
	}
	return p.filter(func(id string) bool { return ids[id] })
}

func (p *Plan) filter(keep func(rule string) bool) *Plan {
	q := &Plan{Path: p.Path, unsafe: p.unsafe}
	for _, f := range p.Applied {
		if keep(f.Rule.ID) {
			q.take(f)
		} else {
			q.Left = append(q.Left, f)
		}
	}
	q.merge()
	q.Left = append(q.Left, p.Left...)
	return q
}
