package corefile

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Core is a core dump. It is safe for concurrent use if its ReaderAt is.
type Core struct {
	ABI     model.ABIInfo
	Threads []*Thread // in the order of the file: the first one crashed
	Signal  int       // that ended the program, 0 for none
	Files   []Mapping // by address
	// PACMask has the bits of the pointer authentication code in return
	// addresses; 0 if the core does not state them (AArch64).
	PACMask uint64
	Size    int64 // bytes of the file
	// Truncated says that the file ends before its notes do: threads may be missing.
	Truncated bool

	r     io.ReaderAt
	order binary.ByteOrder
	auxv  map[uint64]uint64
	loads []load // by address
	page  uint64 // bytes of a page, a power of two and at least 4096

	budget *budget.Budget
}

// Mapping is a part of a file in the memory of the program.
type Mapping struct {
	Start, End uint64 // addresses
	Offset     uint64 // of Start in the file, bytes
	Path       string // as the program saw it

	image  uint64 // address of the file's first byte, if that is mapped before
	placed bool   // it is
}

// load is a part of memory that is in the core.
type load struct {
	addr, size uint64
	off        int64
}

// ErrNotCore is the error for a file that is not a core dump of a supported program.
var ErrNotCore = errors.New("not a Linux core dump of a supported ABI")

// Open reads a core dump of size bytes. Memory is read on demand: r must stay
// open. Errors: I/O, [ErrNotCore], notes that cannot be read, and the budget of
// the options.
func Open(r io.ReaderAt, size int64, opts reader.Options) (*Core, error) {
	var c *Core
	err := reader.ScanReader("core", r, size, opts, func(o *reader.Object) error {
		if o.ELF == nil || o.ELF.Type != elf.ET_CORE {
			return ErrNotCore
		}
		c = &Core{ABI: o.ELF.ABI(), r: r, order: o.ELF.Order, budget: opts.Budget, page: 4096, Size: size}
		return c.segments(o.ELF.Segments, size)
	})
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		return nil, ErrNotCore
	case len(c.Threads) == 0:
		return nil, fmt.Errorf("no registers of a thread: %w", ErrNotCore)
	}
	return c, nil
}

// segments reads the notes and records where memory is. Segments may share
// bytes: in all, no more notes are read than the file has bytes.
func (c *Core) segments(segs []reader.Segment, size int64) error {
	left := uint64(size)
	for i := range segs {
		s := &segs[i]
		if s.Offset > uint64(size) {
			c.Truncated = c.Truncated || s.Type == elf.PT_NOTE && s.Filesz > 0
			continue
		}
		n := min(s.Filesz, uint64(size)-s.Offset)
		switch s.Type {
		case elf.PT_LOAD:
			n = min(n, s.Memsz, ^s.Vaddr)
			if n > 0 {
				if err := c.budget.Spend(budget.Memory, loadBytes); err != nil {
					return err
				}
				c.loads = append(c.loads, load{s.Vaddr, n, int64(s.Offset)})
			}
		case elf.PT_NOTE:
			n = min(n, left)
			left -= n
			c.Truncated = c.Truncated || n < s.Filesz
			if err := c.notes(io.NewSectionReader(c.r, int64(s.Offset), int64(n)), n); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(c.loads, func(a, b load) int { return cmp.Compare(a.addr, b.addr) })
	c.place()
	return nil
}

// place sorts the mappings, and records which files are mapped from their first byte on.
func (c *Core) place() {
	slices.SortStableFunc(c.Files, func(a, b Mapping) int { return cmp.Compare(a.Start, b.Start) })
	images := map[string]uint64{}
	for i := range c.Files {
		f := &c.Files[i]
		if f.Offset == 0 {
			images[f.Path] = f.Start
		}
		f.image, f.placed = images[f.Path]
	}
}

// ReadMemory reads memory that is in the core. It satisfies [unwind.Memory].
func (c *Core) ReadMemory(addr uint64, b []byte) error {
	for len(b) > 0 {
		l, ok := c.load(addr)
		if !ok {
			return fmt.Errorf("address 0x%x is not in the core", addr)
		}
		n := int(min(uint64(len(b)), l.addr+l.size-addr))
		if _, err := c.r.ReadAt(b[:n], l.off+int64(addr-l.addr)); err != nil {
			return err
		}
		b, addr = b[n:], addr+uint64(n)
	}
	return nil
}

// load returns the part of memory that contains an address.
func (c *Core) load(addr uint64) (load, bool) {
	i, found := slices.BinarySearchFunc(c.loads, addr, func(l load, a uint64) int { return cmp.Compare(l.addr, a) })
	if !found {
		i--
	}
	if i < 0 || addr-c.loads[i].addr >= c.loads[i].size {
		return load{}, false
	}
	return c.loads[i], true
}

// Auxv returns an entry of the auxiliary vector, by its type.
func (c *Core) Auxv(typ uint64) (uint64, bool) {
	v, ok := c.auxv[typ]
	return v, ok
}

// Types of entries of the auxiliary vector.
const (
	atPHDR        = 3  // address of the executable's program headers
	atPHNUM       = 5  // and their number
	atEntry       = 9  // address of its entry point
	atExecFn      = 31 // address of the path that was executed
	atSysinfoEHDR = 33 // address of the vDSO
)

// file returns the mapping of a file that contains an address.
func (c *Core) file(addr uint64) (*Mapping, bool) {
	i, found := slices.BinarySearchFunc(c.Files, addr, func(m Mapping, a uint64) int { return cmp.Compare(m.Start, a) })
	if !found {
		i--
	}
	if i < 0 || addr >= c.Files[i].End {
		return nil, false
	}
	return &c.Files[i], true
}
