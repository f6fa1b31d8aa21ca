package execute

import (
	"bytes"
	"debug/elf"
	"errors"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// File is an ELF file, read once.
type File struct {
	Path     string // path by which it was opened
	Err      error  // why it could not be read
	Sections []*model.Section
	Faults   int // in its SFrame data

	segments []reader.Segment
	stubs    []reader.Section // of the linker
	look     *producers.Look  // nil if the file has none of those
	symbols  *reader.Symbols
	buildID  []byte // nil for none
	frames   *cfi.Frames
	rules    map[uint64]cfiRules
	budget   *budget.Budget // pays for the rules
}

// Module is a file in the memory of the program.
type Module struct {
	Name string // path by which the program opened it
	Bias uint64 // program address minus file address, modulo 2^64
	*File
}

// OpenFile reads an ELF file. Its Err says why it could not be read.
func OpenFile(path string, opts reader.Options) *File {
	f := &File{Path: path}
	f.Err = reader.Scan(path, opts, f.visit)
	return f
}

// OpenImage reads an ELF file of size bytes that is not on disk, such as the vDSO.
func OpenImage(name string, r io.ReaderAt, size int64, opts reader.Options) *File {
	f := &File{Path: name}
	f.Err = reader.ScanReader(name, r, size, opts, f.visit)
	return f
}

// errNotELF says that a module is no ELF file of a supported machine.
var errNotELF = errors.New("not an ELF file of a supported machine")

// visit takes what checks need from an object. Symbols are read now: later, the
// file is closed.
func (f *File) visit(o *reader.Object) error {
	if o.ELF == nil || o.ELF.Relocatable() || o.Member != "" {
		return errNotELF
	}
	for _, s := range o.SFrames {
		if s.Section != nil {
			f.Sections = append(f.Sections, s.Section)
		}
		f.Faults += len(s.Faults)
	}
	f.segments, f.symbols, f.budget, f.rules = o.ELF.Segments, o.ELF.Symbols, budget.Of(o.Context), map[uint64]cfiRules{}
	for i := range o.ELF.Sections {
		if s := &o.ELF.Sections[i]; s.Name == stubSection && len(f.stubs) == 0 {
			f.stubs, f.look = append(f.stubs, *s), producers.Of(o)
		}
	}
	var err error
	if f.buildID, err = o.BuildID(); err != nil {
		return err
	}
	if f.frames, err = cfi.Load(o, 0); err != nil {
		return err
	}
	return f.symbols.Err()
}

// stubSection is a section whose rows linkers make wrong by habit.
const stubSection = ".plt.got"

// Quirk returns the producer whose known habit explains the row for an address of the program, "" for none: see
// [producers.Look.Habit].
func (x *Module) Quirk(pc uint64) string {
	for i := range x.stubs {
		if s := &x.stubs[i]; x.look != nil && pc-x.Bias-s.Addr < s.Size {
			return x.look.Habit(producers.StubRule, s.Name)
		}
	}
	return ""
}

// Symbol returns the function at an address of the program, and the offset in it, in bytes.
func (x *Module) Symbol(pc uint64) (name string, off uint64, ok bool) {
	y, ok := x.symbols.Func(-1, pc-x.Bias)
	return y.Name, pc - x.Bias - y.Value, ok && y.Name != ""
}

// BuildID returns the build ID of the file, nil if it has none.
func (f *File) BuildID() []byte { return bytes.Clone(f.buildID) }

// Bias returns an address in a mapping minus the same address in the file, modulo 2^64. The mapped segment determines
// it. If several segments share a page of the file, the one with code decides. page is the page size in bytes.
func (f *File) Bias(m *Mapping, page uint64) uint64 {
	for _, code := range []bool{true, false} {
		for i := range f.segments {
			s := &f.segments[i]
			if s.Type == elf.PT_LOAD && (s.Flags&elf.PF_X != 0) == code &&
				m.Offset >= s.Offset&^(page-1) && m.Offset-s.Offset&^(page-1) < s.Filesz+s.Offset&(page-1) {
				return m.Start - m.Offset + s.Offset - s.Vaddr
			}
		}
	}
	return m.Start - m.Offset
}
