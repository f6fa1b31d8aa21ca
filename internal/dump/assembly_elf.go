package dump

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/sframe-lint/sframe-lint/internal/asm"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// ErrNotELF is the error for an object that is not an ELF file of a machine that the format has an ABI for.
var ErrNotELF = errors.New("not an ELF file of a supported machine")

// About the bytes of memory for each byte of a file that is printed, and of its symbols.
const (
	elfCost    = 3
	symbolCost = 6
)

// ELFAssembly writes an ELF file as a text that package asm assembles to the same file: its first SFrame
// section as [Assembly] writes it, the headers of sections and segments, the symbols and the relocations of
// the section by their meaning, and the contents of all other sections. If incbin is set, the text takes
// the contents from the file at the object's path. It must be called while the object is visited.
func ELFAssembly(w io.Writer, o *reader.Object, incbin bool) error {
	if o.ELF == nil {
		return ErrNotELF
	}
	file, err := o.Whole(elfCost)
	if err != nil {
		return err
	}
	for i := range o.ELF.Sections {
		if s := &o.ELF.Sections[i]; s.Type == elf.SHT_SYMTAB && s.Size < uint64(o.Size) {
			if err := o.Hold(symbolCost * int64(s.Size)); err != nil {
				return err
			}
			break
		}
	}
	// The first text has the contents by reference, and shows which bytes no statement makes.
	var text bytes.Buffer
	t := &elfText{printer: newPrinter(&text), o: o, e: o.ELF, file: file, draft: true}
	if err := t.write(&text); err != nil {
		return err
	}
	read := func(_ string, off, n int64) ([]byte, int64, error) {
		size := int64(len(file))
		off = min(off, size)
		return file[off : off+min(n, size-off)], size, nil
	}
	out, err := asm.Assemble(text.Bytes(), asm.Options{Read: read, Limit: max(2*o.Size, 64<<20)})
	if err != nil {
		return fmt.Errorf("the file has no text: %w", err)
	}
	t = &elfText{printer: newPrinter(w), o: o, e: o.ELF, file: file, incbin: incbin && o.Package == ""}
	if err := t.write(w); err != nil {
		return err
	}
	t.patches(out.Bytes)
	return t.flush()
}

// elfText writes the text of a file.
type elfText struct {
	*printer
	o      *reader.Object
	e      *reader.ELF
	file   []byte // the bytes of the object
	incbin bool
	draft  bool // all contents by reference, as offsets in the object, and only sections' names by their meaning

	head   elf.Header64
	shows  *reader.SFrame   // the section that is printed by its meaning; nil for none
	starts map[int64]string // functions by the offsets of their start fields
	abi    model.ABIInfo    // that the text states
	big    bool             // its byte order
	holds  []string         // what the assembler fills sections with, by index
	tables map[int]*asm.NameTable
	count  map[string]int // sections by name
	syms   []elf.Sym64
	names  []string // of symbols
	stated int      // bytes of contents that the text has

	bytesOf   [][]byte // contents of sections, by index
	defaults  []uint64 // offsets of sections if the text states none
	headersAt uint64   // that of the sections' headers
}

func (t *elfText) printf(format string, args ...any) { fmt.Fprintf(t.printer, format, args...) }

// path returns the name of the file that has the object.
func (t *elfText) path() string {
	if t.o.File != "" {
		return t.o.File
	}
	return filepath.ToSlash(t.o.Path)
}

// write writes all statements, besides those for bytes that no other one makes.
func (t *elfText) write(text io.Writer) error {
	order := t.e.Order
	decode(order, t.file, &t.head)
	if len(t.o.SFrames) > 0 {
		t.shows = t.o.SFrames[0]
	}
	t.chooseFillers()
	if err := t.section(text); err != nil {
		return err
	}
	t.readSymbols()
	t.decideTables()
	t.plan()
	t.fileHeader()
	t.sections()
	if !t.draft {
		t.symbols()
		t.relocs()
	}
	t.segments()
	return t.flush()
}

// section writes the SFrame section, before everything else: it states the ABI, whose names the rest has.
func (t *elfText) section(text io.Writer) error {
	t.starts = map[int64]string{}
	t.abi, t.big = t.e.ABI(), t.e.BigEndian()
	if t.shows != nil && t.shows.Section != nil {
		t.abi, t.big = t.shows.Section.ABI(), t.shows.Section.BigEndian()
	} else {
		t.printf(".abi %s\n", t.abi.Short())
	}
	if t.draft && t.abi.Known() {
		t.printf(".abi %s\n", t.abi.Short())
	}
	if t.draft {
		t.printf(".order %s\n", map[bool]string{true: "big", false: "little"}[t.big])
	}
	if t.shows == nil || t.draft {
		return nil
	}
	t.flush()
	return assemblyOf(text, t.o, t.shows, t.starts)
}

// fileHeader writes the fields of the ELF header.
func (t *elfText) fileHeader() {
	name := strconv.Itoa(int(t.e.Type))
	switch t.e.Type {
	case elf.ET_REL:
		name = "rel"
	case elf.ET_EXEC:
		name = "exec"
	case elf.ET_DYN:
		name = "dyn"
	}
	t.printf("\n.elf %s exact", name)
	if t.big != t.e.BigEndian() {
		t.printf(" order=%s", map[bool]string{true: "big", false: "little"}[t.e.BigEndian()])
	}
	if v := t.head.Ident[elf.EI_OSABI]; v != 0 {
		t.printf(" osabi=%d", v)
	}
	if t.head.Flags != 0 {
		t.printf(" flags=0x%x", t.head.Flags)
	}
	if n := uint64(len(t.e.Segments)); n > 0 && t.head.Phoff != elf64.EhdrSize && t.head.Phoff+n*elf64.PhdrSize <= uint64(len(t.file)) {
		t.printf(" phoff=0x%x", t.head.Phoff)
	}
	switch n := uint64(len(t.e.Sections)); {
	case n == 0:
		t.str(" shoff=0")
	case t.head.Shoff != t.headersAt && t.head.Shoff+n*elf64.ShdrSize <= uint64(len(t.file)):
		t.printf(" shoff=0x%x", t.head.Shoff)
	}
	t.str("\n")
	if t.e.Machine != t.abi.Machine {
		t.printf(".machine %d\n", uint16(t.e.Machine))
	}
	if t.e.Entry != 0 {
		t.printf(".entry 0x%x\n", t.e.Entry)
	}
}

// patchGap is the number of equal bytes that a line with bytes of the file may have between others.
const patchGap = 8

// patches writes the bytes of the file that the assembled one does not have, and its size.
func (t *elfText) patches(got []byte) {
	want := t.file
	at := func(i int) byte {
		if i < len(got) {
			return got[i]
		}
		return 0
	}
	end := len(got)
	for i := 0; i < len(want); {
		if i < len(got) && i+64 <= len(got) && i+64 <= len(want) && bytes.Equal(got[i:i+64], want[i:i+64]) {
			i += 64
			continue
		}
		if at(i) == want[i] {
			i++
			continue
		}
		last := i + 1
		for n := last; n < min(len(want), i+2*restLine) && n < last+patchGap; n++ {
			if at(n) != want[n] {
				last = n + 1
			}
		}
		t.printf(".file_at 0x%x: ", i)
		t.bytes(want[i:last])
		t.str("\n")
		end = max(end, last)
		i = last
		t.spill()
	}
	if end != len(want) {
		t.printf(".file_size %d\n", len(want))
	}
}
