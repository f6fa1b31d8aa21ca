package proof

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/reader"
)

// image is the code and data of an object. It is safe for concurrent use.
type image struct {
	o     *reader.Object
	e     *reader.ELF
	arch  *arch
	rel   bool
	order binary.ByteOrder

	mu       sync.Mutex
	relocs   map[int32][]reloc // by section, sorted by offset
	external map[uint32]int32  // undefined symbols; see kindOf
	// slots are words of a linked file that the dynamic linker sets to the address of a function: a range of the file, or
	// what kindOf returns. plt has the stubs of a PLT that lead there.
	slots, plt map[uint64]int32
	stubs      map[uint64]bool // by address; see stopsAt
	throws     bool            // it may call what only landing pads call
	err        error           // the first one of I/O and the budget
}

// reloc is a relocation.
type reloc struct {
	off      uint64
	typ, sym uint32
	addend   int64
}

func newImage(o *reader.Object, a *arch) *image {
	return &image{o: o, e: o.ELF, arch: a, rel: o.ELF.Relocatable(), throws: o.ELF.Relocatable(), order: o.ELF.Order, relocs: map[int32][]reloc{}, slots: map[uint64]int32{}, plt: map[uint64]int32{}, stubs: map[uint64]bool{}}
}

func (img *image) fail(err error) {
	img.mu.Lock()
	defer img.mu.Unlock()
	if img.err == nil {
		img.err = err
	}
}

// ended reports whether there was an error, or the budget has ended.
func (img *image) ended() bool {
	if err := img.o.Err(); err != nil {
		img.fail(err)
	}
	img.mu.Lock()
	defer img.mu.Unlock()
	return img.err != nil
}

// relocsOf returns the relocations that have an effect on a section of a relocatable file, sorted
// by offset. Linked files have tables of relocations of another kind.
func (img *image) relocsOf(section int32) []reloc {
	img.mu.Lock()
	defer img.mu.Unlock()
	out, ok := img.relocs[section]
	if ok {
		return out
	}
	tables := img.e.RelaTables()
	first, _ := slices.BinarySearchFunc(tables, uint32(section), func(i int, of uint32) int { return cmp.Compare(img.e.Sections[i].Info, of) })
	for _, i := range tables[first:] {
		s := &img.e.Sections[i]
		if s.Info != uint32(section) {
			break
		}
		if s.EntSize != elf64.RelaSize {
			continue
		}
		b, err := img.e.SectionData(i, maxRelocs)
		if err != nil {
			continue // a section that the file does not have is reported elsewhere
		}
		if err = img.o.Step(int64(len(b) / elf64.RelaSize)); err == nil {
			err = img.o.Hold(int64(len(b)))
		}
		if err != nil {
			if img.err == nil {
				img.err = err
			}
			break
		}
		for ; len(b) >= elf64.RelaSize; b = b[elf64.RelaSize:] {
			info := img.order.Uint64(b[8:])
			if img.arch.abi.NoEffect(uint32(info)) {
				continue
			}
			out = append(out, reloc{img.order.Uint64(b), uint32(info), uint32(info >> 32), int64(img.order.Uint64(b[16:]))})
		}
	}
	if !slices.IsSortedFunc(out, byOffset) {
		slices.SortStableFunc(out, byOffset)
	}
	img.relocs[section] = out
	return out
}

// maxRelocs bounds the bytes of a section of relocations.
const maxRelocs = budget.TrackRelocs

func byOffset(a, b reloc) int { return cmp.Compare(a.off, b.off) }

// relocAt returns the relocation of the field at an offset.
func (img *image) relocAt(section int32, off uint64) (reloc, bool) {
	return img.findReloc(img.relocsOf(section), off, off+1)
}

// findReloc returns the first relocation from one offset to another.
func (img *image) findReloc(all []reloc, from, to uint64) (reloc, bool) {
	if i := firstReloc(all, from); i < len(all) && all[i].off < to {
		return all[i], true
	}
	return reloc{}, false
}

// firstReloc returns the index of the first relocation from an offset on.
func firstReloc(all []reloc, from uint64) int {
	i, _ := slices.BinarySearchFunc(all, from, func(r reloc, off uint64) int { return cmp.Compare(r.off, off) })
	return i
}

// namesPads reports whether a relocation from one offset to another is for a function that only landing pads call.
func (img *image) namesPads(all []reloc, from, to uint64) bool {
	for i := firstReloc(all, from); i < len(all) && all[i].off < to; i++ {
		if img.kind(all[i]) <= resumes {
			return true
		}
	}
	return false
}

// symbol returns the place that a relocation's symbol and addend lead to.
func (img *image) symbol(r reloc) (place int32, value uint64, ok bool) {
	section, value, ok := img.e.Symbols.Place(int(r.sym))
	return int32(section), value + uint64(r.addend), ok
}

// stops reports whether a relocation's symbol is an undefined function that does not return.
func (img *image) stops(r reloc) bool { return stops(img.kind(r)) }

// kind returns what kindOf says of a relocation's symbol, if that is undefined.
func (img *image) kind(r reloc) int32 {
	img.mu.Lock()
	defer img.mu.Unlock()
	known, ok := img.external[r.sym]
	if ok {
		return known
	}
	if y, ok := img.e.Symbols.Symbol(int(r.sym)); ok && y.Section == int(elf.SHN_UNDEF) {
		known = kindOf(y.Name)
	}
	if img.external == nil {
		img.external = map[uint32]int32{}
	}
	img.external[r.sym] = known
	return known
}

// Kinds of functions that an object does not have, besides none: those that do not return.
const (
	resumes int32 = -3 // it does not return, and only landing pads of exceptions call it
	catches int32 = -4 // only those call it
)

// kindOf returns the kind of a function, 0 for others.
func kindOf(name string) int32 {
	switch {
	case name == "_Unwind_Resume":
		return resumes
	case name == "__cxa_begin_catch":
		return catches
	case slices.Contains(noReturnNames, name):
		return none
	}
	return 0
}

// stops reports whether a function of a kind does not return.
func stops(kind int32) bool { return kind == none || kind == resumes }

// noReturnNames are functions that do not return. _Unwind_RaiseException does where nothing catches the exception.
var noReturnNames = strings.Fields(`
	abort exit _exit _Exit quick_exit __stack_chk_fail __stack_chk_fail_local __chk_fail __fortify_fail
	__assert_fail __assert_perror_fail __assert __assert_rtn
	__cxa_throw __cxa_rethrow __cxa_bad_cast __cxa_bad_typeid __cxa_throw_bad_array_new_length
	__cxa_call_unexpected __cxa_call_terminate __cxa_pure_virtual __cxa_deleted_virtual
	_ZSt9terminatev __clang_call_terminate
	longjmp _longjmp siglongjmp __longjmp_chk pthread_exit err errx verr verrx panic __libc_fatal
	__libc_start_main thrd_exit __ubsan_handle_builtin_unreachable`)

// view reads the object for one goroutine.
type view struct {
	*image
	buf   []byte // of data
	place int32
	at    uint64
	whole bool // buf is valid
	large []byte
}

// use makes v a view of another object, of which nothing is known. Its buffers are used again.
func (v *view) use(img *image) { *v = view{image: img, buf: v.buf, large: v.large} }

// code reads bytes of code into buf.
func (v *view) code(place uint32, start, end uint64, buf []byte) ([]byte, bool) {
	b, err := v.e.Part(int(place), start, end-start, buf)
	if err != nil || uint64(len(b)) != end-start {
		return nil, false
	}
	return b, true
}

// dataPiece is the number of bytes of tables that are read at once.
const dataPiece = 4096

// data returns n bytes of the object, fewer where it does not have them.
func (v *view) data(place int32, at uint64, n int) []byte { return v.fetch(place, at, n, dataPiece) }

// fetch is data for a caller that reads at least so many bytes at once.
func (v *view) fetch(place int32, at uint64, n, least int) []byte {
	if have := uint64(len(v.buf)); !v.whole || place != v.place || at-v.at > have || uint64(n) > have-(at-v.at) {
		b, err := v.e.Part(int(place), at, uint64(max(n, least)), v.buf)
		if v.whole = err == nil; !v.whole {
			return nil
		}
		v.buf, v.place, v.at = b, place, at
	}
	b := v.buf[at-v.at:]
	return b[:min(n, len(b))]
}

// bytes is data for any number of bytes.
func (v *view) bytes(place int32, at uint64, n int) []byte {
	if n <= dataPiece {
		return v.data(place, at, n)
	}
	b, err := v.e.Part(int(place), at, uint64(n), v.large)
	if err != nil {
		return nil
	}
	v.large = b
	return b
}

// reach returns where the target of an instruction is that has a relocation: at, of the field,
// and n counts the bytes of the instruction.
func (img *image) reach(r reloc, fieldOff, n uint8) (place int32, addr uint64, ok bool) {
	place, addr, ok = img.symbol(r)
	if img.arch.FromEnd {
		addr += uint64(n)
	}
	return place, addr - uint64(fieldOff), ok
}

// pcRelative reports whether fields with a relocation of a type count from the PC.
func (img *image) pcRelative(typ uint32) bool {
	width, pcrel := img.arch.abi.RelocField(typ)
	return width == 0 || pcrel
}
