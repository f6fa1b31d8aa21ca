package main

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/scripts/internal/harness"
)

// variant is a copy of a file with or without what confirms its section.
type variant struct {
	data []byte
	has  bool                    // the file has what the variant keeps
	cfi  int64                   // offset of the section header of .eh_frame, if its contents follow the section's
	base map[harness.Finding]int // what is found in it before it is mutated
}

// Variants of a file.
const (
	both = iota
	frames
	symbols
	neither
	source // with symbols, and .eh_frame that states what the section states
	numVariants
)

var variantNames = [numVariants]string{"both", ".eh_frame", "symbols", "neither", "source"}

// vary makes the variants of the file with its section in canonical layout. CFI
// loses its section names, the symbol table its type: nothing moves. The
// dynamic symbols of a file stay, as strip leaves them. The last variant gets another .eh_frame
// with each mutant.
func (in *input) vary() error {
	section := in.Base.Bytes(model.Span{Len: in.Base.Size()})
	var cfiHeaders, frameHeaders, symbolHeaders, segments []int64
	err := in.Scan(in.Data, func(o *reader.Object) error {
		for i := range o.ELF.Sections {
			s := &o.ELF.Sections[i]
			switch {
			case s.Name == ".eh_frame" || s.Name == ".eh_frame_hdr" || s.Name == ".debug_frame":
				frameHeaders = append(frameHeaders, s.Header.Off)
				if s.Name == ".eh_frame" {
					cfiHeaders = append(cfiHeaders, s.Header.Off)
				}
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
		if v == symbols || v == neither || v == source {
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
		if v == source {
			if x.has = x.has && len(cfiHeaders) > 0; x.has {
				x.cfi = cfiHeaders[0]
				copy(data[x.cfi:][:elf64.ShdrSize], in.Data[x.cfi:])
			}
		}
		if x.base, err = in.Lint(harness.Linter, in.put(&x, section, in.Base), in.Base); err != nil {
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
