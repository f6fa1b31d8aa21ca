package reader

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/model"
)

// source is a bounded window of an input: a whole file or a member of an
// archive. Offsets count from the window's first byte.
type source struct {
	r    io.ReaderAt
	path string // for errors
	base int64
	size int64
	all  []byte // of a small one that was loaded, else nil
	*account
}

// account is what an object has cost so far. Symbols and code are read while
// the object is visited, by callers that can do without: the scan must still
// end in the first error.
type account struct {
	budget *budget.Budget
	mu     sync.Mutex
	err    error
	held   int64 // of budget.Memory
	data   int64 // bytes of .sframe sections
}

func newSource(r io.ReaderAt, path string, size int64, b *budget.Budget) source {
	return source{r: r, path: path, size: size, account: &account{budget: b}}
}

// inMemory returns a source of bytes that are in memory.
func inMemory(b []byte, path string, a *account) source {
	return source{r: bytes.NewReader(b), path: path, size: int64(len(b)), all: b, account: a}
}

// fail keeps an error and returns it.
func (a *account) fail(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
	return err
}

func (a *account) first() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// hold spends n bytes of memory until the object has been visited.
func (a *account) hold(n int64) error {
	err := a.budget.Hold(n)
	if err == nil {
		a.mu.Lock()
		a.held += n
		a.mu.Unlock()
	}
	return err
}

// drop gives back n bytes that hold has spent.
func (a *account) drop(n int64) {
	a.budget.Drop(n)
	a.mu.Lock()
	a.held -= n
	a.mu.Unlock()
}

// holding holds n bytes, or drops them if n is negative.
func (a *account) holding(n int64) error {
	if n < 0 {
		a.drop(-n)
		return nil
	}
	return a.hold(n)
}

// section does the same for a .sframe section.
func (a *account) section(n int64) error {
	err := a.budget.Section(n)
	if err == nil {
		a.mu.Lock()
		a.data += n
		a.mu.Unlock()
	}
	return err
}

// release gives back what was held.
func (a *account) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.budget.Drop(a.held)
	a.budget.EndSections(a.data)
	a.held, a.data = 0, 0
}

// window returns a part of the source, with an account of its own. The caller
// has seen that it is inside.
func (s source) window(sp model.Span) source {
	w := source{r: s.r, path: s.path, base: s.base + sp.Off, size: sp.Len, account: &account{budget: s.budget}}
	if s.all != nil {
		w.all = s.all[sp.Off:sp.End():sp.End()]
	}
	return w
}

// small is the number of bytes that an object may have to be read at once: system calls cost
// more than the bytes then.
const small = 64 << 10

// tiny is the number of bytes that a file may have to be read at once whatever it is.
const tiny = 4 << 10

// load reads all bytes of a small source, and returns up to more bytes after it. Where
// the file has become shorter, the reads that need the missing bytes report it; any other
// error ends the scan.
func (s *source) load(more int64) (after []byte, err error) {
	if s.all != nil || s.size == 0 || s.size > small {
		return nil, nil
	}
	b := make([]byte, s.size+more)
	switch n, err := readAt(s.r, b, s.base); {
	case int64(n) >= s.size:
		s.all, after = b[:s.size:s.size], b[s.size:n]
	case err != nil && err != io.EOF:
		return nil, s.fail(s.failed(len(b), 0, err))
	}
	return after, nil
}

// failed describes a read of n bytes at off that failed.
func (s source) failed(n int, off int64, err error) error {
	return fmt.Errorf("reading %d bytes at 0x%x of %s: %w", n, s.base+off, s.path, err)
}

// clip cuts n bytes at off, which a file claims, to the bytes that are
// there, and reports whether nothing was cut.
func (s source) clip(off, n uint64) (sp model.Span, whole bool) {
	size := uint64(s.size)
	from := min(off, size)
	length := min(n, size-from)
	return model.Span{Off: int64(from), Len: int64(length)}, off <= size && length == n
}

// read returns the bytes of a span, in a slice of exactly that size that must not be modified. The span must come
// from clip, the only check of claimed sizes against the file's size. The caller has limited the size or holds the
// memory.
func (s source) read(sp model.Span) ([]byte, error) {
	switch {
	case sp.Len == 0:
		return nil, nil
	case s.all != nil:
		return s.all[sp.Off:sp.End():sp.End()], s.spend(sp.Len)
	}
	b := make([]byte, sp.Len)
	return b, s.fill(b, sp.Off)
}

// part reads the first n bytes of a span, or all of it, into buf.
func (s source) part(sp model.Span, n uint64, buf []byte) ([]byte, error) {
	n = min(n, uint64(sp.Len))
	buf = slices.Grow(buf[:0], int(n))[:n]
	return buf, s.fill(buf, sp.Off)
}

// readMost is the number of bytes that are read between two looks at the budget.
const readMost = 32 << 20

// spend takes n bytes from the budget for reading.
func (s source) spend(n int64) error {
	err := s.budget.Err()
	if err == nil {
		err = s.budget.Spend(budget.Read, n)
	}
	if err != nil {
		return s.fail(err)
	}
	return nil
}

// fill reads len(b) bytes at off.
func (s source) fill(b []byte, off int64) error {
	if s.all != nil {
		copy(b, s.all[off:off+int64(len(b))])
		return s.spend(int64(len(b)))
	}
	for at := 0; at < len(b); at += readMost {
		part := b[at:min(at+readMost, len(b))]
		if err := s.spend(int64(len(part))); err != nil {
			return err
		}
		n, err := readAt(s.r, part, s.base+off+int64(at))
		if n == len(part) {
			continue
		}
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF // the file became shorter since it was measured
		}
		return s.fail(s.failed(len(b), off, err))
	}
	return nil
}

// head returns the first n bytes, fewer where the source is shorter.
func (s source) head(n int64) ([]byte, error) {
	return s.read(model.Span{Len: min(n, s.size)})
}

// each passes the entries of a table to yield, some thousand at a time.
func (s source) each(sp model.Span, size int64, yield func(entries []byte, at int64) error) error {
	if s.all != nil && sp.Len >= size {
		if err := s.budget.Step(sp.Len / size); err != nil {
			return s.fail(err)
		}
		b, err := s.read(model.Span{Off: sp.Off, Len: sp.Len / size * size})
		if err != nil {
			return err
		}
		return yield(b, sp.Off)
	}
	most := max(wholeTable/size, 1) * size
	b := make([]byte, min(sp.Len/size*size, most))
	for at := sp.Off; at < sp.Off+sp.Len/size*size; at += int64(len(b)) {
		b = b[:min(int64(len(b)), sp.Off+sp.Len/size*size-at)]
		if err := s.budget.Step(int64(len(b)) / size); err != nil {
			return s.fail(err)
		}
		if err := s.fill(b, at); err != nil {
			return err
		}
		if err := yield(b, at); err != nil {
			return err
		}
	}
	return nil
}

// parallelRead is the number of bytes from which it pays to read with two
// goroutines: the kernel's copy and the first touch of fresh memory are then
// done by two processors.
const parallelRead = 1 << 20

// readAt is r.ReadAt for any size.
func readAt(r io.ReaderAt, b []byte, off int64) (int, error) {
	if len(b) < parallelRead {
		return r.ReadAt(b, off)
	}
	hugePages(b)
	half := len(b) / 2
	var n2 int
	var err2 error
	var wg sync.WaitGroup
	wg.Go(func() { n2, err2 = r.ReadAt(b[half:], off+int64(half)) })
	n, err := r.ReadAt(b[:half], off)
	wg.Wait()
	if n < half {
		return n, err
	}
	return n + n2, err2
}

// file says how many bytes the file of the source really has.
func (s source) file() {
	if s.size > budget.FreeContent {
		s.budget.File(regular.Data(s.r, s.base, s.size))
	}
}

// content says how many bytes the object really has in the tables and sections that are read,
// its .sframe sections apart. Bytes that several sections claim count once.
func (r *elfReader) content() {
	if r.src.size <= budget.FreeContent {
		return
	}
	var all []model.Span
	add := func(off, n uint64) {
		if sp, _ := r.src.clip(off, n); sp.Len > 0 {
			all = append(all, sp)
		}
	}
	if n := len(r.elf.Sections); n > 0 {
		add(r.hdr.shoff, uint64(n)*uint64(r.shdrSize()))
	}
	for i := range r.elf.Sections {
		if s := &r.elf.Sections[i]; s.read() {
			add(s.Offset, s.Size)
		}
	}
	for i := range r.elf.Segments {
		if s := &r.elf.Segments[i]; s.Type == elf.PT_LOAD && len(r.elf.Sections) == 0 {
			add(s.Offset, s.Filesz)
		}
	}
	slices.SortFunc(all, func(a, b model.Span) int { return cmp.Compare(a.Off, b.Off) })
	sum := int64(0)
	for i := 0; i < len(all); {
		sp := all[i]
		for i++; i < len(all) && all[i].Off <= sp.End()+joined; i++ {
			sp.Len = max(sp.End(), all[i].End()) - sp.Off
		}
		sum += regular.Data(r.src.r, r.src.base+sp.Off, sp.Len)
	}
	r.src.budget.Content(sum)
}

// joined is the number of bytes that may be between two sections that are looked up at once.
const joined = 4 << 10

// read reports whether rules or the reader look at the section's bytes, other than SFrame data.
func (s *Section) read() bool {
	switch {
	case s.Type == elf.SHT_NOBITS || s.Type == SHT_GNU_SFRAME || s.Name == ".sframe":
		return false
	case s.Flags&elf.SHF_ALLOC != 0 || s.Name == ".debug_frame" || s.Name == ".zdebug_frame":
		return true
	}
	switch s.Type {
	case elf.SHT_SYMTAB, elf.SHT_DYNSYM, elf.SHT_STRTAB, elf.SHT_RELA, elf.SHT_REL, elf.SHT_SYMTAB_SHNDX, elf.SHT_GROUP:
		return true
	}
	return false
}
