package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// File is a linked file with one SFrame section.
type File struct {
	Path string
	Data []byte
	ABI  model.ABIInfo
	Base *model.Section // what others are compared with

	code    []code // executable sections, by address
	names   map[uint64]string
	decoded map[uint64]instructions // by the start of a function
}

// code is an executable section.
type code struct {
	addr uint64
	data []byte
}

// ErrUnfit says that a file cannot be a subject.
var ErrUnfit = errors.New("not a linked file with one .sframe section and its functions")

// Load reads a linked file. It calls visit, if that is not nil, with the object and its section.
func Load(path string, data []byte, visit func(*reader.Object, *reader.SFrame) error) (*File, error) {
	f := &File{Path: path, Data: data, names: map[uint64]string{}, decoded: map[uint64]instructions{}}
	objects := 0
	err := f.Scan(data, func(o *reader.Object) error {
		if objects++; objects > 1 {
			return ErrUnfit
		}
		if o.ELF == nil || o.ELF.Relocatable() || len(o.SFrames) != 1 || o.SFrames[0].Section == nil {
			return ErrUnfit
		}
		sf := o.SFrames[0]
		if sf.Section.NumFDEs() == 0 || !sf.Section.ABI().Known() || len(sf.Faults) > 0 {
			return ErrUnfit
		}
		if err := f.take(o, sf); err != nil || visit == nil {
			return err
		}
		return visit(o, sf)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// take copies the section, the code and the names of the functions.
func (f *File) take(o *reader.Object, sf *reader.SFrame) error {
	f.ABI = sf.Section.ABI()
	f.Base, _ = reader.DecodeSection(slices.Clone(sf.Data), reader.SectionOptions{Addr: sf.Section.Addr()})
	for i := range o.ELF.Sections {
		s := &o.ELF.Sections[i]
		if s.Flags&elf.SHF_EXECINSTR == 0 || s.Type == elf.SHT_NOBITS {
			continue
		}
		b, err := o.ELF.SectionData(i, int64(len(f.Data)))
		if err != nil {
			return err
		}
		f.code = append(f.code, code{s.Addr, b})
	}
	sort.Slice(f.code, func(i, j int) bool { return f.code[i].addr < f.code[j].addr })
	for i := range sf.Section.NumFDEs() {
		start := sf.Section.FDE(i).Start()
		if s, ok := o.ELF.Symbols.Func(-1, start); ok && s.Value == start {
			f.names[start] = s.Name
		}
	}
	return nil
}

// Scan reads another version of the file.
func (f *File) Scan(data []byte, visit func(*reader.Object) error) error {
	return reader.ScanReader(f.Path, bytes.NewReader(data), int64(len(data)), reader.Options{}, visit)
}

// functions returns the ranges of the functions of the section that others are compared with.
func (f *File) functions() []proof.Range {
	all := make([]proof.Range, f.Base.NumFDEs())
	for i := range all {
		fde := f.Base.FDE(i)
		all[i] = proof.RangeOf(&fde)
	}
	return all
}

// BytesAt returns the code from an address on, up to n bytes.
func (f *File) BytesAt(addr, n uint64) []byte {
	i := sort.Search(len(f.code), func(i int) bool { return f.code[i].addr > addr }) - 1
	if i < 0 || addr-f.code[i].addr >= uint64(len(f.code[i].data)) {
		return nil
	}
	b := f.code[i].data[addr-f.code[i].addr:]
	return b[:min(n, uint64(len(b)))]
}

// Name returns the name of a function, by its address.
func (f *File) Name(start uint64) string {
	if n := f.names[start]; n != "" {
		return n
	}
	return fmt.Sprintf("0x%x", start)
}

// Instructions returns the offsets of the instructions in a function's code, and of those that are
// calls. Where the code can't be decoded, the shortest instructions of the ABI are counted. It returns
// nil for code that the file does not have.
func (f *File) Instructions(start, size uint64) (all, calls []int64) {
	if c, ok := f.decoded[start]; ok && (len(c.all) == 0 || uint64(c.all[len(c.all)-1]) < size) {
		return c.all, c.calls
	}
	for off, i := range insn.For(f.ABI.Machine).All(f.BytesAt(start, size), start) {
		all = append(all, int64(off))
		if i.Calls() {
			calls = append(calls, int64(off))
		}
	}
	f.decoded[start] = instructions{all, calls}
	return all, calls
}

// instructions are those of a function.
type instructions struct{ all, calls []int64 }

// First returns the first instruction at an address, one of no bytes where there is no code.
func (f *File) First(pc uint64) insn.Insn {
	return insn.For(f.ABI.Machine).One(f.BytesAt(pc, insn.MaxLen), pc)
}

// Points returns the addresses at which two sections must agree: the
// instructions of the ranges, and the last bytes of calls, which consumers look
// up for the callers of a frame.
func (f *File) Points(touched Ranges) (out []uint64) {
	add := func(pc uint64) {
		if touched.Contains(pc) {
			out = append(out, pc)
		}
	}
	var covered Ranges
	for _, x := range f.functions() {
		if x.Start == x.End {
			continue
		}
		r := reader.AddrRange{First: x.Start, Last: x.End - 1}
		if !touched.Overlaps(r) {
			continue
		}
		covered = append(covered, r)
		insns, calls := f.Instructions(x.Start, x.End-x.Start)
		for _, off := range insns {
			add(x.Start + uint64(off))
		}
		for _, off := range calls {
			if k, _ := slices.BinarySearch(insns, off+1); k < len(insns) {
				add(x.Start + uint64(insns[k]) - 1)
			}
		}
	}
	for _, r := range touched {
		for pc := r.First; pc <= r.Last; {
			if covered.Contains(pc) {
				pc++
				continue
			}
			i := f.First(pc)
			if i.Len > 0 && !i.Pad { // code that is no padding
				out = append(out, pc)
			}
			pc += uint64(max(i.Len, 1))
		}
	}
	return out
}
