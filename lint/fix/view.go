package fix

import (
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/rules"
)

// View returns a reader of a file of size bytes as the plan would leave it, and
// the number of bytes it would have.
func (p *Plan) View(r io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	if err := p.check(size); err != nil {
		return nil, 0, err
	}
	end := p.cut(size)
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

// Only returns the plan with the fixes of a rule alone.
func (p *Plan) Only(rule string) *Plan {
	return p.filter(func(id string) bool { return id == rule })
}

// Reveals returns the part of the plan whose fixes let rules check more of the file.
func (p *Plan) Reveals() *Plan {
	ids := map[string]bool{}
	for _, f := range p.Applied {
		ids[f.Rule.ID] = ids[f.Rule.ID] || f.Fixes[p.allowed(f)].Reveals
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
	q.settle()
	q.Left = append(q.Left, p.Left...)
	return q
}
