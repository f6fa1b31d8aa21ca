package reader

import (
	"cmp"
	"debug/elf"
	"reflect"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// shtCREL is LLVM's compact form of relocations, which no other tool reads.
const shtCREL elf.SectionType = 0x40000014

// relocate reads the relocations that apply to a section and returns how to
// find a function's start by them.
func (r *elfReader) relocate(f *SFrame) (func(off int64, width int) model.Start, error) {
	usable := true
	for _, i := range r.relocsOf(f.Index) {
		s := &r.elf.Sections[i]
		switch s.Type {
		case elf.SHT_REL:
			r.relocsDamaged(s, "SHT_REL: the supported ABIs use only SHT_RELA")
			continue
		case shtCREL:
			r.relocsDamaged(s, "SHT_CREL is not read")
			continue
		}
		if f.RelocIndex == 0 {
			f.RelocIndex = i
		}
		if s.Link != uint32(r.symtab) || r.symtab == 0 {
			r.relocsDamaged(s, "sh_link does not lead to the symbol table")
			usable = false
		}
		if err := r.addRelocs(f, s); err != nil {
			return nil, err
		}
	}
	if !usable || len(f.Relocs) == 0 {
		return nil, nil
	}
	if err := r.elf.Symbols.Load(); err != nil {
		return nil, err
	}
	return newResolver(f.Relocs, r.elf).start, nil
}

// relocsOf lists the sections of relocations that apply to the section with an index.
// They are searched once: a file may have very many of the two.
func (r *elfReader) relocsOf(index int) []int {
	secs := r.elf.Sections
	to := func(i int) int { return int(secs[i].Info) }
	if r.relocs == nil {
		r.relocs = make([]int, 0, 1)
		for i := range secs {
			switch s := &secs[i]; s.Type {
			case elf.SHT_RELA, elf.SHT_REL, shtCREL:
				if int64(s.Info) < int64(len(secs)) && secs[s.Info].IsSFrame() {
					r.relocs = append(r.relocs, i)
				}
			}
		}
		slices.SortStableFunc(r.relocs, func(i, j int) int { return cmp.Compare(to(i), to(j)) })
	}
	from, _ := slices.BinarySearchFunc(r.relocs, index, func(i, index int) int { return cmp.Compare(to(i), index) })
	end := from
	for end < len(r.relocs) && to(r.relocs[end]) == index {
		end++
	}
	return r.relocs[from:end]
}

func (r *elfReader) relocsDamaged(s *Section, detail string) {
	r.fault(Fault{Code: RelocsDamaged, Span: s.Header, Detail: detail})
}

// relocCost is the bytes of a relocation in memory, with its place in the order
// by offset.
var relocCost = int64(reflect.TypeFor[Reloc]().Size()) + 4

// addRelocs appends the entries of a relocation section.
func (r *elfReader) addRelocs(f *SFrame, s *Section) error {
	if s.EntSize != relaSize {
		r.relocsDamaged(s, "sh_entsize is not 24")
		return nil
	}
	sp, whole := r.src.clip(s.Offset, s.Size)
	switch {
	case !whole:
		r.relocsDamaged(s, "the entries reach beyond the end of the file")
	case sp.Len%relaSize != 0:
		r.relocsDamaged(s, "the last entry is not whole")
	}
	if !r.spend(sp.Len) {
		r.relocsDamaged(s, "relocation sections share bytes")
		return nil
	}
	n := sp.Len / relaSize
	if err := r.src.hold(n * relocCost); err != nil {
		r.relocsDamaged(s, err.Error())
		r.exceeded(r.place(s), err, "%d relocations", n)
		return nil
	}
	f.Relocs = slices.Grow(f.Relocs, int(n))
	return r.src.each(sp, relaSize, func(b []byte, at int64) error {
		for ; len(b) >= relaSize; b, at = b[relaSize:], at+relaSize {
			h := number.Fields{B: b, Big: r.big}
			info := h.U64(8)
			f.Relocs = append(f.Relocs, Reloc{Offset: int64(h.U64(0)), Entry: model.Span{Off: at, Len: relaSize},
				Type: uint32(info), Symbol: uint32(info >> 32), Addend: int64(h.U64(16))})
		}
		return nil
	})
}

// resolver finds functions by the relocations of their start fields.
type resolver struct {
	relocs []Reloc
	order  []int32 // by offset; nil where the relocations are in that order
	next   int     // where the search for the field after the last one begins
	elf    *ELF
	abi    model.ABIInfo
}

func newResolver(relocs []Reloc, e *ELF) *resolver {
	v := &resolver{relocs: relocs, elf: e, abi: e.ABI()}
	byOffset := func(a, b Reloc) int { return cmp.Compare(a.Offset, b.Offset) }
	if !slices.IsSortedFunc(relocs, byOffset) {
		v.order = make([]int32, len(relocs))
		for i := range v.order {
			v.order[i] = int32(i)
		}
		slices.SortStableFunc(v.order, func(a, b int32) int { return byOffset(relocs[a], relocs[b]) })
	}
	return v
}

// at returns the k-th relocation by offset.
func (v *resolver) at(k int) *Reloc {
	if v.order != nil {
		k = int(v.order[k])
	}
	return &v.relocs[k]
}

// find returns the place of the first relocation at off or after it. Fields
// are asked for in their order, so it mostly is the next one.
func (v *resolver) find(off int64) int {
	n := len(v.relocs)
	if k := v.next; k > 0 && k < n && v.at(k).Offset >= off && v.at(k-1).Offset < off {
		return k
	}
	return sort.Search(n, func(k int) bool { return v.at(k).Offset >= off })
}

// start returns the function of a start field: S + A of the only relocation with an effect. Linkers write S + A - P,
// where P is the field's address. Without SFRAME_F_FDE_FUNC_START_PCREL this is off by the field's offset, but GNU as
// writes the same addend, so S + A is the function with and without the flag.
func (v *resolver) start(off int64, width int) model.Start {
	var rel *Reloc
	k := v.find(off)
	for ; k < len(v.relocs) && v.at(k).Offset == off; k++ {
		switch r := v.at(k); {
		case v.abi.NoEffect(r.Type):
		case rel != nil:
			return model.Start{} // which one the linker applies is unspecified
		default:
			rel = r
		}
	}
	v.next = k
	want := v.abi.Reloc32
	if width == 8 {
		want = v.abi.Reloc64
	}
	if rel == nil || rel.Type != want {
		return model.Start{}
	}
	sym, ok := v.elf.Symbols.raw(int(rel.Symbol))
	if !ok || sym.section <= 0 || sym.section >= len(v.elf.Sections) || sym.special {
		return model.Start{}
	}
	return model.Start{Addr: sym.value + uint64(rel.Addend), Place: uint32(sym.section), OK: true}
}
