package reader

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/container"
)

// packageKind returns which kind of container a file is that is neither ELF nor a static archive. Errors: I/O.
func packageKind(src source, head []byte) (container.Format, error) {
	if bytes.HasPrefix(head, []byte(elf.ELFMAG)) || isSFrame(head) {
		return container.None, nil
	}
	if !IsInput(head) {
		var err error
		if head, err = src.head(container.HeadSize); err != nil {
			return container.None, err
		}
	}
	r := &failing{r: io.NewSectionReader(src.r, src.base, src.size)}
	return container.KindOf(head, r, src.size), r.err
}

// failing keeps the first error of reading that is not the end.
type failing struct {
	r   io.ReaderAt
	err error
}

func (f *failing) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.r.ReadAt(b, off)
	if err != nil && err != io.EOF && f.err == nil {
		f.err = err
	}
	return n, err
}

// A file in a package that is held in memory has up to mostHeld bytes, and up to heldPerByte times the bytes
// of the package, if these are more than leastHeld: real files are not compressed by more.
const (
	leastHeld   = 64 << 20
	mostHeld    = 1 << 30
	heldPerByte = 32
)

// enclosing is what a file in a package is in.
type enclosing struct {
	path   string         // of the outermost package
	depth  int            // packages
	budget *budget.Budget // of the outermost package: it bounds what all of them hold and read
}

// scanPackage visits the objects in the files of a package. Each file has a budget of its own.
func scanPackage(src source, k container.Format, opts Options, visit func(*Object) error) error {
	in := opts.within(src)
	b := in.budget
	o := container.Hooks{
		Spend: func(n int64) error {
			if err := b.Err(); err != nil {
				return err
			}
			return b.Spend(budget.Read, n)
		},
		Step:  func() error { return b.Step(entrySteps) },
		Hold:  b.HoldPacked,
		Most:  max(leastHeld, min(mostHeld, heldPerByte*src.size)),
		Depth: in.depth,
		Want:  IsInput,
		Visit: func(f *container.File) error {
			next, inner := *in, opts
			next.depth, inner.inside = f.Depth, &next
			if !opts.OneBudget {
				inner.Context = src.budget.Part()
			}
			return ScanReader(f.Name, f.R, f.Size, inner, visit)
		},
		Fault: func(f container.Fault) error { return visit(faultyPackage(src, in.path, &f)) },
	}
	if opts.Skip != nil {
		o.Skip = func(path string) bool { return opts.Skip(src.path + container.Separator + path) }
	}
	return container.Walk(src.path, io.NewSectionReader(src.r, src.base, src.size), src.size, k, &o)
}

// within returns what the files in a package are in.
func (o *Options) within(src source) *enclosing {
	if o.inside != nil {
		return o.inside
	}
	src.budget.Packed(src.size)
	return &enclosing{path: src.path, budget: src.budget}
}

// entrySteps is the work for an entry of a package.
const entrySteps = 64

// faultyPackage is the object of a package that cannot be read to its end.
func faultyPackage(src source, pkg string, f *container.Fault) *Object {
	o := &Object{Path: f.Name, Package: pkg, Size: src.size, Context: src.budget}
	o.unread(f.Err.Error())
	o.Faults[0].Got = overrun(f.Err)
	if f.Large {
		o.Faults[0].Code = BudgetExceeded
	}
	return o
}

// unread says why an archive or package is not read to its end.
func (o *Object) unread(reason string) {
	o.Status, o.Detail, o.Faults = StatusDamaged, reason, []Fault{{Code: ArchiveDamaged, FDE: -1, FRE: -1, Detail: reason}}
}

// scanInside visits a file in a package, whose path was given as reports write it. err says why the file is absent
// of this path.
func scanInside(path string, err error, opts Options, visit func(*Object) error) error {
	outer, _, ok := container.Cut(path)
	if !ok || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	found := false
	skip := opts.Skip
	opts.Skip = func(p string) bool {
		return p != path && !strings.HasPrefix(path, p+container.Separator+"/") && !strings.HasPrefix(p, path+"/") || skip != nil && skip(p)
	}
	serr := Scan(outer, opts, func(o *Object) error {
		if o.Path != path && !strings.HasPrefix(o.Path, path+"/") && !(o.Package == o.Path && o.Status == StatusDamaged) {
			return nil
		}
		found = true
		return visit(o)
	})
	switch {
	case errors.Is(serr, fs.ErrNotExist):
		return err
	case serr == nil && !found:
		return fmt.Errorf("%s: the package has no such file", path)
	}
	return serr
}

// appImage is what an AppImage has in its ELF header: an image follows the ELF file.
const appImage = "AI\x02"

// scanBehind looks for what follows an ELF file: a zip archive, whose files it visits, or the image of an AppImage.
func scanBehind(src source, head []byte, opts Options, visit func(*Object) error) error {
	if opts.Raw || !bytes.HasPrefix(head, []byte(elf.ELFMAG)) || opts.inMini {
		return nil
	}
	if len(head) > 11 && string(head[8:11]) == appImage {
		err := errors.New("it is an AppImage, whose image is not read")
		return visit(faultyPackage(src, opts.within(src).path, &container.Fault{Name: src.path, Err: err}))
	}
	r := &failing{r: io.NewSectionReader(src.r, src.base, src.size)}
	if src.all != nil {
		r.r = bytes.NewReader(src.all)
	}
	if container.EndsAsZip(r, src.size) {
		return scanPackage(src, container.Zip, opts, visit)
	}
	return r.err
}
