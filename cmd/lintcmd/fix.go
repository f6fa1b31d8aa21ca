package lintcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/lint/fix"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fixFlags say what becomes of the fixes that findings carry.
type fixFlags struct {
	write  bool
	unsafe bool
	diff   bool
}

func (f *fixFlags) flags(fl *pflag.FlagSet) {
	fl.BoolVar(&f.write, "fix", false, "apply safe fixes to the files, then check them again")
	fl.BoolVar(&f.unsafe, "fix-unsafe", false, "with --fix or --diff: unsafe fixes, too, which rest on a guess")
	fl.BoolVar(&f.diff, "diff", false, "write to standard output which bytes --fix would change; change none")
}

func (f *fixFlags) check(paths, formats []string) error {
	switch {
	case f.unsafe && !f.write && !f.diff:
		return errors.New("--fix-unsafe: nothing to allow without --fix or --diff")
	case (f.write || f.diff) && slices.Contains(paths, "-"):
		return errors.New("standard input can't be fixed")
	case !f.diff:
		return nil
	}
	for _, x := range formats {
		if !strings.Contains(x, "=") {
			return fmt.Errorf("--diff: goes to standard output, so the report needs a file: --format %s=FILE", x)
		}
	}
	return nil
}

// maxRounds bounds how often a file is fixed again because fixes excluded
// one another.
const maxRounds = 10

// fix shows or applies the fixes of the findings in the file, in the time
// that is left of --timeout; ok is false where it was too short.
func (c *check) fix(left time.Duration) (ok bool) {
	do := c.show
	switch {
	case c.flags.fixes.diff:
	case c.flags.fixes.write:
		do = c.repair
		// Files that are met twice, as by a thin archive and by themselves, must
		// not be fixed twice at once. To wait for one's turn takes no time.
		c.turn <- struct{}{}
		defer func() { <-c.turn }()
	default:
		return true
	}
	_, ok = c.within(left, do)
	return ok
}

// repair applies the fixes, and looks again for more.
func (c *check) repair() error {
	for range maxRounds {
		if err := c.again(); err != nil {
			return err
		}
		all, err := c.plans()
		if err != nil {
			return err
		}
		for _, p := range all {
			if err := c.apply(p); err != nil {
				return err
			}
		}
		if len(all) == 0 {
			break
		}
	}
	return nil
}

// apply changes a file and takes note of it, unless the file was given up:
// one or the other is told, and true.
func (c *check) apply(p *fix.Plan) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errStopped
	}
	if err := p.Apply(); err != nil {
		return fmt.Errorf("can't be fixed: %w", err)
	}
	for i := range p.Applied {
		c.file.Fixed = append(c.file.Fixed, p.Applied[i].Rule.ID)
	}
	return nil
}

// again looks at the file afresh.
func (c *check) again() error {
	c.mu.Lock()
	c.file.Objects = nil
	c.mu.Unlock()
	return reader.Scan(c.task.path, c.opts, c.object)
}

func (c *check) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}

// judge returns the driver that says whether a fix does harm: with all rules,
// whichever of them the run is for.
func (f *lintFlags) judge(all []*rules.Rule) *rules.Driver {
	d := &rules.Driver{Rules: slices.DeleteFunc(bind(all, nil), func(r *rules.Rule) bool { return r.OptIn })}
	f.limits.driver(d, false)
	d.Limit = -1 // what is cut could not become more
	return d
}

func fixable(f *lint.File) bool {
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			if len(f.Objects[i].Findings[j].Fixes) > 0 {
				return true
			}
		}
	}
	return false
}

// plans returns a plan for each file that has to be changed: one, or those
// of a thin archive's members. Fixes that do harm are left out.
func (c *check) plans() ([]*fix.Plan, error) {
	var order []string
	found := map[string][]rules.Finding{}
	for i := range c.file.Objects {
		o := &c.file.Objects[i]
		path := o.Input.Place()
		if _, met := found[path]; !met {
			order = append(order, path)
		}
		found[path] = append(found[path], o.Findings...)
	}
	var all []*fix.Plan
	for _, path := range order {
		p := fix.Choose(path, found[path], c.flags.fixes.unsafe)
		if len(p.Applied) == 0 {
			continue
		}
		p, err := c.harmless(p)
		if err != nil {
			return nil, err
		}
		if len(p.Applied) > 0 {
			all = append(all, p)
		}
	}
	return all, nil
}

// harmless returns the part of a plan after which the file has no more
// errors and warnings of any rule than before. A fix is written for the case
// that its rule knows; that another rule then finds the file worse shows
// that it was not this case.
func (c *check) harmless(p *fix.Plan) (*fix.Plan, error) {
	file, err := os.Open(p.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	before, err := c.grave(p.Path, file, info.Size())
	if err != nil {
		return nil, err
	}
	harm := func(p *fix.Plan) ([]string, error) {
		r, size, err := p.View(file, info.Size())
		if err != nil {
			return nil, fmt.Errorf("can't be fixed: %w", err)
		}
		after, err := c.grave(p.Path, r, size)
		var worse []string
		for _, id := range slices.Sorted(maps.Keys(after)) {
			if after[id] > before[id] {
				worse = append(worse, id)
			}
		}
		return worse, err
	}
	worse, err := harm(p)
	if err != nil || worse == nil {
		return p, err
	}
	q := p
	var ids []string
	for i := range p.Applied {
		ids = append(ids, p.Applied[i].Rule.ID)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if worse, err = harm(p.Only(id)); err != nil {
			return nil, err
		}
		if worse != nil {
			q = q.Without(id)
			c.noteHarm(p.Path, id, worse)
		}
	}
	// What does no harm alone may do it together.
	if worse, err = harm(q); err != nil || worse == nil {
		return q, err
	}
	c.noteHarm(p.Path, "what is left", worse)
	return &fix.Plan{Path: p.Path}, nil
}

// grave counts the errors and warnings of a file, by rule.
func (c *check) grave(path string, r io.ReaderAt, size int64) (map[string]int, error) {
	n := map[string]int{}
	err := reader.ScanReader(path, r, size, c.opts, func(o *reader.Object) error {
		if c.over() {
			return errStopped
		}
		for _, f := range c.judge.Run(o).Findings {
			if f.Severity > rules.Note {
				n[f.Rule.ID]++
			}
		}
		return nil
	})
	return n, err
}

func (c *check) noteHarm(path, what string, worse []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf("%s: %s is not fixed: the file would then have new findings of %s", reports.Name(path, ""), what, strings.Join(worse, ", "))
	if !slices.Contains(c.remarks, text) {
		c.remarks = append(c.remarks, text)
	}
}

// show writes what would be changed.
func (c *check) show() error {
	var b bytes.Buffer
	all, err := c.plans()
	if err != nil {
		return err
	}
	for _, p := range all {
		file, err := os.Open(p.Path)
		if err != nil {
			return err
		}
		err = p.WriteDiff(&b, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.diff = b.Bytes()
	return nil
}

// isThin tells whether a file is a thin archive.
func isThin(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 8)
	_, err = io.ReadFull(f, magic)
	return err == nil && string(magic) == "!<thin>\n"
}

// memberFile returns the file that holds a member of a thin archive. ok is
// false for a member of an archive that is a member itself: which of the
// files is meant, its name does not tell for sure.
func memberFile(archive string, o *reader.Object) (path string, ok bool) {
	if o.Base != 0 {
		return "", false
	}
	if filepath.IsAbs(o.Member) {
		return o.Member, true
	}
	dir, _ := filepath.Split(archive)
	return dir + o.Member, true
}
