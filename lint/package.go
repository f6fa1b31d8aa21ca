package lint

import (
	"context"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Package counts the files in a package that can have SFrame data.
type Package struct {
	Files int
	With  int // those that have some
}

// usualPath is how long paths in packages are that cost nothing, in bytes.
const usualPath = 256

// turn begins the results of another file of a package, and passes on those of the last one.
func (c *check) turn(o *reader.Object) error {
	if o.Path == c.file.Path { // the file was named, or has the name of the one before
		c.file.InPackage = o.Package != o.Path
		o.Path = c.file.Path // entries of one name share it
		return nil
	}
	if more := len(o.Path) - usualPath; more > 0 { // the results have it until the package has been read
		if err := c.budget.Spend(budget.Memory, int64(more)); err != nil {
			return err
		}
	}
	c.exceeded()
	if c.pkg == nil {
		c.pkg = &Package{}
	}
	last := c.file
	c.file = &File{Path: o.Path, InPackage: o.Package != o.Path}
	c.part, c.charged, c.listed = budget.Of(o.Context), 0, 0
	first := last.Named || len(last.Objects) == 0
	if first && last.Path == c.task.Name && len(last.Objects) == 0 {
		return nil
	}
	return c.pass(last)
}

// pass passes on the results of a file of a package. Where the run is not ready for them, the clock stands.
func (c *check) pass(f *File) (err error) {
	c.budget.Wait(func(ctx context.Context) {
		select {
		case c.task.done <- f:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	})
	return err
}

// endPackage ends the results of a package: what remains concerns the package.
func (c *check) endPackage() error {
	if c.pkg == nil {
		return nil
	}
	c.exceeded()
	last := c.file
	c.file, c.part = &File{Path: c.task.Name, Named: c.task.Named}, nil
	if len(last.Objects) == 0 && last.Err == nil {
		return nil
	}
	return c.pass(last)
}

// account returns the budget of the file that is checked: that of the package, or of a file in it.
func (c *check) account() *budget.Budget {
	if c.part != nil {
		return c.part
	}
	return c.budget
}

// count counts a file of a package.
func (p *Package) count(o *reader.Object) {
	if in := (Input{Status: o.Status}); in.CanHaveSFrame() {
		p.Files++
	}
	if o.Status == reader.StatusOK {
		p.With++
	}
}
