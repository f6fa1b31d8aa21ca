package main

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// input is a linked file with one SFrame section.
type input struct {
	*File
	plan *generator.Plan // of the section, without its layout

	section  model.Span // bytes of the section in the file
	room     int64      // bytes from the section's offset to the next contents
	sizes    []model.Span
	variants []variant

	original []byte // the section's bytes
}

// load reads a linked file and encodes its section again, in the canonical way.
func loadInput(path string) (*input, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	in := &input{}
	if in.File, err = Load(path, data, in.take); err != nil {
		return nil, err
	}
	encoded, err := generator.Encode(in.plan)
	if err == nil && int64(len(encoded)) > in.room {
		err = errors.New("no room for the section in the canonical layout")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	in.Base, err = in.decode(encoded)
	return in, err
}

// take takes from an object what mutants need.
func (in *input) take(o *reader.Object, sf *reader.SFrame) error {
	var err error
	if in.plan, err = generator.FromModel(sf.Section); err != nil {
		return err
	}
	if in.plan.Relocatable {
		return ErrUnfit
	}
	in.plan.Layout = nil
	in.section = model.Span{Off: sf.Offset, Len: int64(len(sf.Data))}
	in.original = slices.Clone(sf.Data)
	in.measure(o.ELF, sf, o.Size)
	return nil
}

// measure finds the fields with the section's size, and the room that it has.
func (in *input) measure(e *reader.ELF, sf *reader.SFrame, size int64) {
	next := uint64(size)
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
	if in.ABI.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// put writes the bytes of a section into a variant of the file, and its size into the headers.
func (in *input) put(file, section []byte) {
	at := file[in.section.Off:]
	n := copy(at, section)
	clear(at[n:max(int64(n), in.section.Len)])
	for _, sp := range in.sizes {
		in.order().PutUint64(file[sp.Off:], uint64(len(section)))
	}
}

// restore undoes put.
func (in *input) restore(file []byte) {
	copy(file[in.section.Off:][:in.room], in.Data[in.section.Off:])
	for _, sp := range in.sizes {
		copy(file[sp.Off:][:sp.Len], in.Data[sp.Off:])
	}
}

// decode decodes a section of the file.
func (in *input) decode(section []byte) (*model.Section, error) {
	s, _ := reader.DecodeSection(section, reader.SectionOptions{Addr: in.plan.Addr})
	if s == nil {
		return nil, fmt.Errorf("%s: a section without a header", in.Path)
	}
	return s, nil
}

// variant is a copy of a file with or without what confirms its section.
type variant struct {
	data []byte
	has  bool            // the file has what the variant keeps
	base map[Finding]int // what is found in it before it is mutated
}

// Variants of a file.
const (
	both = iota
	frames
	symbols
	neither
	numVariants
)

var variantNames = [numVariants]string{"both", ".eh_frame", "symbols", "neither"}

// vary makes the variants of the file with its section in canonical layout. CFI
// loses its section names, the symbol table its type: nothing moves. The
// dynamic symbols of a file stay, as strip leaves them.
func (in *input) vary() error {
	section := in.Base.Bytes(model.Span{Len: in.Base.Size()})
	var frameHeaders, symbolHeaders, segments []int64
	err := in.Scan(in.Data, func(o *reader.Object) error {
		for i := range o.ELF.Sections {
			s := &o.ELF.Sections[i]
			switch {
			case s.Name == ".eh_frame" || s.Name == ".eh_frame_hdr" || s.Name == ".debug_frame":
				frameHeaders = append(frameHeaders, s.Header.Off)
			case s.Type == elf.SHT_SYMTAB:
				symbolHeaders = append(symbolHeaders, s.Header.Off)
			}
		}
		for i := range o.ELF.Segments {
			if p := &o.ELF.Segments[i]; p.Type == elf.PT_GNU_EH_FRAME {
				segments = append(segments, p.Header.Off)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for v := range numVariants {
		data := slices.Clone(in.Data)
		if v == symbols || v == neither {
			in.hideSections(data, frameHeaders)
			for _, at := range segments {
				in.order().PutUint32(data[at+elf64.PhdrType.Off:], uint32(elf.PT_NULL))
			}
		}
		if v == frames || v == neither {
			in.hideSections(data, symbolHeaders)
			for _, at := range symbolHeaders {
				in.order().PutUint32(data[at+elf64.ShdrType.Off:], uint32(elf.SHT_PROGBITS))
			}
		}
		x := variant{data: data}
		x.has = (v == symbols || v == neither || len(frameHeaders) > 0) && (v == frames || v == neither || len(symbolHeaders) > 0)
		in.put(data, section)
		if x.base, err = in.Lint(Linter, data, in.Base); err != nil {
			return err
		}
		in.restore(data)
		in.variants = append(in.variants, x)
	}
	return nil
}

// hideSections takes the first letter off the names of sections.
func (in *input) hideSections(data []byte, headers []int64) {
	for _, at := range headers {
		name := data[at+elf64.ShdrName.Off:]
		in.order().PutUint32(name, in.order().Uint32(name)+1)
	}
}
