// Package lines finds the source lines of instructions in debug information. It reads the line tables of DWARF 2 to
// 5, and the functions and inlined functions in .debug_info.
//
// The package reads only what the searched instructions need, within the remaining budget. If the budget is too
// small, it finds nothing. It does not open other files by itself.
package lines

import (
	"context"
	"debug/elf"
	"path"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// PC is the place of an instruction. Addr is an address or, in a relocatable file, an offset in the section with
// index Place.
type PC struct {
	Place uint32
	Addr  uint64
}

// Location is what debug information says about an instruction.
type Location struct {
	Line
	// Before is the line of the previous instruction, if known.
	Before Line
	// Frames are the functions that contain the instruction, innermost first, if known.
	Frames []Frame
	// Assembly reports whether the source is written in assembly.
	Assembly bool
	// Producer is the compiler's description of itself, or "" if unknown.
	Producer string
}

// Line is a line of a source file. The path is slash-separated and has the form that debug information gives. It
// includes the directory of the compilation if that directory is known.
type Line struct {
	File string
	Line int // starts at 1; 0 for no line
}

// Frame is a function, possibly an inlined one. Call is the place in the next frame where Function was inlined.
type Frame struct {
	Function string
	Call     Line
}

// Sources has the files with the debug information of an object.
type Sources struct {
	Object *reader.Object
	// Debug is a separate file with the debug information of Object, or nil.
	Debug *reader.Object
	// Split opens a file of split DWARF and passes it to visit. The name is relative to dir. Split may be nil.
	Split func(dir, name string, visit func(*reader.Object))
}

// Has reports whether an object has a line table.
func Has(o *reader.Object) bool {
	return o.ELF != nil && slices.ContainsFunc(o.ELF.Sections, func(s reader.Section) bool {
		return name(&s) == ".debug_line" && s.Type != elf.SHT_NOBITS && s.Size > 0
	})
}

// search is a search for lines.
type search struct {
	f       *source
	targets []target
	code    func(addr uint64) bool
	units   []int64 // offsets of the units of .debug_info
	entered int     // functions that were found for targets
	bytes   int     // of names and paths that are kept
	dirs    map[int64]compilation
	split   func(dir, name string, visit func(*reader.Object))
}

// compilation is what a unit states of a line table.
type compilation struct {
	dir      string
	language uint64
	producer string
}

// What is held of a search: the instructions that are searched, the first ones; their functions, and
// the bytes of paths and names. Real files have few functions inlined into one another.
const (
	mostTargets = 4096
	mostEntered = 1 << 16
	mostKept    = 1 << 20
	targetCost  = 1 << 10 // bytes of memory of a target and its location
)

// Find returns the known locations of instructions. It must be called while the objects are visited.
func Find(in Sources, all []PC) map[PC]Location {
	o := in.Object
	if in.Debug != nil {
		o = in.Debug
	}
	if !Has(o) {
		return nil
	}
	s := &search{f: newFile(o, newAllowance(o)), dirs: map[int64]compilation{}, split: in.Split, code: codeOf(in.Object.ELF)}
	if !s.setTargets(all) || !s.lines() {
		return nil
	}
	s.functions()
	return s.locations()
}

// debugKey is the key of what finds separate debug files in a context.
type debugKey struct{}

// WithDebug returns a context for objects. For such an object, [Of] also uses the separate debug file that open
// finds.
func WithDebug(ctx context.Context, open func(o *reader.Object, use func(debug *reader.Object))) context.Context {
	return context.WithValue(ctx, debugKey{}, open)
}

// Of calls [Find] for an object and its separate debug file, if [WithDebug] has set a function that finds one.
func Of(o *reader.Object, all []PC) (out map[PC]Location) {
	use := func(debug *reader.Object) { out = Find(Sources{Object: o, Debug: debug}, all) }
	if open, ok := o.Context.Value(debugKey{}).(func(*reader.Object, func(*reader.Object))); ok {
		open(o, use)
	} else {
		use(nil)
	}
	return out
}

// setTargets sets the targets, in order. It reports whether there is memory for them.
func (s *search) setTargets(all []PC) bool {
	seen := map[PC]bool{}
	for _, pc := range all {
		if !seen[pc] && len(seen) < mostTargets {
			seen[pc] = true
			s.targets = append(s.targets, target{at: codeAddr{pc.Place, pc.Addr}})
		}
	}
	slices.SortFunc(s.targets, func(a, b target) int { return a.at.compare(b.at) })
	n := int64(len(s.targets)) * targetCost
	return budget.Of(s.f.o.Context).Room(budget.Memory) >= n && s.f.o.Hold(n) == nil
}

// keep returns a name or path, "" if there are too many bytes of them.
func (s *search) keep(text string) string {
	if s.bytes += len(text); s.bytes > mostKept {
		return ""
	}
	return text
}

// codeOf returns a function that reports whether an address is one of a linked file's code.
func codeOf(e *reader.ELF) func(uint64) bool {
	if e.Relocatable() {
		return func(uint64) bool { return false }
	}
	var loaded []reader.Segment // of a file without section headers, the first ones
	for i := range e.Segments {
		if s := &e.Segments[i]; len(e.Sections) == 0 && s.Type == elf.PT_LOAD && s.Flags&elf.PF_X != 0 && len(loaded) < 16 {
			loaded = append(loaded, *s)
		}
	}
	return func(addr uint64) bool {
		if i, ok := e.SectionAt(addr); ok {
			return e.Sections[i].Flags&elf.SHF_EXECINSTR != 0
		}
		return slices.ContainsFunc(loaded, func(s reader.Segment) bool { return addr >= s.Vaddr && addr-s.Vaddr < s.Memsz })
	}
}

// lines finds the lines of the targets.
func (s *search) lines() (any bool) {
	for at := int64(0); s.f.spend.step(100); {
		t, next := s.f.tableAt(at)
		if t != nil && t.match(s.f.spend, s.targets, s.code) {
			any = true
		}
		if next <= at {
			break
		}
		at = next
	}
	return any
}

// mostUnits bounds the units whose offsets are kept.
const mostUnits = 1 << 17

// functions finds the functions of the targets, and the directories of their compilations.
func (s *search) functions() {
	needed := map[int64]bool{}
	for i := range s.targets {
		needed[s.targets[i].table] = s.targets[i].hit || needed[s.targets[i].table]
	}
	for at := int64(0); s.f.spend.step(100); {
		u, next := s.f.unitAt(at, false)
		if u != nil {
			if len(s.units) < mostUnits {
				s.units = append(s.units, at)
			}
			if u.root() && u.lines >= 0 && needed[u.lines] {
				s.compilation(u)
			}
		}
		if next <= at {
			return
		}
		at = next
	}
}

// compilation notes what a unit states of its line table, and finds the functions of targets
// in it.
func (s *search) compilation(u *unit) {
	if _, ok := s.dirs[u.lines]; !ok {
		s.dirs[u.lines] = compilation{u.dir, u.language, s.keep(u.producer)}
	}
	if u.dwoName == "" || s.split == nil {
		s.walk(u)
		return
	}
	s.split(u.dir, u.dwoName, func(o *reader.Object) {
		if o.ELF == nil || o.ELF.BigEndian() != s.f.e.BigEndian() {
			return
		}
		f := newFile(o, s.f.spend)
		x, _ := f.unitAt(0, true)
		if x == nil || !x.root() || x.id != u.id {
			return
		}
		x.addrs, x.addrBase, x.rangesBase, x.low, x.lines = s.f, u.addrBase, u.rangesBase, u.low, u.lines
		s.walk(x)
		for i := range s.targets {
			for _, y := range s.targets[i].scopes {
				if y.u == x {
					s.resolve(y, func(*unit, int64) *unit { return x })
				}
			}
		}
	})
}

// unitWith returns the unit that contains an entry.
func (s *search) unitWith(u *unit, at int64) *unit {
	if at >= u.off && at < u.end {
		return u
	}
	i, found := slices.BinarySearch(s.units, at)
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	if u, _ = s.f.unitAt(s.units[i], false); u == nil || at >= u.end || !u.root() {
		return nil
	}
	return u
}

// locations describes the targets that were found.
func (s *search) locations() map[PC]Location {
	out := map[PC]Location{}
	tables := map[int64][]*target{}
	var order []int64
	for i := range s.targets {
		t := &s.targets[i]
		if !t.hit {
			continue
		}
		if tables[t.table] == nil {
			order = append(order, t.table)
		}
		tables[t.table] = append(tables[t.table], t)
	}
	for _, at := range order {
		t, _ := s.f.tableAt(at)
		if t == nil {
			continue
		}
		n := s.f.readNames(t)
		in, paths := s.dirs[at], map[uint64]string{}
		line := func(m mark) Line {
			file, ok := paths[m.file]
			if !ok && m.line > 0 {
				if file = n.path(m.file); file != "" {
					file = s.keep(path.Clean(Join(in.dir, file)))
				}
				paths[m.file] = file
			}
			if file == "" || m.line == 0 {
				return Line{}
			}
			return Line{file, m.line}
		}
		for _, x := range tables[at] {
			l := Location{Line: line(x.mark), Before: line(x.before), Frames: s.frames(x, line)}
			if x.none && len(l.Frames) > 1 && l.Frames[0].Call.Line > 0 {
				l.Line, l.Frames = l.Frames[0].Call, l.Frames[1:]
			}
			l.Producer = in.producer
			l.Assembly = in.language == langAssembler || isAssembly(l.File)
			if l.Line.Line > 0 {
				out[PC{x.at.section, x.at.addr}] = l
			}
		}
	}
	return out
}

// frames returns the functions of a target, the innermost first.
func (s *search) frames(x *target, line func(mark) Line) (out []Frame) {
	for _, y := range slices.Backward(x.scopes) {
		s.resolve(y, s.unitWith)
		f := Frame{Function: y.function}
		if y.inlined {
			f.Call = line(y.call)
		}
		out = append(out, f)
	}
	return out
}

// langAssembler is DW_LANG_Mips_Assembler, which assemblers give all assembly.
const langAssembler = 0x8001

// isAssembly reports whether a file's name is that of a source in assembly.
func isAssembly(file string) bool {
	switch path.Ext(file) {
	case ".s", ".S", ".asm", ".sx":
		return true
	}
	return false
}

// Join returns file, or dir/file if file is a relative path and dir is not empty.
func Join(dir, file string) string {
	if file == "" || dir == "" || strings.HasPrefix(file, "/") {
		return file
	}
	return strings.TrimSuffix(dir, "/") + "/" + file
}
