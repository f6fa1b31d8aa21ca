package lintcmd

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/fix"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/replace"
	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const mergeLong = `Merges the SFrame sections that a linker has concatenated, as lld and gold do, into
the one that it should have written: one header, and the FDEs sorted by the addresses
of their functions. FDEs of functions that the linker discarded are left out. The
section stays in its place, and is never larger than before. Section header and
PT_GNU_SFRAME follow; a linked file without that segment gets it if there is room.

The file is replaced when all of it has been written, and only if the new section was
read back and describes every function in the same way. Sections that differ in version, ABI or
fixed offsets can't be merged.

`

const convertLong = `Writes SFrame sections in another version of the format, which must be able to express
them. A function of version 2 has an FDE that is a byte larger in version 3; sections
that a linker has concatenated are merged. In a linked file the new section must fit in
the place of the old one and the zeros after it. If it does not fit, the section is
compacted as by 'rewrite'. If that does not fit either, the file stays as it is; use
--section to write the section to a file of its own, for the same address. In a
relocatable file the section moves to the end of the file, and its relocations change.

`

const rewriteLong = `Writes SFrame sections in as few bytes as possible, as the rules SF7 advise. It leaves
out FDEs of functions without code, FDEs that repeat another one, and FREs that repeat
the previous one. It sorts FDEs and joins those of neighbouring stubs. Start offsets and
data words get the smallest width that is enough. In a linked file of version 3, FDEs
with the same attribute and FREs share them. Readers of that version support this, but
libsframe refuses such files of the other byte order, as objdump on AMD64 does for s390x.
Sections that a linker has concatenated are merged.

`

const rewriteStatus = `Exit status:

    0  nothing had to change, or all changes were written
    1  --dry-run: a section would change
    2  the command line is wrong
    3  a file could not be read or changed`

// rewriteFlags are the flags of the commands that write sections.
type rewriteFlags struct {
	format  string
	output  string
	section string
	dry     bool
	to      int
}

// rewriteCommand returns a command that writes sections: use is its usage without flags.
func (a *app) rewriteCommand(use, short, long, example string, opts func(f *rewriteFlags) (rewrite.Options, error)) (*cobra.Command, *rewriteFlags) {
	f := &rewriteFlags{}
	c := &cobra.Command{
		Use: use, Short: short, Long: long + rewriteStatus, Example: example,
		Args: program.AtLeastOne("FILE"),
		RunE: func(_ *cobra.Command, paths []string) error {
			o, err := opts(f)
			if err := errors.Join(err, f.check(paths)); err != nil {
				return err
			}
			return a.rewrite(f, o, paths)
		},
	}
	program.Format(c, &f.format, "text", "json")
	c.Flags().StringVarP(&f.output, "output", "o", "", "write the changed file to `FILE` and leave the input as it is")
	c.Flags().BoolVarP(&f.dry, "dry-run", "n", false, "change nothing, and show what would change")
	a.thinRootFlag(c)
	return c, f
}

func (f *rewriteFlags) check(paths []string) error {
	switch {
	case slices.Contains(paths, "-"):
		return errors.New("standard input can't be changed: name a file")
	case (f.output != "" || f.section != "") && len(paths) > 1:
		return errors.New("--output and --section allow a single input")
	}
	if f.output != "" {
		// An object file may be replaced by another one.
		if err := replace.Guard("--output", f.output, paths, replace.Head(paths[0])); err != nil {
			return err
		}
	}
	if f.section != "" {
		return replace.Guard("--section", f.section, paths, binary.LittleEndian.AppendUint16(nil, model.SFRAME_MAGIC))
	}
	return nil
}

func (a *app) mergeCommand() *cobra.Command {
	c, _ := a.rewriteCommand("merge [flags] FILE...", "Merge concatenated SFrame sections", mergeLong,
		`  sframe-lint merge a.out
  sframe-lint merge --output fixed a.out`,
		func(*rewriteFlags) (rewrite.Options, error) { return rewrite.Options{}, nil })
	return c
}

func (a *app) narrowCommand() *cobra.Command {
	c, _ := a.rewriteCommand("rewrite [flags] FILE...", "Write SFrame sections in as few bytes as possible", rewriteLong,
		`  sframe-lint rewrite a.out
  sframe-lint rewrite --dry-run build/*.so`,
		func(*rewriteFlags) (rewrite.Options, error) { return rewrite.Options{Narrow: true}, nil })
	return c
}

func (a *app) convertCommand() *cobra.Command {
	c, f := a.rewriteCommand("convert --to VERSION [flags] FILE...", "Write SFrame sections in another version", convertLong,
		`  sframe-lint convert --to 3 old.o
  sframe-lint convert --to 3 --section new.sframe a.out`,
		func(f *rewriteFlags) (rewrite.Options, error) {
			if f.to != 2 && f.to != 3 {
				return rewrite.Options{}, errors.New("--to: want 2 or 3")
			}
			return rewrite.Options{Version: model.Version(f.to)}, nil
		})
	c.Flags().IntVar(&f.to, "to", 0, "`VERSION` of the format to write: 2 or 3")
	c.Flags().StringVar(&f.section, "section", "", "write only the new section to `FILE` and leave the input as it is")
	program.Values(c, "to", "2", "3")
	return c
}

// rewriter writes the sections of files.
type rewriter struct {
	*app
	*rewriteFlags
	opts    rewrite.Options
	report  rewriteReport
	plans   []*fix.Plan // by file
	section []byte      // for --section
	failed  bool        // of the file

	held, largest, spent int64 // see hold
}

func (a *app) rewrite(f *rewriteFlags, opts rewrite.Options, paths []string) error {
	r := &rewriter{app: a, rewriteFlags: f, opts: opts, report: rewriteReport{Schema: "sframe-lint/rewrite/1", Sections: []rewriteSection{}}}
	changed := false
	for p := range lint.Paths(paths...) {
		if err := r.file(p); err != nil {
			a.fail("%s", reports.Escape(err.Error()))
		}
		for _, s := range r.report.Sections {
			changed = changed || s.Changed
		}
	}
	if f.output != "" && replace.IsStdout(f.output) || f.section != "" && replace.IsStdout(f.section) {
		a.stdout = a.stderr // standard output has the file
	}
	err := a.writeComparison(f.format == "json", r.report, r.text)
	if err == nil && f.dry && changed && a.status == program.ExitClean {
		a.status = program.ExitFindings
	}
	return err
}

// file writes the sections of a file. Its errors name the file.
func (r *rewriter) file(p lint.Path) error {
	first := len(r.report.Sections)
	r.plans, r.section, r.failed = nil, nil, false
	r.held, r.largest, r.spent = 0, 0, 0
	err := r.scan(p, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		r.unread(o)
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
	drop := func() { r.report.Sections = r.report.Sections[:first] }
	switch {
	case err != nil:
		drop()
		return err
	case r.failed:
		drop() // a file is changed whole or not at all
		return nil
	case r.dry:
		return nil
	}
	if err := r.apply(p.Name); err != nil {
		drop()
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return nil
}

// apply changes the files.
func (r *rewriter) apply(path string) error {
	if r.rewriteFlags.section != "" {
		if r.section == nil {
			return errors.New("no SFrame section to write")
		}
		return replace.File(r.rewriteFlags.section, func(f *os.File) error { _, err := f.Write(r.section); return err })
	}
	if r.output != "" && len(r.plans) == 0 {
		r.plans = []*fix.Plan{{Path: path}} // a copy
	}
	for _, p := range r.plans {
		p.Sort()
		to := r.output
		if to == "" {
			to = p.Path
		}
		if err := p.ApplyTo(r.ctx, to); err != nil {
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
			r.say("%s: %s: not changed: %s", reports.Name(o.Path, o.Member), sectionName(sf), reports.Escape(err.Error()))
			continue
		}
		if r.rewriteFlags.section != "" {
			if r.section != nil {
				return errors.New("--section: there is more than one section")
			}
			r.section = c.Data
		}
		s := sectionReport(o, sf, c)
		if s.Changed = r.changes(sf, c); s.Changed && r.rewriteFlags.section == "" {
			if err := r.add(o, c); err != nil {
				return err
			}
		}
		r.report.Sections = append(r.report.Sections, s)
	}
	return nil
}

// changes reports whether a section is to be changed.
func (r *rewriter) changes(sf *reader.SFrame, c *rewrite.Change) bool {
	switch {
	case r.opts.Narrow:
		return string(c.Data) != string(sf.Data)
	case r.opts.Version != 0:
		return c.Result.Sections > 1 || sf.Section.Version() != r.opts.Version
	}
	return c.Result.Sections > 1
}

// change returns what a section becomes. If it does not fit, or leaves no room for a
// segment, it is written in as few bytes as possible.
func (r *rewriter) change(o *reader.Object, sf *reader.SFrame) (*rewrite.Change, error) {
	if err := o.Budget.Step(int64(len(sf.Data))); err != nil {
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
		return c, nil // the section alone has no place
	case err != nil && r.opts.Version != 0:
		return nil, fmt.Errorf("%w: link the program anew, or write the section to a file of its own with --section", err)
	}
	return c, err
}

// add adds the edits of a section to the plan of its file.
func (r *rewriter) add(o *reader.Object, c *rewrite.Change) error {
	if err := r.hold(o, c); err != nil {
		return err
	}
	in := lint.InputOf(o)
	i := slices.IndexFunc(r.plans, func(p *fix.Plan) bool { return p.Path == in.Place() })
	if i < 0 {
		i = len(r.plans)
		r.plans = append(r.plans, &fix.Plan{Path: in.Place()})
	}
	if r.output != "" && len(r.plans) > 1 {
		return errors.New("--output: the members of a thin archive are files of their own")
	}
	p := r.plans[i]
	if len(c.Append) > 0 && len(p.Append) > 0 {
		return errors.New("a file with two sections that grow")
	}
	p.Append = append(p.Append, c.Append...)
	if r.dry {
		return nil // no edit is held
	}
	return addEdits(p, o, c.Edits)
}

// addEdits adds the edits of an object to the plan of its file.
func addEdits(p *fix.Plan, o *reader.Object, edits []rewrite.Edit) error {
	for _, e := range edits {
		h := sha256.New()
		if _, err := io.Copy(h, o.Reader(e.Span)); err != nil {
			return err
		}
		x := rules.Edit{Span: model.Span{Off: e.Span.Off + o.Base, Len: e.Span.Len}, New: e.New}
		h.Sum(x.Sum[:0])
		p.Edits = append(p.Edits, x)
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
	r.held += int64(len(c.Append))
	for _, e := range c.Edits {
		r.held += int64(len(e.New)) + editCost
	}
	r.largest = max(r.largest, c.Before)
	n := max(r.held-r.largest-r.spent, 0)
	r.spent += n
	return o.Budget.Spend(budget.Memory, n)
}
