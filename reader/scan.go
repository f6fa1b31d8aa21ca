package reader

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/model"
)

// Magic bytes of an archive.
const (
	arMagic     = "!<arch>\n"
	arThinMagic = "!<thin>\n"
)

// Scan calls visit for each ELF file, raw section, archive member and file in a package at path; an unreadable rest
// of an archive comes last. Symbols must be used before visit returns. Errors: I/O, unreadable symbols, and those of
// visit; other faults are in the objects.
func Scan(path string, opts Options, visit func(*Object) error) error {
	f, err := regular.OpenReader(path, false)
	if err != nil {
		return scanInside(path, err, opts, visit)
	}
	defer f.Close()
	return ScanReader(path, f, f.Size(), opts, visit)
}

// ScanReader is [Scan] for an open input of size bytes. Objects and errors have
// its path, and the members of a thin archive are looked up relative to it.
func ScanReader(path string, r io.ReaderAt, size int64, opts Options, visit func(*Object) error) error {
	if size < 0 {
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("negative size")}
	}
	b := budget.For(opts.Context, opts.Limits)
	src := newSource(r, path, size, b)
	opts.Context = b
	if opts.inside == nil || !opts.OneBudget { // what comes out of a package must not raise its own limits
		src.file()
	}
	if size <= tiny {
		if _, err := src.load(0); err != nil {
			return err
		}
	}
	head, err := src.head(ehdrSize)
	if err != nil {
		return err
	}
	if opts.Raw || IsInput(head) {
		if _, err := src.load(0); err != nil {
			return err
		}
	}
	k, err := packageKind(src, head)
	if err != nil {
		return err
	}
	if k != container.None && !opts.Raw {
		return scanPackage(src, k, opts, visit)
	}
	if opts.Skip != nil && opts.inside != nil && opts.Skip(path) {
		return nil
	}
	thin := bytes.HasPrefix(head, []byte(arThinMagic))
	if !opts.Raw && (thin || bytes.HasPrefix(head, []byte(arMagic))) {
		a := &archive{path: path, prefix: path, src: src, opts: opts, visit: visit, thin: thin}
		return a.scan()
	}
	o := &Object{Path: path, Package: opts.pkg(), Size: size, Context: opts.Context}
	if err := readObject(o, src, head, opts); err != nil {
		return err
	}
	if err := src.visit(o, visit); err != nil {
		return err
	}
	return scanBehind(src, head, opts, visit)
}

// pkg returns the path of the package that has the file, "" for none.
func (o *Options) pkg() string {
	if o.inside == nil {
		return ""
	}
	return o.inside.path
}

// visit passes an object on, and returns the first error of visit or of a read
// that it has caused.
func (s source) visit(o *Object, visit func(*Object) error) error {
	defer s.release()
	if err := visit(o); err != nil {
		return err
	}
	return s.first()
}

// readObject fills in an object from its bytes, of which head are the first.
func readObject(o *Object, src source, head []byte, opts Options) error {
	o.src = src
	switch {
	case opts.Raw:
		return readRaw(o, src, opts)
	case bytes.HasPrefix(head, []byte(elf.ELFMAG)):
		r := &elfReader{src: src, obj: o, opts: opts}
		return r.read(head)
	case isSFrame(head):
		return readRaw(o, src, opts)
	}
	o.Status = StatusNotELF
	switch {
	case src.size == 0:
		o.Detail = "empty"
	case bytes.HasPrefix(head, []byte(arMagic)): // deep inside others, or in a thin one
		o.unread(fmt.Sprintf("an archive inside a thin archive or more than %d others", maxDepth))
	case bytes.HasPrefix(head, []byte(arThinMagic)):
		o.unread("a thin archive inside another archive")
	default:
		o.Detail = kindOf(head)
	}
	return nil
}

// kindOf says what kind of file has these first bytes.
func kindOf(head []byte) string {
	if bytes.HasPrefix(head, []byte("BC\xc0\xde")) || bytes.HasPrefix(head, []byte("\xde\xc0\x17\x0b")) {
		return "LLVM bitcode, which has no machine code yet: check the linked file"
	}
	return "no known magic"
}

// IsInput reports whether a file with these first bytes is an ELF file, an archive or a raw section. It needs 8
// bytes.
func IsInput(head []byte) bool {
	return isSFrame(head) || bytes.HasPrefix(head, []byte(elf.ELFMAG)) ||
		bytes.HasPrefix(head, []byte(arMagic)) || bytes.HasPrefix(head, []byte(arThinMagic))
}

func isSFrame(head []byte) bool {
	return len(head) >= 2 &&
		(binary.LittleEndian.Uint16(head) == model.SFRAME_MAGIC || binary.BigEndian.Uint16(head) == model.SFRAME_MAGIC)
}

// readRaw reads a section that is a file of its own.
func readRaw(o *Object, src source, opts Options) error {
	if limit := src.maxSection(); src.size > limit {
		o.damaged("larger than the limit", Fault{Code: SectionTooLarge, Span: model.Span{Len: src.size}, Want: uint64(limit), Got: uint64(src.size)})
		return nil
	}
	if err := src.section(src.size); err != nil {
		o.damaged(err.Error(), Fault{Code: BudgetExceeded, Span: model.Span{Len: src.size}, Got: overrun(err),
			Detail: fmt.Sprintf("%v for a section of %d bytes", err, src.size)})
		return nil
	}
	data, err := src.head(src.size)
	if err != nil {
		return err
	}
	f := &SFrame{Data: data}
	o.Status, o.SFrames = StatusOK, []*SFrame{f}
	return f.decode(SectionOptions{Addr: opts.RawAddress, budget: src.budget, NoSurvey: opts.NoSurvey})
}

// maxSection is the largest .sframe section that is read.
func (a *account) maxSection() int64 {
	if n := a.budget.Limit(budget.Section); n >= 0 {
		return min(n, maxSectionSize)
	}
	return maxSectionSize
}

// Open reads the .sframe sections of an ELF file, an archive or a raw section at path. The sections stay valid if the
// file changes, and their Faults list what is wrong. If reading fails or an object is invalid, Open returns the error
// and the sections that it could read.
func Open(path string) (all []*SFrame, err error) {
	var unread error
	err = Scan(path, Options{}, func(o *Object) error {
		all = append(all, o.SFrames...)
		switch o.Status {
		case StatusNotELF, StatusDamaged:
			if unread == nil && len(o.SFrames) == 0 {
				unread = errors.New(name(o) + ": " + o.Detail)
			}
		}
		return nil
	})
	if err == nil {
		err = unread
	}
	return all, err
}

// name returns the path of an object, with the member in parentheses as in archives.
func name(o *Object) string {
	if o.Member == "" {
		return o.Path
	}
	return o.Path + "(" + o.Member + ")"
}

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
	o.damaged(reason, Fault{Code: ArchiveDamaged, Detail: reason})
}

// damaged says why an object is damaged, with a fault of the whole.
func (o *Object) damaged(detail string, f Fault) {
	o.Status, o.Detail, f.FDE, f.FRE = StatusDamaged, detail, -1, -1
	o.Faults = append(o.Faults, f)
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
