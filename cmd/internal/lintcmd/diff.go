package lintcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

var diffCommand = command{
	name: "diff", args: "A B", files: true, members: true, formats: []string{"text", "json", "markdown"},
	short: "Compare the SFrame data of two files",
	long: `Compares the meaning of the SFrame data in two files, function by function and PC by PC.
The same meaning in another version or encoding is not a difference. Archives are
compared by the names of their members. A file that is not an archive is compared with
the archive member of its name. Directories and packages are compared by the paths of
their files.

Unlike that of abidiff, the exit status does not show the kind of a difference. The
report in JSON does.`,
	status: [3]string{"both files mean the same", "they differ", "a file could not be read, or has no SFrame data that could be compared"},
	example: `  sframe-lint diff gas.o llvm-mc.o
  sframe-lint diff --func '_ZN3foo*' before.elf after.elf
  sframe-lint diff --format markdown old.deb new.deb`,
	start: func(a *app, c *cobra.Command) action {
		var at address
		c.Flags().Var(&at, "address", "address of the first byte of a raw section")
		pattern := funcFlag(c)
		return func(args []string) error { return a.diff(args[0], args[1], *pattern, at.value) }
	},
}

func (a *app) diff(pathA, pathB, pattern string, at uint64) error {
	c, end := a.compares()
	defer end()
	unitsA, okA := c.loadTree(pathA, at)
	unitsB, okB := c.loadTree(pathB, at)
	if !okA || !okB {
		a.status = program.ExitFailed
		return nil
	}
	whole := a.reportWhole(unitsA)
	if whole = a.reportWhole(unitsB) && whole; !whole && !(hasData(unitsA) && hasData(unitsB)) {
		a.status = program.ExitFailed
		return nil // a list of all functions of the other file says nothing
	}
	r := compare.Files(compare.Side{Name: pathA, Units: unitsA}, compare.Side{Name: pathB, Units: unitsB}, pattern)
	err := a.report(r, forms{
		"text":     func(w io.Writer) error { return compare.WriteDiff(w, r) },
		"markdown": func(w io.Writer) error { return compare.WriteDiffMarkdown(w, r) },
	})
	switch {
	case err != nil:
		return err
	case c.cut(), !whole:
		a.status = program.ExitFailed
	case !r.Equal:
		a.status = program.ExitFindings
	case r.Compared == 0:
		a.fail("no functions to compare")
	}
	return nil
}

// comparison loads the files that are compared.
type comparison struct {
	unread int // files that could not be read
	*app
	compare.Loader
	budget *budget.Budget
}

// compares returns a comparison, and a function that ends it.
func (a *app) compares() (*comparison, context.CancelFunc) {
	b, end := a.newBudget()
	c := &comparison{app: a, budget: b}
	return c, func() {
		end()
		if c.unread > maxUnread {
			a.printLine("%s could not be read either", rules.Count(c.unread-maxUnread, "more file"))
		}
	}
}

// maxUnread bounds the unread files that are named. A linker map may list any number of files.
const maxUnread = 100

// load reads the data of a file. It reports why it can't be read. The files share the
// budget, but each may take all of what bounds reading. Once it is exceeded, no file is read.
func (c *comparison) load(path string, at uint64) ([]*compare.Unit, bool) {
	c.budget.Release(budget.Read, c.budget.Used(budget.Read))
	c.budget.Release(budget.Work, c.budget.Used(budget.Work))
	var units []*compare.Unit
	visit := func(o *reader.Object) error {
		u, err := c.UnitOf(o)
		if o.Package == path && o.Path != path {
			rel, _ := strings.CutPrefix(o.Path, path+"!/")
			u.Path, u.Member = path, reports.Name(rel, u.Member)
			err = cmp.Or(err, c.budget.Spend(budget.Memory, int64(len(rel))))
		}
		units = append(units, u)
		return err
	}
	err := budgetError(c.budget)
	if err == nil {
		err = c.scan(fileOf(path), reader.Options{RawAddress: at, NoSurvey: true, Context: c.budget, OneBudget: true}, visit)
	} else {
		err = fmt.Errorf("%s: not read: %w", path, err)
	}
	if err != nil {
		if c.unread++; c.unread <= maxUnread {
			c.printLine("%s", reason(err))
		}
		return nil, false
	}
	return units, true
}

// loadTree reads a file, or all files of a directory or package.
func (c *comparison) loadTree(path string, at uint64) ([]*compare.Unit, bool) {
	if isDir(path) {
		return c.loadDir(path)
	}
	return c.load(path, at)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// loadDir reads the files below a directory. Their units have the path below it as their
// member, with the member of an archive in parentheses.
func (c *comparison) loadDir(dir string) (all []*compare.Unit, ok bool) {
	ok = true
	for p := range lint.Paths(dir) {
		units, read := c.load(p.Name, 0)
		ok = ok && read
		rel, err := filepath.Rel(dir, p.Name)
		if err != nil {
			rel = p.Name
		}
		for _, u := range units {
			if u.Member == "" && u.Status == reader.StatusNotELF {
				continue
			}
			u.Path, u.Member = dir, reports.Name(filepath.ToSlash(rel), u.Member)
			all = append(all, u)
		}
	}
	return all, ok
}

// cut reports whether the budget has ended a comparison, which it then says.
func (c *comparison) cut() bool {
	err := budgetError(c.budget)
	if err != nil {
		c.printLine("the comparison is not complete: %v", err)
	}
	return err != nil
}

// hasData reports whether one of the units has SFrame data.
func hasData(units []*compare.Unit) bool {
	return slices.ContainsFunc(units, func(u *compare.Unit) bool { return len(u.Sections) > 0 })
}

// reportWhole reports what could not be compared. An archive may have members
// without data, as long as others have some.
func (a *app) reportWhole(units []*compare.Unit) bool {
	sound := true
	for _, u := range units {
		name := reports.Name(u.Path, u.Member)
		switch {
		case u.Status == reader.StatusDamaged:
			a.printLine("%s: damaged: %s", name, reports.Escape(u.Detail))
			sound = false
		case u.Faults > 0:
			a.printLine("%s: its SFrame data is damaged; only what could be decoded is compared", name)
			sound = false
		case u.Unknown > 0:
			a.printLine("%s: %s without a known start can't be compared", name, rules.Count(u.Unknown, "function"))
			sound = false
		case u.Member == "" && len(u.Sections) == 0:
			in := lint.Input{Status: u.Status, Detail: u.Detail}
			a.printLine("%s: %s", name, outcome(&in))
			sound = sound && in.CanHaveSFrame()
		}
	}
	if !hasData(units) && len(units) > 0 && units[0].Member != "" {
		a.printLine("%s: none of its %s has SFrame data", reports.Name(units[0].Path, ""), rules.Count(len(units), "member"))
	}
	return sound
}
