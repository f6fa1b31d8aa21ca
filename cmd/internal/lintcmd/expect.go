package lintcmd

import (
	"bufio"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// expectFlags are the flags of the command.
type expectFlags struct {
	to      toVersion
	noFlex  bool
	section string // the file for the section
}

var expectCommand = command{
	name: "expect", args: "PATH...", files: true, formats: []string{"text", "json"},
	short: "Derive SFrame data from CFI and compare it with the file",
	long: `Derives an SFrame section from the CFI of a file (.eh_frame or .debug_frame), and
compares it with the section in the file, function by function.

These are also listed, but do not change the exit status: functions that the version
cannot express, with the reason, and whether a flexible FDE of version 3 can; FDEs for
code without CFI; and known quirks of a linker. Functions of start files (crt1.o and
others) and PLT stubs without an FDE are counted.`,
	status: [3]string{"the FDEs of the file match the CFI",
		"an FDE is missing, differs, or cannot be right", "a file could not be read, or there is nothing to expect"},
	example: `  sframe-lint expect build/*.o
  sframe-lint expect --to 2 --section-out libc.sframe /lib/x86_64-linux-gnu/libc.so.6`,
	start: func(a *app, c *cobra.Command) action {
		var f expectFlags
		f.to.flag(c, 1, 2, 3)
		c.Flags().BoolVar(&f.noFlex, "no-flex", false, "write no flexible FDEs")
		sectionOutFlag(c, &f.section, "write the section to `FILE`, and compare nothing")
		return func(paths []string) error {
			if f.section != "" {
				if len(paths) > 1 || isDir(paths[0]) {
					return errors.New("--section-out allows a single file")
				}
				if err := guardSection(f.section, paths); err != nil {
					return err
				}
			}
			return a.expect(&f, paths)
		}
	},
}

// expectReport says what a file should have. Each expected FDE is compared, missing, or of one of the other counts.
type expectReport struct {
	Path       string             `json:"path"`
	Expected   int                `json:"functions_expected"`
	Compared   int                `json:"functions_compared"`
	StartFiles int                `json:"start_files,omitempty"` // functions of start files without an FDE
	Stubs      int                `json:"stubs,omitempty"`       // FDEs that the linker has not written for a PLT
	Different  []expectDifference `json:"differences"`
	Omitted    []expectOmission   `json:"omitted"`
	More       int                `json:"omitted_more,omitempty"`

	known expectKnown
}

// expectDifference is a difference to what is expected. Known names the producer that is known for it, or says why there is no FDE.
type expectDifference struct {
	compare.Difference
	Known string `json:"known_quirk,omitempty"`
}

// expectOmission is a function that the version cannot express.
type expectOmission struct {
	Member  string `json:"member,omitempty"`
	Section int    `json:"section,omitempty"` // of a relocatable file, from which start counts
	Start   string `json:"start"`
	Bytes   uint64 `json:"bytes"`
	Version int    `json:"version"`
	Why     string `json:"why"`
	// Flexible says that a flexible FDE of version 3 can express it.
	Flexible bool `json:"flexible,omitempty"`

	from    uint64 // Start
	ignored bool   // see [rewrite.Omission]
}

func (a *app) expect(f *expectFlags, paths []string) error {
	var all []*expectReport
	a.each(paths, func(part *app, p lint.Path) func() {
		r, err := part.expectFile(f, p)
		if err != nil {
			part.fail("%s", reason(err))
			return nil
		}
		return func() {
			if r != nil {
				all = append(all, r)
			}
		}
	})
	switch {
	case f.section != "":
		return nil
	case len(all) == 0 && a.status != program.ExitFailed:
		a.fail("nothing was read: no path has a file with call frame information")
	}
	return a.report(struct {
		Schema string          `json:"schema"`
		Files  []*expectReport `json:"files"`
	}{"sframe-lint/expect/1", all}, forms{"text": func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for _, r := range all {
			r.write(b)
		}
		return b.Flush()
	}})
}

// expectFile compares a file with what it should have. It returns nil for an entry of a directory that has nothing to compare.
func (a *app) expectFile(f *expectFlags, p lint.Path) (*expectReport, error) {
	c, end := a.compares()
	defer end()
	r := &expectReport{Path: escape.UTF8(p.Name), Different: []expectDifference{}, Omitted: []expectOmission{}, known: expectKnown{}}
	var want, have []*compare.Unit
	foreign := ""
	err := c.scan(p, reader.Options{NoSurvey: true, Context: c.budget}, func(o *reader.Object) error {
		a.unread(o)
		if o.ELF == nil {
			in := lint.InputOf(o)
			switch {
			case o.ForeignCFI:
				foreign = "it has .eh_frame, but ELF32 is not read: nothing was compared"
			case o.Member == "" && !in.CanHaveSFrame():
				foreign = outcome(&in)
			}
			return nil
		}
		x, version, err := f.expectation(o)
		if err != nil {
			return err
		}
		if f.section != "" {
			return edit.Write(f.section, x.Data)
		}
		r.Expected += x.FDEs
		r.More += x.More
		for _, m := range x.Omitted {
			r.Omitted = append(r.Omitted, omission(o, m, int(version)))
		}
		if err := r.known.add(o, x.SFrame.Section); err != nil {
			return err
		}
		u, err := c.UnitOf(&reader.Object{Path: o.Path, Member: o.Member, Status: reader.StatusOK, Context: o.Context, ELF: o.ELF, SFrames: []*reader.SFrame{x.SFrame}})
		if err != nil {
			return err
		}
		v, err := c.UnitOf(o)
		want, have = append(want, u), append(have, v)
		return err
	})
	if err != nil || f.section != "" {
		return nil, err
	}
	if err := r.compare(want, have, c.budget); err != nil {
		a.fail("%s: not all differences are listed: %s", reports.Name(p.Name, ""), reason(err))
	}
	if r.Expected == 0 && len(r.Omitted) == 0 {
		if !p.Named && foreign == "" {
			return nil, nil
		}
		a.fail("%s: %s", reports.Name(p.Name, ""), cmp.Or(foreign, "no call frame information"))
	}
	if slices.ContainsFunc(r.Omitted, func(m expectOmission) bool { return m.Why == cfi.UnknownAugmentation }) {
		a.fail("%s: not all functions are judged: %s", reports.Name(p.Name, ""), cfi.UnknownAugmentation)
	}
	a.failIfUnmet(r.hasErrors())
	return r, nil
}

// expectation returns what an object should have.
func (f *expectFlags) expectation(o *reader.Object) (*rewrite.Expected, model.Version, error) {
	version, addr := f.to.version, uint64(0)
	for _, sf := range o.SFrames {
		if sf.Section != nil && addr == 0 {
			addr = sf.Section.Addr()
			if version == 0 && sf.Section.Version().Known() {
				version = sf.Section.Version()
			}
		}
	}
	if version == 0 {
		version = model.SFRAME_VERSION_3
	}
	if addr == 0 && !o.ELF.Relocatable() {
		for i := range o.ELF.Segments {
			if p := &o.ELF.Segments[i]; p.Type == elf.PT_LOAD {
				addr = max(addr, (p.Vaddr+p.Memsz+0xfff)&^0xfff)
			}
		}
	}
	x, err := rewrite.Expect(o, version, !f.noFlex, addr)
	return x, version, err
}

// differenceCost is about the bytes of memory that a difference takes with its texts.
var differenceCost = int64(reflect.TypeFor[expectDifference]().Size()) + 128

// compare adds the differences. One-sided FDEs of functions that were omitted have the reason. Errors: the budget.
func (r *expectReport) compare(want, have []*compare.Unit, b *budget.Budget) error {
	d := compare.Files(compare.Side{Name: "expected", Units: want}, compare.Side{Name: r.Path, Units: have}, "")
	r.Compared = d.Compared
	for x := range d.Differences() {
		known := r.known[expectFunction{x.Unit, cmp.Or(x.StartB, x.StartA)}]
		switch {
		case x.Kind == compare.OnlyA && known == ofStartFile:
			r.StartFiles++
			continue
		case known == ofStub:
			if x.Kind == compare.OnlyA {
				r.Stubs++
			}
			continue
		case x.Kind == compare.OnlyB:
			x.A, known = r.whyNot(&x)
		}
		y := expectDifference{x, known}
		if err := b.Spend(budget.Memory, differenceCost+int64(len(x.Function))); err != nil {
			return err
		}
		r.Different = append(r.Different, y)
	}
	return b.Err()
}

// whyNot returns why no FDE is expected that the file has, and who writes one all the same.
func (r *expectReport) whyNot(d *compare.Difference) (why, known string) {
	if d.Empty() {
		return "it has no bytes", ""
	}
	at, err := strconv.ParseUint(d.StartB, 0, 64)
	for i := range r.Omitted {
		m := &r.Omitted[i]
		if err == nil && at >= m.from && at-m.from < m.Bytes && m.Member == d.Unit {
			if m.ignored {
				known = "assemblers"
			}
			return m.Why, known
		}
	}
	return noCFI, ""
}

// noCFI is why no FDE is expected for code that has no call frame information.
const noCFI = "no call frame information"

// hasErrors reports whether the file lacks what it should have, or has what it can't have. FDEs for
// code whose CFI depends on the PC, or that has none, are those of linkers for stubs.
func (r *expectReport) hasErrors() bool {
	return slices.ContainsFunc(r.Different, func(x expectDifference) bool {
		return x.Known == "" && (x.Kind != compare.OnlyB || !slices.Contains([]string{noCFI, rewrite.DependsOnPC, cfi.UnknownAugmentation}, x.A))
	})
}

// write writes the report as text.
func (r *expectReport) write(b *bufio.Writer) {
	path := escape.Printable(r.Path)
	for i := range r.Different {
		x := &r.Different[i]
		name := escape.Name(x.Function)
		if x.Unit != "" {
			name = "(" + escape.Name(x.Unit) + ") " + name
		}
		switch x.Kind {
		case compare.OnlyA:
			why := ""
			if x.Known != "" {
				why = ": " + x.Known
			}
			fmt.Fprintf(b, "%s: %s: no FDE, expected one for %s at %s%s\n", path, name, x.A, x.StartA, why)
		case compare.OnlyB:
			if x.A == cfi.UnknownAugmentation {
				continue // it is among the omissions
			}
			fmt.Fprintf(b, "%s: %s: an FDE at %s that is not expected: %s\n", path, name, x.StartB, x.A)
		default:
			at := ""
			if x.To != "" {
				at = " from +" + x.From + " to +" + x.To
			}
			quirk := ""
			if x.Known != "" {
				quirk = ", a known quirk of " + x.Known
			}
			fmt.Fprintf(b, "%s: %s%s: %s, expected %s%s\n", path, name, at, x.B, x.A, quirk)
		}
	}
	writeOmissions(b, path, r.Omitted, r.More)
	fmt.Fprintf(b, "%s: %s expected, %d compared", path, rules.Count(r.Expected, "FDE"), r.Compared)
	b.WriteString(strings.Join(amounts(
		amount{r.Expected - r.Compared - r.StartFiles - r.Stubs, "", ", %s missing"},
		amount{r.StartFiles, "", ", %s of start files, which need none"},
		amount{r.Stubs, "", ", %s of stubs, for which the linker wrote none"},
	), "") + "\n")
}

// omission returns what is reported of a function without an FDE.
func omission(o *reader.Object, m rewrite.Omission, version int) expectOmission {
	return expectOmission{Member: escape.UTF8(o.Member), Section: int(m.Place), Start: fmt.Sprintf("0x%x", m.Start), Bytes: m.Size, Version: version, Why: m.Why, Flexible: m.Flexible, from: m.Start, ignored: m.Ignored}
}

// writeOmissions writes the functions without an FDE as text.
func writeOmissions(b *bufio.Writer, path string, all []expectOmission, more int) {
	for _, m := range all {
		member := ""
		if m.Member != "" {
			member = "(" + escape.Name(m.Member) + ")"
		}
		flexible := ""
		if m.Flexible {
			flexible = "; a flexible FDE of version 3 can"
		}
		fmt.Fprintf(b, "%s%s: no FDE of version %d can describe the %s at %s: %s%s\n", path, member, m.Version, rules.Count(m.Bytes, "byte"), m.Start, escape.Printable(m.Why), flexible)
	}
	if more > 0 {
		fmt.Fprintf(b, "%s: and %s more\n", path, rules.Count(more, "function"))
	}
}
