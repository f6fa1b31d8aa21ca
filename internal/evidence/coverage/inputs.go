package coverage

import (
	"cmp"
	"debug/elf"
	"fmt"
	"path"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Inputs finds the input of a link to which a function of the output belongs. A linker copies CFI input by input, and
// puts FILE symbols before the local functions of their input. So CFI between two local functions of one input
// belongs to that input. GNU ld adds missing FILE symbols; mold does not.
type Inputs struct {
	o      *reader.Object
	frames *cfi.Frames
	// isCovered reports whether an FDE covers the code at an address.
	isCovered func(addr uint64) bool
	marks     []mark  // in the order of the CFI
	locals    []local // by address
	covered   map[int32]bool
	names     map[int32]string
	has       map[string]bool // libraries that are in the file
	named     bool            // the file has the symbol table that names all functions
	adds      bool            // the linker adds FILE symbols
}

// mark is the CFI of a local function whose input is known.
type mark struct {
	section, off  int32 // of the CFI
	file          int32 // index of the FILE symbol
	covered       bool  // an FDE covers the function
	before, after bool  // so it does one at or before it, at or after it, in the same input
}

// local is a local function.
type local struct {
	addr uint64
	file int32
}

// Uncovered is a function that no FDE covers.
type Uncovered struct {
	Section int   // index of the CFI's section in [cfi.Frames]; negative without CFI
	Off     int64 // offset of the CFI's FDE in that section
	Addr    uint64
	Bytes   uint64
	From    Origin // set by [Inputs.Locate]
}

// Input is an input of a link, or a library, with uncovered functions.
type Input struct {
	Name      string `json:"name,omitempty"` // name of the library or of the source or object file; "" if not known
	Functions int    `json:"functions"`
	Bytes     uint64 `json:"bytes"`
	// Lost reports whether FDEs cover other functions of the input before and after the uncovered functions.
	Lost  bool     `json:"lost,omitempty"`
	First []string `json:"-"` // names or addresses of the first uncovered functions
	// Between is the Origin.Between of the uncovered functions.
	Between string `json:"-"`
}

// inputNames bounds the functions that [Input.First] names.
const inputNames = 3

// NewInputs prepares to find the inputs of a linked file, while the file is visited. covered reports whether an FDE
// covers the code at an address. Errors come from I/O and the budget.
func NewInputs(o *reader.Object, f *cfi.Frames, covered func(addr uint64) bool) (*Inputs, error) {
	x := &Inputs{o: o, frames: f, isCovered: covered, covered: map[int32]bool{}, names: map[int32]string{}, has: map[string]bool{}}
	x.named = slices.ContainsFunc(o.ELF.Sections, func(s reader.Section) bool { return s.Type == elf.SHT_SYMTAB })
	if err := x.findLocals(); err != nil {
		return nil, err
	}
	for k, s := range f.Sections {
		for fde := range s.FDEs() {
			file := x.local(fde.Start.Addr)
			if !fde.Usable() || x.name(file) == "" {
				continue
			}
			if err := o.Hold(markCost); err != nil {
				return nil, err
			}
			x.adds = x.adds || isObject(x.name(file))
			m := mark{section: int32(k), off: int32(fde.Span.Off), file: file, covered: covered(fde.Start.Addr)}
			x.marks = append(x.marks, m)
			x.covered[m.file] = x.covered[m.file] || m.covered
		}
	}
	x.enclose()
	return x, o.Err()
}

// Bytes of a local function, a mark and a start in memory.
var (
	localCost = int64(reflect.TypeFor[local]().Size())
	markCost  = 2 * int64(reflect.TypeFor[mark]().Size())
	startCost = 4 * int64(reflect.TypeFor[start]().Size())
)

// findLocals finds the local functions of inputs with a FILE symbol, and the libraries that the file has.
func (x *Inputs) findLocals() error {
	file, full := int32(0), error(nil)
	err := x.o.ELF.Symbols.Each(func(i int, y reader.Symbol) {
		switch {
		case full != nil:
		case y.Type == elf.STT_FILE:
			file = int32(i)
		case y.Bind != elf.STB_LOCAL:
			file = 0
		case y.Hidden: // another input that has no FILE symbol may follow
		case file > 0 && y.Type == elf.STT_FUNC && y.Section > 0 && !y.Reserved:
			if full = x.o.Hold(localCost); full == nil {
				x.locals = append(x.locals, local{y.Value, file})
			}
		}
	})
	slices.SortFunc(x.locals, func(a, b local) int { return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(a.file, b.file)) })
	x.libraries()
	return cmp.Or(err, full)
}

// local returns the FILE symbol of a local function, 0 for another one.
func (x *Inputs) local(addr uint64) int32 {
	i, ok := slices.BinarySearchFunc(x.locals, addr, func(y local, addr uint64) int { return cmp.Compare(y.addr, addr) })
	if !ok {
		return 0
	}
	return x.locals[i].file
}

// libraries notes which libraries are in the file.
func (x *Inputs) libraries() {
	for i := range x.o.ELF.Symbols.Len() {
		y, ok := x.o.ELF.Symbols.Symbol(i)
		if !ok {
			return // the rest can't be read, or the budget is exceeded
		}
		if y.Type == elf.STT_FUNC && y.Section > 0 && !y.Reserved {
			if l := shownBy(y.Name); l != "" {
				x.has[l] = true
			}
		}
	}
}

// enclose sets which marks have covered functions of the same input on each side.
func (x *Inputs) enclose() {
	same := func(i, k int) bool {
		return i >= 0 && k < len(x.marks) && x.marks[i].file == x.marks[k].file && x.marks[i].section == x.marks[k].section
	}
	for i := range x.marks {
		m := &x.marks[i]
		m.before = m.covered || same(i-1, i) && x.marks[i-1].before
	}
	for i := len(x.marks) - 1; i >= 0; i-- {
		m := &x.marks[i]
		m.after = m.covered || same(i, i+1) && x.marks[i+1].after
	}
}

// name returns the name of a FILE symbol.
func (x *Inputs) name(file int32) string {
	name, ok := x.names[file]
	if !ok {
		y, _ := x.o.ELF.Symbols.Symbol(int(file))
		name = y.Name
		x.names[file] = name
	}
	return name
}

// origin returns the input of a function that is not covered, 0 if it is not known, whether the input is
// sure, and whether FDEs cover functions of that input before and after it.
func (x *Inputs) origin(u *Uncovered) (file int32, sure, lost bool) {
	if u.Section < 0 { // it has no CFI
		if file = x.local(u.Addr); file > 0 && x.trustsFileSymbol() {
			return file, true, false
		}
		return 0, false, false
	}
	at := x.after(u)
	var near []*mark
	if at > 0 && int(x.marks[at-1].section) == u.Section {
		near = append(near, &x.marks[at-1])
	}
	if at < len(x.marks) && int(x.marks[at].section) == u.Section {
		near = append(near, &x.marks[at])
		if m := &x.marks[at]; int64(m.off) == u.Off { // its own
			if m.before && m.after {
				return m.file, true, true
			}
			near, sure = near[len(near)-1:], true
		}
	}
	if len(near) == 2 && near[0].file == near[1].file {
		if near[0].before && near[1].after {
			return near[0].file, true, true
		}
		near, sure = near[:1], true
	}
	for _, m := range near {
		if !x.covered[m.file] && x.trustsFileSymbol() {
			return m.file, sure, false
		}
	}
	return 0, false, false
}

// after returns the first mark that is not before the CFI of a function.
func (x *Inputs) after(u *Uncovered) int {
	return sort.Search(len(x.marks), func(i int) bool {
		m := &x.marks[i]
		return int(m.section) > u.Section || int(m.section) == u.Section && int64(m.off) >= u.Off
	})
}

// start is a function that an FDE covers.
type start struct {
	section   int // of its CFI
	off, addr uint64
}

// look looks for inputs that no symbol names: in debug information, else for those around them. They have the functions with
// an FDE before and after in the order of the CFI, or by address if there is no CFI.
func (x *Inputs) look(unknown []*Uncovered) {
	var orders [2][]start // by address, of the CFI
	for k, s := range x.frames.Sections {
		for f := range s.FDEs() {
			if f.Usable() && x.isCovered(f.Start.Addr) && x.o.Hold(startCost) == nil {
				orders[0] = append(orders[0], start{-1, f.Start.Addr, f.Start.Addr})
				orders[1] = append(orders[1], start{k, uint64(f.Span.Off), f.Start.Addr})
			}
		}
	}
	compare := func(a, b start) int { return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.off, b.off)) }
	slices.SortFunc(orders[0], compare)
	pcs := make([]lines.PC, 3*len(unknown)) // of the function before each, its own, and of the one after
	for i, u := range unknown {
		of, at := orders[0], start{-1, u.Addr, u.Addr}
		if u.Section >= 0 {
			of, at = orders[1], start{u.Section, uint64(u.Off), u.Addr}
		}
		k, _ := slices.BinarySearchFunc(of, at, compare)
		pcs[3*i+1].Addr = u.Addr
		for side, k := range [2]int{k - 1, k} {
			if k >= 0 && k < len(of) && of[k].section == at.section {
				pcs[3*i+2*side].Addr = of[k].addr
			}
		}
	}
	found := lines.Of(x.o, pcs)
	for i, u := range unknown {
		if own := found[pcs[3*i+1]].File; own != "" {
			u.From.Input = escape.UTF8(path.Base(own))
			continue
		}
		var near [2]string
		for side := range near {
			pc, k := pcs[3*i+2*side], x.after(u)-1+side
			file := cmp.Or(x.name(x.local(pc.Addr)), found[pc].File)
			if k >= 0 && k < len(x.marks) && int(x.marks[k].section) == u.Section {
				file = x.name(x.marks[k].file)
			}
			if function := x.function(pc.Addr); file != "" {
				near[side] = escape.Name(path.Base(file))
			} else if function != "" {
				near[side] = "the function " + escape.Quoted(function)
			}
		}
		switch last, next := near[0], near[1]; {
		case last != "" && next != "" && last != next:
			u.From.Between = "between " + last + " and " + next
		case last != "":
			u.From.Between = "after " + last
		case next != "":
			u.From.Between = "before " + next
		}
	}
}

// trustsFileSymbol reports whether a FILE symbol names the input of the local functions after it, although their
// input has no FDE: the linker adds those that are missing, or no library of the system is in the file, where
// they mostly are.
func (x *Inputs) trustsFileSymbol() bool { return x.adds || len(x.has) == 0 }

// Origin is the input from which a function comes.
type Origin struct {
	Input string // name of the library or of the source or object file; "" if not known
	// Between names the neighboring inputs of a function whose own input is not known, as in "between a.c and b.c".
	// It is "" if these are not known either.
	Between  string
	Function string // "" if the function has no name
	Lost     bool   // see [Input]
	// Start reports whether the function belongs to a start file, or to a library part that every program contains.
	Start bool
}

// Locate sets the From field of each function.
func (x *Inputs) Locate(all []Uncovered) {
	libraries := x.vote(all)
	var unknown []*Uncovered
	for i := range all {
		file, sure, lost := x.origin(&all[i])
		function := x.function(all[i].Addr)
		name, ok := x.input(&all[i], function, file, sure, libraries)
		from := &all[i].From
		*from = Origin{Input: escape.UTF8(name), Function: escape.UTF8(function), Lost: lost, Start: !ok || function == "" && x.startsNameless(all[i].Addr)}
		if !from.Start && name == "" {
			unknown = append(unknown, &all[i])
		}
	}
	if len(unknown) > 0 {
		x.look(unknown)
	}
}

// Start reports whether a function belongs to a start file, or to a library part that every program contains.
func (x *Inputs) Start(u *Uncovered) bool {
	function := x.function(u.Addr)
	file, sure, _ := x.origin(u)
	if function == "" {
		return x.startsNameless(u.Addr) || startFile(x.name(file))
	}
	_, counts := x.input(u, function, file, sure, nil)
	return !counts
}

// Own reports whether the function at addr has another source file in debug information than the functions at the
// other two addresses.
func (x *Inputs) Own(addr uint64, others [2]uint64) bool {
	found := lines.Of(x.o, []lines.PC{{Addr: addr}, {Addr: others[0]}, {Addr: others[1]}})
	file := found[lines.PC{Addr: addr}].File
	return file != "" && file != found[lines.PC{Addr: others[0]}].File && file != found[lines.PC{Addr: others[1]}].File
}

// Group groups located functions by input, the largest group first. It leaves out functions of start files.
func (x *Inputs) Group(all []Uncovered) []Input {
	type key struct {
		name, between string
		lost          bool
	}
	groups := map[key]int{}
	var out []Input
	for i := range all {
		from := all[i].From
		if from.Start {
			continue
		}
		id := key{from.Input, from.Between, from.Lost}
		k, ok := groups[id]
		if !ok {
			k = len(out)
			groups[id], out = k, append(out, Input{Name: id.name, Between: id.between, Lost: id.lost})
		}
		g := &out[k]
		g.Functions++
		if g.Bytes += all[i].Bytes; len(g.First) < inputNames {
			name := fmt.Sprintf("0x%x", all[i].Addr)
			if from.Function != "" {
				name = `"` + from.Function + `"`
			}
			g.First = append(g.First, name)
		}
	}
	slices.SortStableFunc(out, func(a, b Input) int { return cmp.Compare(b.Functions, a.Functions) })
	return out
}

// vote returns the libraries of object files whose functions show one, and of those between such files: a linker copies
// the members of libraries one after the other.
func (x *Inputs) vote(all []Uncovered) map[int32]string {
	out := map[int32]string{}
	for i := range all {
		file, _, _ := x.origin(&all[i])
		if name := x.name(file); isObject(name) {
			if l := x.library(x.function(all[i].Addr)); l != "" {
				out[file] = cmp.Or(out[file], l)
			}
		}
	}
	last, between := "", []int32(nil)
	for i := range x.marks {
		file := x.marks[i].file
		switch l := out[file]; {
		case x.covered[file] || !isObject(x.name(file)):
			last, between = "", nil
		case l == "":
			between = append(between, file)
		default:
			for _, file := range between {
				out[file] = last
			}
			last, between = l, nil
		}
	}
	return out
}

// isObject reports whether a FILE symbol is one that GNU ld adds: the input has none, as is usual in the
// libraries of a system.
func isObject(file string) bool { return strings.HasSuffix(file, ".o") }

// library returns the library in the file that a function belongs to by its name, "" for none.
func (x *Inputs) library(function string) string {
	if l := libraryOf(function); x.has[l] {
		return l
	}
	if x.has[cLibrary] && (reserved(function) || slices.Contains(startFunctions, function)) {
		return cLibrary
	}
	return ""
}

// input returns the name of a function's input, "" if it is not known. It is false for functions
// that do not count: those of the compiler and the C library in each program have CFI, and veneers are a linker's.
func (x *Inputs) input(u *Uncovered, function string, file int32, sure bool, libraries map[int32]string) (string, bool) {
	name := x.name(file)
	switch l := x.library(function); {
	case startFile(name), slices.Contains(crtFunctions, function):
		return "", false
	case libraries[file] != "":
		return libraries[file], true
	case l != "" && (!sure || name == "" || isObject(name)):
		return l, true
	case slices.Contains(startFunctions, function):
		return "", false
	case name != "" && !isObject(name):
		return name, true
	case strings.HasPrefix(function, "__") && (u.Section >= 0 || strings.Contains(function, "_veneer") || strings.Contains(function, "Thunk_")), libraryOf(function) != "":
		return "", false
	}
	return name, function != "" || name != "" || !x.named
}

// function returns the name of the function at an address, "" if it has none.
func (x *Inputs) function(addr uint64) string {
	name, value, ok := x.o.ELF.Symbols.AppendFunc(nil, -1, addr)
	if !ok || value != addr {
		return ""
	}
	return string(name)
}
