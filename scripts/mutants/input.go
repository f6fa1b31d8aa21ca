package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// input is a linked file with one SFrame section.
type input struct {
	path string
	data []byte
	abi  model.ABIInfo
	plan *generator.Plan // of the section, without its layout
	base *model.Section  // the plan as it is encoded

	section  model.Span // bytes of the section in the file
	room     int64      // bytes from the section's offset to the next contents
	sizes    []model.Span
	code     []code // executable sections, by address
	names    map[uint64]string
	variants []variant

	original []byte                  // the section's bytes
	decoded  map[uint64]instructions // by the start of a function
}

// code is an executable section.
type code struct {
	addr uint64
	data []byte
}

// errUnfit says that a file is none that can be mutated.
var errUnfit = errors.New("not a linked file with one .sframe section and its functions")

// load reads a linked file and encodes its section anew, in the canonical way.
func load(path string) (*input, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	in := &input{path: path, data: data, names: map[uint64]string{}, decoded: map[uint64]instructions{}}
	objects := 0
	err = reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		if objects++; objects > 1 {
			return errUnfit
		}
		return in.take(o)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	encoded, err := generator.Encode(in.plan)
	if err == nil && int64(len(encoded)) > in.room {
		err = errors.New("no room for the section in the canonical layout")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	in.base, err = in.decode(encoded)
	return in, err
}

// take takes from an object what mutants and verdicts need.
func (in *input) take(o *reader.Object) error {
	if o.ELF == nil || o.ELF.Relocatable() || len(o.SFrames) != 1 || o.SFrames[0].Section == nil {
		return errUnfit
	}
	sf := o.SFrames[0]
	if sf.Section.NumFDEs() == 0 || !sf.Section.ABI().Known() || len(sf.Faults) > 0 {
		return errUnfit
	}
	var err error
	if in.plan, err = generator.FromModel(sf.Section); err != nil {
		return err
	}
	if in.plan.Relocatable {
		return errUnfit
	}
	in.plan.Layout = nil
	in.abi = sf.Section.ABI()
	in.section = model.Span{Off: sf.Offset, Len: int64(len(sf.Data))}
	in.original = slices.Clone(sf.Data)
	in.measure(o.ELF, sf)
	for i := range o.ELF.Sections {
		s := &o.ELF.Sections[i]
		if s.Flags&elf.SHF_EXECINSTR == 0 || s.Type == elf.SHT_NOBITS {
			continue
		}
		b, err := o.ELF.SectionData(i, int64(len(in.data)))
		if err != nil {
			return err
		}
		in.code = append(in.code, code{s.Addr, b})
	}
	sort.Slice(in.code, func(i, j int) bool { return in.code[i].addr < in.code[j].addr })
	for i := range in.plan.Funcs {
		start := in.plan.Funcs[i].Start
		if s, ok := o.ELF.Symbols.Func(-1, start); ok && s.Value == start {
			in.names[start] = s.Name
		}
	}
	return nil
}

// measure finds the fields with the section's size, and the room that it has.
func (in *input) measure(e *reader.ELF, sf *reader.SFrame) {
	next := uint64(len(in.data))
	at := uint64(sf.Offset)
	end := at + uint64(len(sf.Data))
	for i := range e.Sections {
		s := &e.Sections[i]
		if s.Type != elf.SHT_NOBITS && s.Offset >= end && s.Size > 0 {
			next = min(next, s.Offset)
		}
		if i == sf.Index {
			in.sizes = append(in.sizes, elf64.In(s.Header.Off, elf64.ShdrSizeField))
		}
	}
	for i := range e.Segments {
		p := &e.Segments[i]
		if p.Type == reader.PT_GNU_SFRAME && p.Offset == at {
			in.sizes = append(in.sizes, elf64.In(p.Header.Off, elf64.PhdrFilesz), elf64.In(p.Header.Off, elf64.PhdrMemsz))
		}
		if p.Type == elf.PT_LOAD && p.Offset <= at && at < p.Offset+p.Filesz {
			next = min(next, p.Offset+p.Filesz)
		}
	}
	in.room = int64(max(next, end) - at)
}

func (in *input) order() binary.ByteOrder {
	if in.abi.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// put writes the bytes of a section into a variant of the file, and its size into
// the headers. It returns the file, with CFI that states the same if the variant has that.
func (in *input) put(x *variant, section []byte, s *model.Section) []byte {
	file := x.data
	at := file[in.section.Off:]
	n := copy(at, section)
	clear(at[n:max(int64(n), in.section.Len)])
	for _, sp := range in.sizes {
		in.order().PutUint64(file[sp.Off:], uint64(len(section)))
	}
	if x.cfi == 0 {
		return file
	}
	b := cfiOf(s)
	in.order().PutUint64(file[x.cfi+elf64.ShdrOffset.Off:], uint64(len(file)))
	in.order().PutUint64(file[x.cfi+elf64.ShdrSizeField.Off:], uint64(len(b)))
	return slices.Concat(file, b)
}

// restore undoes put.
func (in *input) restore(file []byte) {
	copy(file[in.section.Off:][:in.room], in.data[in.section.Off:])
	for _, sp := range in.sizes {
		copy(file[sp.Off:][:sp.Len], in.data[sp.Off:])
	}
}

// decode decodes a section of the file.
func (in *input) decode(section []byte) (*model.Section, error) {
	s, _ := reader.DecodeSection(section, reader.SectionOptions{Addr: in.plan.Addr})
	if s == nil {
		return nil, fmt.Errorf("%s: a section without a header", in.path)
	}
	return s, nil
}

// bytesAt returns the code from an address on, up to n bytes.
func (in *input) bytesAt(addr, n uint64) []byte {
	i := sort.Search(len(in.code), func(i int) bool { return in.code[i].addr > addr }) - 1
	if i < 0 || addr-in.code[i].addr >= uint64(len(in.code[i].data)) {
		return nil
	}
	b := in.code[i].data[addr-in.code[i].addr:]
	return b[:min(n, uint64(len(b)))]
}

// name returns the name of a function, by its address.
func (in *input) name(start uint64) string {
	if n := in.names[start]; n != "" {
		return n
	}
	return fmt.Sprintf("0x%x", start)
}
