package lintcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/fix"
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

// repair applies the fixes of the findings in the file, or shows them.
func (c *check) repair() error {
	f := &c.flags.fixes
	if !fixable(c.file) {
		return nil
	}
	if f.diff {
		return c.show()
	}
	// Files that are met twice, as by a thin archive and by themselves, must
	// not be fixed twice at once.
	c.run.fixing.Lock()
	defer c.run.fixing.Unlock()
	for range maxRounds {
		if err := c.again(); err != nil {
			return err
		}
		done := 0
		for _, p := range plans(c.file, f.unsafe) {
			if len(p.Applied) == 0 {
				continue
			}
			if c.over() {
				return errStopped
			}
			if err := p.Apply(); err != nil {
				return fmt.Errorf("can't be fixed: %w", err)
			}
			done += len(p.Applied)
			c.noteFixed(p)
		}
		if done == 0 {
			break
		}
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

func (c *check) noteFixed(p *fix.Plan) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range p.Applied {
		c.file.Fixed = append(c.file.Fixed, p.Applied[i].Rule.ID)
	}
}

func fixable(f *reports.File) bool {
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
// of a thin archive's members.
func plans(f *reports.File, unsafe bool) []*fix.Plan {
	var order []string
	found := map[string][]rules.Finding{}
	for i := range f.Objects {
		o := &f.Objects[i]
		path := o.Input.Place()
		if found[path] == nil {
			order = append(order, path)
		}
		found[path] = append(found[path], o.Findings...)
	}
	var all []*fix.Plan
	for _, path := range order {
		if p := fix.Choose(path, found[path], unsafe); len(p.Applied)+len(p.Left) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// show writes what would be changed.
func (c *check) show() error {
	var b bytes.Buffer
	for _, p := range plans(c.file, c.flags.fixes.unsafe) {
		if len(p.Applied) == 0 {
			continue
		}
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
