package lintcmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// rewriteFlags are the flags of the command.
type rewriteFlags struct {
	output  string
	inPlace bool
	section string // the file for the section
	dry     bool
	to      toVersion
}

var rewriteCommand = command{
	name: "rewrite", args: "PATH...", files: true, formats: []string{"text", "json"},
	short: "Merge, convert and compact SFrame sections",
	long: `Writes SFrame sections in as few bytes as possible, as the rules SF7 advise. It omits
FDEs of functions without code, FDEs that repeat another one, and FREs that repeat the
previous one. It sorts FDEs and joins those of neighbouring stubs. Start offsets and
data words get the smallest sufficient width. In a linked file of version 3, FDEs with
the same attribute and FREs share them. Readers of that version support this, but
libsframe rejects such files of the other byte order, as does objdump on AMD64 for
s390x.

Sections that a linker has concatenated, as lld and gold do, are merged into one. The
section header and PT_GNU_SFRAME are adjusted. A linked file without that segment gets
it if there is room. Sections that differ in version, ABI or fixed offsets can't be
merged.

With --to, it writes another version of the format, which must be able to express the
section. It compacts the section only if it does not fit otherwise. In version 3, the
FDE of a function is one byte larger than in version 2.

In a linked file, the new section must fit in the place of the old one and the zeros
after it. If it does not fit, the file stays unchanged; use --section-out to write the
section to another file, for the same address. In a relocatable file, the section moves
to the end of the file, and its relocations change. A file is replaced only after the
new file is complete, and after the new section was read back and describes every
function in the same way.`,
	status: [3]string{"nothing had to change, or all changes were written", "--dry-run: a section would change", "a file could not be read or changed"},
	example: `  sframe-lint rewrite --dry-run build/*.so
  sframe-lint rewrite --in-place a.out
  sframe-lint rewrite --to 3 --output new.o old.o
  sframe-lint rewrite --to 3 --section-out new.sframe a.out`,
	start: func(a *app, c *cobra.Command) action {
		var f rewriteFlags
		outputFlag(c, &f.output, "write the changed file to `FILE` and leave the input as it is")
		c.Flags().BoolVar(&f.inPlace, "in-place", false, "change the files")
		c.Flags().BoolVarP(&f.dry, "dry-run", "n", false, "change nothing, and show what would change")
		sectionOutFlag(c, &f.section, "write only the new section to `FILE` and leave the input as it is")
		f.to.flag(c, 2, 3)
		return func(paths []string) error {
			if err := f.check(paths); err != nil {
				return err
			}
			return a.rewrite(&f, paths)
		}
	},
}

// targets counts where the new sections go.
func (f *rewriteFlags) targets() (n int) {
	for _, given := range []bool{f.output != "", f.section != "", f.inPlace, f.dry} {
		if given {
			n++
		}
	}
	return n
}

func (f *rewriteFlags) check(paths []string) error {
	switch {
	case slices.Contains(paths, "-"):
		return errors.New("standard input can't be changed: name a file")
	case f.targets() == 0:
		return errors.New("say where the result goes: --output FILE, --in-place, --section-out FILE, or --dry-run")
	case f.targets() > 1 && !f.dry:
		return errors.New("expected one of --output, --in-place and --section-out")
	case (f.output != "" || f.section != "") && (len(paths) > 1 || isDir(paths[0])):
		return errors.New("--output and --section-out allow a single file")
	case f.output != "":
		// An object file may be replaced by another one.
		return program.Guard("--output", f.output, paths, program.Head(paths[0]))
	}
	return guardSection(f.section, paths)
}

// rewriter writes the sections of a file.
type rewriter struct {
	*app
	*rewriteFlags
	opts     rewrite.Changes
	sections []rewriteSection
	plans    []*edit.Plan // by file
	section  []byte       // for --section-out
	failed   bool

	held, largest, spent int64 // see hold
}

func (a *app) rewrite(f *rewriteFlags, paths []string) error {
	report := rewriteReport{Schema: "sframe-lint/rewrite/1", Sections: []rewriteSection{}}
	changed, read := false, 0
	a.each(paths, func(part *app, p lint.Path) func() {
		r := &rewriter{app: part, rewriteFlags: f, opts: rewrite.Changes{Version: f.to.version, Narrow: f.to.version == 0}}
		inputs, err := r.file(p)
		if err != nil {
			part.fail("%s", reason(err))
		}
		return func() {
			read += inputs
			report.Sections = append(report.Sections, r.sections...)
			changed = changed || slices.ContainsFunc(r.sections, func(s rewriteSection) bool { return s.Changed })
		}
	})
	if read == 0 && a.status != program.ExitFailed {
		a.nothingRead()
	}
	if to := f.output + f.section; to != "" && edit.IsStdout(to) {
		a.stdout = a.stderr // standard output has the file
	}
	a.failIfUnmet(f.dry && changed)
	return a.report(report, forms{"text": report.text})
}

// file writes the sections of a file, and returns how many inputs it has. Its errors name the file.
func (r *rewriter) file(p lint.Path) (inputs int, err error) {
	err = r.scan(p, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		r.unread(o)
		if in := lint.InputOf(o); in.CanHaveSFrame() {
			inputs++
		}
		switch {
		case !p.Named || o.Member != "":
		case o.Status == reader.StatusNotELF:
			r.failed, r.status = true, program.ExitFailed
			r.reportOutcome(o)
		case len(o.SFrames) == 0 && o.Status != reader.StatusDamaged:
			r.reportOutcome(o)
		}
		return r.object(o)
	})
	switch {
	case err != nil, r.failed:
		r.sections = nil // a file is changed whole or not at all
	case !r.dry:
		if err = r.apply(p.Name); err != nil {
			r.sections, err = nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return inputs, err
}

// apply changes the files.
func (r *rewriter) apply(path string) error {
	if r.rewriteFlags.section != "" {
		if r.section == nil {
			return errors.New("no SFrame section to write")
		}
		return edit.Write(r.rewriteFlags.section, r.section)
	}
	if r.output != "" && len(r.plans) == 0 {
		r.plans = []*edit.Plan{{Path: path}} // a copy
	}
	for _, p := range r.plans {
		if err := p.Apply(r.ctx, cmp.Or(r.output, p.Path)); err != nil {
			return err
		}
	}
	return nil
}

// object writes the sections of an object.
func (r *rewriter) object(o *reader.Object) error {
	for _, sf := range o.SFrames {
		if len(sf.Data) == 0 {
			continue
		}
		c, err := r.change(o, sf)
		var over *budget.Exceeded
		if errors.As(err, &over) {
			return err // it ends the file, and is reported there
		}
		if err != nil {
			r.failed, r.status = true, program.ExitFailed
			r.printLine("%s: %s: not changed: %s", nameOf(o), sectionName(sf), reason(err))
			continue
		}
		if r.rewriteFlags.section != "" {
			if r.section != nil {
				return errors.New("--section-out: there is more than one section")
			}
			r.section = c.Data
		}
		s := sectionReport(o, sf, c)
		if s.Changed = r.changes(sf, c); s.Changed && r.rewriteFlags.section == "" {
			if err := r.add(o, c); err != nil {
				return err
			}
		}
		r.sections = append(r.sections, s)
	}
	return nil
}

// changes reports whether a section is to be changed.
func (r *rewriter) changes(sf *reader.SFrame, c *rewrite.Change) bool {
	switch {
	case r.opts.Narrow:
		return string(c.Data) != string(sf.Data)
	}
	return c.Result.Sections > 1 || sf.Section.Version() != r.opts.Version
}

// change returns what a section becomes. If it does not fit, or leaves no room for a
// segment, it is written in as few bytes as possible.
func (r *rewriter) change(o *reader.Object, sf *reader.SFrame) (*rewrite.Change, error) {
	if err := o.Step(int64(len(sf.Data))); err != nil {
		return nil, err
	}
	if sf.Section == nil {
		return nil, errors.New("its header can't be decoded")
	}
	c, err := rewrite.Section(o, sf, r.opts)
	var larger *rewrite.ErrLarger
	if r.opts.Narrow || err != nil && !errors.As(err, &larger) || err == nil && !c.NoRoom {
		return c, err
	}
	narrow := r.opts
	narrow.Narrow = true
	if err != nil && r.rewriteFlags.section == "" {
		c = nil // it is not needed, and as large as the other one
	}
	d, derr := rewrite.Section(o, sf, narrow)
	switch {
	case derr == nil && (err != nil || d.Segment):
		return d, nil
	case err != nil && r.rewriteFlags.section != "":
		return c, nil // a section without a file has no place
	case err != nil:
		return nil, fmt.Errorf("%w: link the program again, or write the section to a file of its own with --section-out", err)
	}
	return c, err
}

// add adds the edits of a section to the plan of its file.
func (r *rewriter) add(o *reader.Object, c *rewrite.Change) error {
	if err := r.hold(o, c); err != nil {
		return err
	}
	in := lint.InputOf(o)
	i := slices.IndexFunc(r.plans, func(p *edit.Plan) bool { return p.Path == in.Place() })
	if i < 0 {
		i = len(r.plans)
		r.plans = append(r.plans, &edit.Plan{Path: in.Place()})
	}
	if r.output != "" && len(r.plans) > 1 {
		return errors.New("--output: the members of a thin archive are files of their own")
	}
	edits := c.Edits
	if r.dry { // only the end of the file is held
		edits = slices.DeleteFunc(edits, func(e edit.Edit) bool { return e.Len > 0 })
	}
	return addEdits(r.plans[i], o, edits)
}

// errOverlap is the error for changes of the same bytes: of two sections that move to the end of their file.
var errOverlap = errors.New("a file with two sections that grow")

// addEdits adds the edits of an object to the plan of its file.
func addEdits(p *edit.Plan, o *reader.Object, edits []edit.Edit) (err error) {
	for _, e := range edits {
		if e.Sum, err = edit.Sum(o.Reader(model.Span{Off: e.Off, Len: e.Len})); err != nil {
			return err
		}
		e.Off += o.Base
		if !p.Add(e) {
			return errOverlap
		}
	}
	return nil
}

// editCost is what is held for an edit besides its bytes, about.
const editCost = 128

// hold spends what is held until the file is changed. As many bytes as the largest section
// of the file has are free: the section that takes its place.
func (r *rewriter) hold(o *reader.Object, c *rewrite.Change) error {
	if r.dry {
		return nil
	}
	for _, e := range c.Edits {
		r.held += int64(len(e.New)) + editCost
	}
	r.largest = max(r.largest, c.Before)
	n := max(r.held-r.largest-r.spent, 0)
	r.spent += n
	return budget.Of(o.Context).Spend(budget.Memory, n)
}
