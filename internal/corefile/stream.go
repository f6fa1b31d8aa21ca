package corefile

import (
	"bufio"
	"bytes"
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

// What is kept of a core that is read once, in bytes.
const (
	// keptPage is the unit. Pages of zeros take no memory.
	keptPage = 4096
	// pageBytes is about what a page takes.
	pageBytes = keptPage + 64
	// redZone is what functions of AMD64 use below SP.
	redZone = 128
	// maxStack is the maximum number of bytes of a stack, from SP up, and maxOther the largest part of memory that is
	// kept although no SP is in it: a signal handler may run on a stack of its own.
	maxStack, maxOther = 64 << 20, 16 << 20
	// imageBytes is what is kept of the start of a mapped file, for its build ID.
	imageBytes = 64 << 10
)

// OpenStream reads a core dump once from start to end, such as the one that the kernel writes to
// the standard input of a handler. It keeps what backtraces need, in memory: the notes, each
// stack from SP of a thread up, other small parts of memory that the program could write as long as half of
// the memory of the budget remains, the vDSO, and the starts of files. Errors are those of [Open].
func OpenStream(r io.Reader, opts reader.Options) (*Core, error) {
	s := &stream{in: bufio.NewReaderSize(&timed{r, opts.Budget}, 1<<16), pages: map[int64]*[keptPage]byte{}}
	c := &Core{budget: opts.Budget, page: keptPage, r: s}
	s.core = c
	segs, err := s.headers()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(segs, func(a, b elf.Prog64) int { return cmp.Compare(a.Off, b.Off) })
	for i := range segs {
		if elf.ProgType(segs[i].Type) == elf.PT_NOTE {
			if err := s.notes(&segs[i]); err != nil {
				return nil, err
			}
		}
		if elf.ProgType(segs[i].Type) == elf.PT_LOAD && segs[i].Filesz > 0 {
			s.ready()
			if err := s.memory(&segs[i]); err != nil {
				return nil, err
			}
		}
	}
	if len(c.Threads) == 0 {
		return nil, fmt.Errorf("no registers of a thread: %w", ErrNotCore)
	}
	c.place() // gdb writes the notes after the memory
	slices.SortStableFunc(c.loads, func(a, b load) int { return cmp.Compare(a.addr, b.addr) })
	n, err := io.Copy(io.Discard, s.in) // what writes a core is not to fail
	c.Size = s.at + n
	return c, err
}

// stream is a core that is read once. It satisfies [io.ReaderAt] for what was kept.
type stream struct {
	core   *Core
	in     *bufio.Reader
	at     int64 // what was read
	placed bool
	stacks []uint64 // SP of each thread
	pages  map[int64]*[keptPage]byte
	part   [keptPage]byte // that is being read
}

// timed is a reader that ends with the budget's time.
type timed struct {
	io.Reader
	budget *budget.Budget
}

func (t *timed) Read(b []byte) (int, error) {
	if err := t.budget.Err(); err != nil {
		return 0, err
	}
	return t.Reader.Read(b)
}

// headers reads the headers, and returns the segments.
func (s *stream) headers() ([]elf.Prog64, error) {
	c := s.core
	head := make([]byte, ehdrSize)
	if _, err := io.ReadFull(s.in, head); err != nil || string(head[:4]) != elf.ELFMAG {
		return nil, ErrNotCore
	}
	s.at = ehdrSize
	c.order = binary.LittleEndian
	if elf.Data(head[elf.EI_DATA]) == elf.ELFDATA2MSB {
		c.order = binary.BigEndian
	}
	var h elf.Header64
	if _, err := binary.Decode(head, c.order, &h); err != nil {
		return nil, err
	}
	c.ABI = model.LookupMachine(elf.Machine(h.Machine), c.order == binary.BigEndian)
	if elf.Type(h.Type) != elf.ET_CORE || elf.Class(head[elf.EI_CLASS]) != elf.ELFCLASS64 || !c.ABI.Known() || h.Phentsize != phdrSize {
		return nil, ErrNotCore
	}
	if h.Phnum == 0xffff {
		return nil, fmt.Errorf("it has %d segments or more: only a file can be read", h.Phnum)
	}
	if err := s.skip(int64(h.Phoff)); err != nil {
		return nil, err
	}
	if err := c.budget.Spend(budget.Memory, int64(h.Phnum)*2*phdrSize); err != nil {
		return nil, err
	}
	b := make([]byte, int(h.Phnum)*phdrSize)
	if _, err := io.ReadFull(s.in, b); err != nil {
		return nil, fmt.Errorf("it ends before its notes do: %w", ErrNotCore)
	}
	s.at += int64(len(b))
	segs := make([]elf.Prog64, h.Phnum)
	_, err := binary.Decode(b, c.order, segs)
	return segs, err
}

// skip reads up to an offset. It is an error if that was read already.
func (s *stream) skip(to int64) error {
	if to < s.at {
		return fmt.Errorf("offset 0x%x after 0x%x: only a file can be read in this order", to, s.at)
	}
	n, err := io.CopyN(io.Discard, s.in, to-s.at)
	s.at += n
	return err
}

// notes reads the notes of a segment.
func (s *stream) notes(p *elf.Prog64) error {
	c := s.core
	if err := s.skip(int64(p.Off)); err != nil {
		return s.ended(err)
	}
	in := &io.LimitedReader{R: s.in, N: int64(min(p.Filesz, 1<<62))}
	err := c.notes(in, p.Filesz)
	if err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	s.at += int64(p.Filesz) - in.N
	if err == nil && in.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return s.ended(err)
}

// ended makes the end of the stream before that of the notes no error.
func (s *stream) ended(err error) error {
	if err != nil && short(err) == nil {
		s.core.Truncated = true
	}
	return short(err)
}

// ready prepares for the memory, after the notes.
func (s *stream) ready() {
	if s.placed {
		return
	}
	s.placed = true
	s.core.place()
	for _, t := range s.core.Threads {
		if sp, ok := t.Register(s.core.ABI.SP); ok {
			s.stacks = append(s.stacks, sp)
		}
	}
	slices.Sort(s.stacks)
}

// memory reads a segment, and keeps a part of it.
func (s *stream) memory(p *elf.Prog64) error {
	if int64(p.Off) < s.at {
		return nil // another segment had the bytes
	}
	if err := s.skip(int64(p.Off)); err != nil {
		return short(err)
	}
	n := min(p.Filesz, p.Memsz, ^p.Vaddr, 1<<62)
	from, to, spare := s.wanted(p, n)
	if from == to {
		return nil
	}
	if err := s.skip(int64(p.Off + from)); err != nil {
		return short(err)
	}
	if err := s.core.budget.Spend(budget.Memory, loadBytes); err != nil {
		return err
	}
	kept, err := s.keep(to-from, spare)
	if kept > 0 {
		s.core.loads = append(s.core.loads, load{p.Vaddr + from, kept, int64(p.Off + from)})
	}
	return short(err)
}

// short makes the end of the stream in the memory no error: what is missing cannot be read.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// wanted returns which of the first n bytes of a segment are kept. spare says that they are kept
// only if there is room.
func (s *stream) wanted(p *elf.Prog64, n uint64) (from, to uint64, spare bool) {
	c := s.core
	i, _ := slices.BinarySearch(s.stacks, p.Vaddr)
	if i < len(s.stacks) && s.stacks[i]-p.Vaddr < n {
		sp := s.stacks[i] - p.Vaddr // the lowest one
		from = (sp - min(sp, redZone)) &^ (keptPage - 1)
		last := sp
		for ; i < len(s.stacks) && s.stacks[i]-p.Vaddr < n; i++ {
			last = s.stacks[i] - p.Vaddr
		}
		return from, min(n, last+maxStack), false
	}
	if at, ok := c.Auxv(atSysinfoEHDR); ok && at >= p.Vaddr && at-p.Vaddr < n {
		return 0, min(n, maxVDSO), false
	}
	if f, ok := c.file(p.Vaddr); ok && f.Offset == 0 {
		return 0, min(n, imageBytes), true
	}
	// Without a list of files, that of the dynamic linker has to be found. Of a core whose notes
	// are after the memory, neither files nor threads are known yet.
	if (p.Flags&uint32(elf.PF_W) != 0 || len(c.Files) == 0) && n <= maxOther {
		return 0, n, true
	}
	return 0, 0, false
}

// keep reads n bytes and keeps them. It returns how many it has kept.
func (s *stream) keep(n uint64, spare bool) (kept uint64, err error) {
	b := s.core.budget
	for kept < n {
		part := s.part[:min(keptPage, n-kept)]
		got, err := io.ReadFull(s.in, part)
		at := s.at
		s.at += int64(got)
		if !bytes.Equal(part[:got], zeros[:got]) {
			if most := b.Limit(budget.Memory); spare && most >= 0 && b.Used(budget.Memory) > most/2 {
				return kept, nil
			}
			if b.Spend(budget.Memory, pageBytes) != nil {
				return kept, nil // the budget says so
			}
			s.store(at, part[:got])
		}
		kept += uint64(got)
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

var zeros [keptPage]byte

// store keeps bytes at an offset of the core, which may be on two pages.
func (s *stream) store(at int64, b []byte) {
	for len(b) > 0 {
		base := at &^ (keptPage - 1)
		p := s.pages[base]
		if p == nil {
			p = new([keptPage]byte)
			s.pages[base] = p
		}
		n := copy(p[at-base:], b)
		b, at = b[n:], at+int64(n)
	}
}

// ReadAt reads bytes at an offset that was kept: without a page, they are zeros.
func (s *stream) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		base := (at + int64(n)) &^ (keptPage - 1)
		page := s.pages[base]
		if page == nil {
			page = &zeros
		}
		n += copy(b[n:], page[at+int64(n)-base:])
	}
	return n, nil
}
