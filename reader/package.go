package reader

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/container"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/internal/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// packageKind returns which kind of container a file is that is neither ELF nor a static archive. Errors: I/O.
func packageKind(src source, head []byte) (container.Kind, error) {
	if bytes.HasPrefix(head, []byte(elf.ELFMAG)) || isSFrame(head) {
		return container.None, nil
	}
	if !IsInput(head) {
		b := make([]byte, min(container.HeadSize, src.size))
		if src.all != nil {
			copy(b, src.all)
		} else if _, err := src.r.ReadAt(b, src.base); err != nil && err != io.EOF {
			return container.None, err
		}
		head = b
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

// scanPackage visits the objects in the files of a package. Each file has a budget of its own.
func scanPackage(src source, k container.Kind, opts Options, visit func(*Object) error) error {
	o := walkOptions(src, opts, visit)
	return container.Walk(src.path, io.NewSectionReader(src.r, src.base, src.size), src.size, k, &o)
}

// scanLayout visits the objects in the files of a directory with an OCI image.
func scanLayout(dir string, opts Options, visit func(*Object) error) error {
	l, err := container.OpenLayout(dir)
	if err != nil {
		return err
	}
	defer l.Close()
	src := newSource(nil, dir, l.Size(), opts.account())
	opts.Budget = src.budget
	opts.Budget.File(l.Data())
	o := walkOptions(src, opts, visit)
	return l.Walk(&o)
}

// walkOptions are those of a walk through a package.
func walkOptions(src source, opts Options, visit func(*Object) error) container.Options {
	b := opts.Budget
	b.Packed(src.size)
	pkg := opts.inPackage
	if pkg == "" {
		pkg = src.path
	}
	o := container.Options{
		Spend: func(n int64) error {
			if err := b.Err(); err != nil {
				return err
			}
			return b.Spend(budget.Read, n)
		},
		Step: func() error { return b.Step(entrySteps) },
		Hold: b.HoldPacked,
		Most: max(leastHeld, min(mostHeld, heldPerByte*src.size)),
		Want: IsInput,
		Visit: func(f *container.File) error {
			in := opts
			in.inPackage = pkg
			if !opts.OneBudget {
				in.Budget = b.Part()
			}
			return ScanReader(f.Name, f.R, f.Size, in, visit)
		},
		Fault: func(f container.Fault) error { return visit(faultyPackage(src, pkg, &f)) },
	}
	if opts.Skip != nil {
		o.Skip = func(path string) bool { return opts.Skip(src.path + container.Separator + path) }
	}
	return o
}

// entrySteps is the work for an entry of a package.
const entrySteps = 64

// faultyPackage is the object of a package that cannot be read to its end.
func faultyPackage(src source, pkg string, f *container.Fault) *Object {
	o := &Object{Path: f.Name, Package: pkg, Size: src.size, Status: StatusDamaged, Detail: f.Err.Error(), Budget: src.budget}
	code := ArchiveDamaged
	if f.Large {
		code = BudgetExceeded
	}
	o.Faults = []Fault{{Code: code, Span: model.Span{}, FDE: -1, FRE: -1, Detail: o.Detail}}
	return o
}

// scanInside visits a directory that is an image, or a file in a package, whose path was given as reports
// write it. err says why there is no file of this path.
func scanInside(path string, err error, opts Options, visit func(*Object) error) error {
	if container.IsLayout(path) {
		return scanLayout(path, opts, visit)
	}
	outer, _, ok := container.Cut(path)
	if !ok || !errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), "not a directory") {
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
		return fmt.Errorf("%s: %w", path, errNotInside)
	}
	return serr
}

// errNotInside is the error for a file that a package does not have.
var errNotInside = errors.New("the package has no such file")

// appImage is what an AppImage has in its ELF header: the file system follows the ELF file.
const appImage = "AI\x02"

// scanAppImage visits the files of an AppImage, whose ELF file has been visited.
func scanAppImage(src source, head []byte, opts Options, visit func(*Object) error) error {
	if len(head) < ehdrSize || !bytes.HasPrefix(head, []byte(elf.ELFMAG)) || string(head[8:11]) != appImage {
		return nil
	}
	big := elf.Data(head[elf.EI_DATA]) == elf.ELFDATA2MSB
	at, n := number.U64(head[40:], big), uint64(number.U16(head[60:], big))*uint64(elf64.ShdrSize)
	if elf.Class(head[elf.EI_CLASS]) == elf.ELFCLASS32 {
		at, n = uint64(number.U32(head[32:], big)), uint64(number.U16(head[48:], big))*40
	}
	sp, ok := src.clip(at+n, 4)
	if at > uint64(src.size) || !ok {
		return nil
	}
	magic, err := src.read(sp)
	if err != nil || string(magic) != "hsqs" {
		return err
	}
	rest := src.window(model.Span{Off: sp.Off, Len: src.size - sp.Off})
	return scanPackage(rest, container.Squashfs, opts, visit)
}
