package reports

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Patch writes a unified diff of assembly sources with the call frame directives that the machine code proves. It
// contains the directives whose source lines are known. Comments before the diff list the others.
type Patch struct {
	Meter
	w        *bufio.Writer
	open     func(path string) io.ReadCloser
	verify   Verify
	files    map[string][]*Repair
	unplaced int
}

// Repair contains the directives that correct a function.
type Repair struct {
	Function string
	abi      model.ABIInfo
	edits    []proof.Placed
	why      string // it is not in the patch
}

// Verify assembles a source with repairs. For each repair it returns why the patch must omit it, or "" to keep it.
// text returns the source with the given repairs.
type Verify func(path string, all []*Repair, text func(some []*Repair) []byte) ([]string, error)

// NewPatch returns a renderer that writes a patch. open opens a source by its path in a finding, and returns nil if
// the source does not exist. verify may be nil.
func NewPatch(w io.Writer, open func(path string) io.ReadCloser, verify Verify) *Patch {
	return &Patch{w: bufio.NewWriter(w), open: open, verify: verify, files: map[string][]*Repair{}}
}

// File keeps the directives of the findings of a file.
func (p *Patch) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for j := range o.Findings {
			p.finding(o, &o.Findings[j])
		}
	}
	problems(f, p.comment)
	return p.w.Flush()
}

// comment writes a line that programs that apply patches skip. The text is escaped.
func (p *Patch) comment(name, text string) {
	if line := "# " + name + ": " + text + "\n"; p.Other(len(line)) {
		p.w.WriteString(line) // an error is that of the next Flush
	}
}

func (p *Patch) finding(o *lint.Object, f *rules.Finding) {
	all := f.Directives()
	if len(all) == 0 {
		return
	}
	r := &Repair{Function: f.Function}
	for _, a := range model.ABIs() {
		if a.Name == o.Input.ABI {
			r.abi = a
		}
	}
	for _, d := range all {
		if d.After == 0 || f.Source == nil {
			p.unplaced++
			return
		}
		r.edits = append(r.edits, proof.Placed{After: d.After, Text: d.Text})
	}
	same := func(x *Repair) bool { return slices.Equal(x.edits, r.edits) }
	if path := f.Source.Path; !slices.ContainsFunc(p.files[path], same) && p.Finding(len(path)+64*len(r.edits)) {
		p.files[path] = append(p.files[path], r)
	}
}

// Close writes the patch.
func (p *Patch) Close(s lint.Summary) error {
	if text := Nothing(&s); text != "" {
		fmt.Fprintf(p.w, "# %s\n", text)
	}
	if p.unplaced > 0 {
		fmt.Fprintf(p.w, "# left out: %s without a line in an assembly source (-g adds lines)\n", rules.Count(p.unplaced, "finding"))
	}
	for _, path := range slices.Sorted(maps.Keys(p.files)) {
		if err := p.file(path, p.files[path]); err != nil {
			p.comment(escape.Name(path), escape.Message(err.Error())+": left out")
		}
	}
	return p.Done(p.w.Flush())
}

// file writes the patch of a source.
func (p *Patch) file(path string, all []*Repair) error {
	var f io.ReadCloser
	if filepath.IsLocal(path) {
		f = p.open(path)
	}
	if f == nil {
		return errors.New("the source is not below --source-root")
	}
	defer f.Close()
	original, err := proof.ReadSource(f)
	if err != nil {
		return err
	}
	with := func(some []*Repair) proof.Source {
		s := original.Clone()
		for _, r := range some {
			if err := s.Apply(&r.abi, r.edits); err != nil {
				r.why = err.Error()
			}
		}
		return s
	}
	with(all) // finds those that cannot be applied
	good := func() []*Repair {
		return slices.DeleteFunc(slices.Clone(all), func(r *Repair) bool { return r.why != "" })
	}
	if p.verify != nil {
		some := good()
		why, err := p.verify(path, some, func(some []*Repair) []byte { return with(some).Bytes() })
		if err != nil {
			return err
		}
		for i, r := range some {
			r.why = why[i]
		}
	}
	for _, r := range all {
		if r.why != "" {
			p.comment(escape.Name(path), "function "+escape.Name(r.Function)+": "+escape.Message(r.why)+": left out")
		}
	}
	_, err = p.w.WriteString(with(good()).Diff(path))
	return err
}
