package corefile

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Modules are the ELF files of the program in a core. A file is read when a PC
// is in it for the first time. Modules is not safe for concurrent use.
type Modules struct {
	core    *Core
	opts    Options
	files   map[string]*File // by the path that is opened
	loaded  map[loadedFile]*Module
	vdso    *Module
	vdsoAt  uint64 // address of its image
	vdsoEnd uint64
	program *Module         // of a core without NT_FILE
	exe     string          // path of the executable, as the core has it
	listed  []*Module       // by the dynamic linker; see byLinker
	asked   bool            // byLinker has filled listed
	tramps  map[uint64]bool // whether the code at an address is that of a signal trampoline
	visited int64           // segments that a look-up visits besides those of the file that it finds
}

// moduleBytes is about what a module takes, besides its file.
const moduleBytes = 256

// LookupCost returns the maximum number of segments of files that a look-up of an address visits.
func (m *Modules) LookupCost(pc uint64) int64 {
	n := m.visited
	if x, ok := m.At(pc); ok {
		n += int64(len(x.segments))
	}
	return n
}

type loadedFile struct {
	path string
	bias uint64
}

// Options determine where the files of a core are.
type Options struct {
	Exe     string // file of the executable; "" for the one that the core names
	Sysroot string // directory below which the other files are; "" for the root
	CFI     bool   // read CFI too: see [Module.CFI]
	// Resolve returns the file to open for a path of the program, "" for the one that Exe and
	// Sysroot determine. It may be nil.
	Resolve func(path string) string
	Read    reader.Options
}

// File is an ELF file that is a module, read once.
type File struct {
	Path     string // as opened
	Err      error  // why it could not be read
	Sections []*model.Section
	Faults   int // in its SFrame data

	segments []reader.Segment
	stubs    []reader.Section // of the linker
	look     *producers.Look  // nil if the file has none of those
	symbols  *reader.Symbols
	buildID  []byte // nil for none

	wantCFI bool
	frames  *cfi.Frames
	entries int64 // of CFI
	rules   map[uint64]cfiRules
	budget  *budget.Budget // pays for the rules, and for code
}

// Module is a file in the memory of the program.
type Module struct {
	Name string // as the program saw it
	Bias uint64 // program address minus file address, modulo 2^64
	*File
}

// vdsoName names the vDSO as gdb and the kernel do.
const vdsoName = "[vdso]"

// maxVDSO bounds the image of a vDSO, which has some pages.
const maxVDSO = 1 << 20

// NewModules returns the modules of a core.
func NewModules(c *Core, opts Options) *Modules {
	m := &Modules{core: c, opts: opts, files: map[string]*File{}, loaded: map[loadedFile]*Module{}, tramps: map[uint64]bool{}}
	for _, typ := range []uint64{atEntry, atPHDR} {
		if at, ok := c.Auxv(typ); ok && m.exe == "" {
			if f, ok := c.file(at); ok {
				m.exe = f.Path
			}
		}
	}
	m.findVDSO()
	if len(c.Files) == 0 {
		if at, ok := c.Auxv(atExecFn); ok {
			m.exe = c.text(at)
		}
		if opts.Exe != "" || m.exe != "" {
			m.findProgram()
		}
	}
	return m
}

// Module returns the module whose code contains an address. It satisfies
// [unwind.Modules].
func (m *Modules) Module(pc uint64) (unwind.Module, bool) {
	x, ok := m.At(pc)
	if !ok {
		return unwind.Module{}, false
	}
	return unwind.Module{Name: x.Name, Bias: x.Bias, Sections: x.Sections}, true
}

// At returns the module that contains an address. One that could not be read has
// an error and no sections.
func (m *Modules) At(pc uint64) (*Module, bool) {
	if m.vdso != nil && pc >= m.vdsoAt && pc < m.vdsoEnd {
		return m.vdso, true
	}
	if p := m.program; p != nil && p.covers(pc-p.Bias) {
		return p, true
	}
	at, ok := m.core.file(pc)
	if !ok {
		return m.byLinker(pc)
	}
	f := m.open(m.path(at.Path))
	key := loadedFile{at.Path, f.bias(at, m.core.page)}
	if m.loaded[key] == nil {
		x := &Module{Name: at.Path, Bias: key.bias, File: f}
		if at.placed {
			m.sameFile(x, at.image)
		}
		if !remember(m.opts.Read.Budget, moduleBytes) {
			return x, true // it is made again for each frame
		}
		m.loaded[key] = x
	}
	return m.loaded[key], true
}

// byLinker returns the module that contains an address among those that the dynamic linker
// lists: cores of qemu do not list files, and other lists may lack some.
func (m *Modules) byLinker(pc uint64) (*Module, bool) {
	if !m.asked {
		m.asked = true
		m.listed = m.findLinked()
		for _, x := range m.listed {
			m.visited += int64(len(x.segments)) + 1
		}
	}
	for _, x := range m.listed {
		if x.covers(pc - x.Bias) {
			m.loaded[loadedFile{x.Name, x.Bias}] = x
			return x, true
		}
	}
	return nil, false
}

func (m *Modules) findLinked() (all []*Module) {
	dynamic, ok := m.core.dynamic()
	if !ok {
		dynamic, ok = m.dynamic()
	}
	if !ok {
		return nil
	}
	for _, l := range m.core.linkMap(dynamic) {
		if !strings.Contains(l.name, "/") {
			continue // the vDSO
		}
		x := &Module{Name: l.name, Bias: l.bias, File: m.open(m.path(l.name))}
		if image, ok := x.image(); ok {
			m.sameFile(x, image)
		}
		for i := range x.segments {
			if s := &x.segments[i]; x.Err == nil && s.Type == elf.PT_DYNAMIC && s.Vaddr+l.bias != l.ld {
				x.File = &File{Path: x.Path, Err: errOtherFile, segments: x.segments}
			}
		}
		all = append(all, x)
	}
	return all
}

// dynamic returns the address of the executable's PT_DYNAMIC by its file, as cores may lack
// what the program could not write.
func (m *Modules) dynamic() (uint64, bool) {
	at, _ := m.core.Auxv(atPHDR)
	x, ok := m.At(at)
	if !ok {
		return 0, false
	}
	i := slices.IndexFunc(x.segments, func(s reader.Segment) bool { return s.Type == elf.PT_DYNAMIC })
	if i < 0 {
		return 0, false
	}
	return x.segments[i].Vaddr + x.Bias, true
}

// errOtherFile says that a file is not the one that ran.
var errOtherFile = errors.New("not used: its dynamic section is not where that of the file that ran is")

// image returns the address of a file's first byte in memory, if that is loaded.
func (x *Module) image() (uint64, bool) {
	for i := range x.segments {
		if s := &x.segments[i]; s.Type == elf.PT_LOAD && s.Offset == 0 {
			return s.Vaddr + x.Bias, true
		}
	}
	return 0, false
}

// Reuse makes m use the files that o has read.
func (m *Modules) Reuse(o *Modules) { m.files = o.files }

// All returns, by name, the modules that contained a PC, and those in the dynamic
// linker's list that can't be read.
func (m *Modules) All() []*Module {
	var all []*Module
	for _, x := range m.loaded {
		all = append(all, x)
	}
	for _, x := range []*Module{m.vdso, m.program} {
		if x != nil {
			all = append(all, x)
		}
	}
	for _, x := range m.listed {
		if x.segments == nil { // a PC may be in it
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(a, b *Module) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Bias, b.Bias))
	})
	return all
}

// path returns the file to open for a path of the core. A path cannot lead out of
// the sysroot by dots.
func (m *Modules) path(name string) string {
	if name == m.exe && m.opts.Exe != "" {
		return m.opts.Exe
	}
	if m.opts.Resolve != nil {
		if at := m.opts.Resolve(name); at != "" {
			return at
		}
	}
	if m.opts.Sysroot == "" {
		return name
	}
	return filepath.Join(m.opts.Sysroot, filepath.Clean("/"+name))
}

// open reads a file once.
func (m *Modules) open(path string) *File {
	if f := m.files[path]; f != nil {
		return f
	}
	f := &File{Path: path, Err: errTooMany}
	if len(m.files) < maxFiles {
		f = OpenFile(path, m.opts)
	}
	m.files[path] = f
	return f
}

// OpenFile reads an ELF file that is a module. Its Err says why it could not be read. It
// uses the options CFI and Read.
func OpenFile(path string, opts Options) *File {
	f := &File{Path: path, wantCFI: opts.CFI}
	f.Err = reader.Scan(path, opts.Read, f.visit)
	return f
}

// OpenImage reads an ELF file of size bytes that is not on disk, such as the vDSO.
func OpenImage(name string, r io.ReaderAt, size int64, opts Options) *File {
	f := &File{Path: name, wantCFI: opts.CFI}
	f.Err = reader.ScanReader(name, r, size, opts.Read, f.visit)
	return f
}

// BuildID returns the build ID of the file, nil for none.
func (f *File) BuildID() []byte { return bytes.Clone(f.buildID) }

// Bias returns the difference, modulo 2^64, between the addresses of a mapping and those of
// the file. page is the number of bytes of a page.
func (f *File) Bias(m *Mapping, page uint64) uint64 { return f.bias(m, page) }

// maxFiles bounds the files that are read for a core.
const maxFiles = 1 << 12

var errTooMany = fmt.Errorf("not read: the limit is %d files", maxFiles)

// errNotELF says that a module is no ELF file of a supported machine.
var errNotELF = errors.New("not an ELF file of a supported machine")

// visit takes what a trace needs from an object. Symbols are read now: later, the
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
	f.segments, f.symbols, f.budget = o.ELF.Segments, o.ELF.Symbols, o.Budget
	for i := range o.ELF.Sections {
		if s := &o.ELF.Sections[i]; s.Name == stubSection && len(f.stubs) == 0 {
			f.stubs, f.look = append(f.stubs, *s), producers.Of(o)
		}
	}
	var err error
	if f.buildID, err = BuildIDOf(o); err != nil {
		return err
	}
	if f.wantCFI {
		if f.frames, err = cfi.Load(o, 0); err != nil {
			return err
		}
		for _, s := range f.frames.Sections {
			f.entries += int64(s.NumFDEs())
		}
		f.rules = map[uint64]cfiRules{}
	}
	return f.symbols.Err()
}

// stubSection is a section whose rows linkers make wrong by habit.
const stubSection = ".plt.got"

// Habit returns the producer whose known habit a finding of a rule is, "" for none: see
// [producers.Look.Habit]. The finding is about the row for an address of the program.
func (x *Module) Habit(rule string, pc uint64) string {
	for i := range x.stubs {
		if s := &x.stubs[i]; x.look != nil && pc-x.Bias-s.Addr < s.Size {
			return x.look.Habit(rule, s.Name)
		}
	}
	return ""
}

// Symbol returns the function at an address of the program, and the distance from
// its start in bytes.
func (x *Module) Symbol(pc uint64) (name string, off uint64, ok bool) {
	y, ok := x.symbols.Func(-1, pc-x.Bias)
	return y.Name, pc - x.Bias - y.Value, ok && y.Name != ""
}

// bias returns the difference between the addresses of a mapping and those of the
// file, which the segment that was mapped shows. Code decides: other segments may
// share a page of the file with it.
func (f *File) bias(m *Mapping, page uint64) uint64 {
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

// covers reports whether an address of the file is in one of its segments.
func (f *File) covers(addr uint64) bool {
	return slices.ContainsFunc(f.segments, func(s reader.Segment) bool {
		return s.Type == elf.PT_LOAD && addr >= s.Vaddr && addr-s.Vaddr < s.Memsz
	})
}

// findVDSO reads the ELF image of the vDSO, which is only in memory. Its first
// segment is at address 0 of the file.
func (m *Modules) findVDSO() {
	at, ok := m.core.Auxv(atSysinfoEHDR)
	if !ok || at == 0 {
		return
	}
	l, ok := m.core.load(at)
	if !ok {
		return
	}
	size := min(l.addr+l.size-at, maxVDSO)
	f := OpenImage(vdsoName, io.NewSectionReader(m.core.r, l.off+int64(at-l.addr), int64(size)), int64(size), m.opts)
	m.vdso, m.vdsoAt, m.vdsoEnd = &Module{Name: vdsoName, Bias: at, File: f}, at, at+size
	if i := slices.IndexFunc(f.segments, func(s reader.Segment) bool { return s.Type == elf.PT_LOAD }); i >= 0 {
		m.vdso.Bias = at - f.segments[i].Vaddr + f.segments[i].Offset
	}
}

// findProgram places the executable by its program headers, whose address the
// auxiliary vector has. Cores of qemu do not list files.
func (m *Modules) findProgram() {
	m.exe = cmp.Or(m.exe, m.opts.Exe)
	f := m.open(m.path(m.exe))
	m.program = &Module{Name: m.exe, File: f}
	m.visited += int64(len(f.segments))
	at, ok := m.core.Auxv(atPHDR)
	if !ok || len(f.segments) == 0 {
		return
	}
	off := uint64(f.segments[0].Header.Off)
	for i := range f.segments {
		if s := &f.segments[i]; s.Type == elf.PT_LOAD && off >= s.Offset && off-s.Offset < s.Filesz {
			m.program.Bias = at - (s.Vaddr + off - s.Offset)
			m.sameFile(m.program, at-off)
			return
		}
	}
}
