package generator

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// File is a file that contains a section.
type File struct {
	Bytes  []byte
	Offset int64 // offset of the section in the file, in bytes
	Plan   *Plan // plan of the section in the file
	Layout *Layout
}

// WrapExec puts a section into an executable with its segment. Functions get code and symbols at the plan's
// addresses; large or many sections of code are SHT_NOBITS. Errors: the section overlaps its functions, or the plan
// is for an object file.
func WrapExec(p *Plan) (*File, error) { return wrapLinked(p, elf.ET_EXEC) }

// WrapShared is [WrapExec] for a shared object, with dynamic symbols.
func WrapShared(p *Plan) (*File, error) { return wrapLinked(p, elf.ET_DYN) }

func wrapLinked(p *Plan, typ elf.Type) (*File, error) {
	if p.Relocatable {
		return nil, fmt.Errorf("the plan is that of an object file")
	}
	section, err := WrapNone(p)
	if err != nil {
		return nil, err
	}
	f := newFile(p, typ)
	sframe := sframeSection(section.Bytes)
	sframe.Addr = p.Addr
	clusters, err := p.clusters()
	if err != nil {
		return nil, err
	}
	texts := p.texts(clusters)
	f.Sections = append(slices.Clone(texts), sframe)
	f.byAddress()
	if err := f.disjoint(); err != nil {
		return nil, err
	}
	if len(clusters) > 0 {
		f.Entry = clusters[0].start
	}
	f.addSegment(elf64.PTGNUSFrame, elf.PF_R, sframe)
	f.Segments = append(f.Segments, elf64.Segment{Prog64: elf.Prog64{Type: uint32(elf.PT_GNU_STACK), Flags: uint32(elf.PF_R | elf.PF_W), Align: 16}})
	syms := newSymbols(f)
	for k, c := range clusters {
		for _, i := range c.funcs {
			fn := &p.Funcs[i]
			syms.global(p.name(i), fn.Start, uint64(fn.Size), f.index(texts[k]))
		}
	}
	if typ == elf.ET_DYN {
		if err := f.addDynamic(syms); err != nil {
			return nil, err
		}
	}
	f.addSymtab(syms)
	b := f.bytes()
	return &File{Bytes: b, Offset: int64(sframe.Off), Plan: p, Layout: section.Layout}, nil
}

// WrapRel puts a section into an object file. Functions close to each other share a text section; relocations use
// symbols of functions and of sections in turn. Functions that do not fit are omitted: see [Plan.FitObject].
// File.Plan has the rest.
func WrapRel(p *Plan) (*File, error) {
	if p.Relocatable {
		return nil, fmt.Errorf("the plan is that of an object file already")
	}
	q := new(*p)
	q.Funcs = slices.Clone(p.Funcs)
	q.FitObject()
	f := newFile(q, elf.ET_REL)
	clusters, err := q.clusters()
	if err != nil {
		return nil, err
	}
	q.Relocatable, q.Addr = true, 0
	q.Flags &^= model.SFRAME_F_FDE_SORTED
	for k, s := range q.texts(clusters) {
		place := f.add(s)
		for _, i := range clusters[k].funcs {
			q.Funcs[i].Start -= s.Addr
			q.Funcs[i].Place = int(place)
		}
		s.Addr = 0
	}
	section, err := WrapNone(q)
	if err != nil {
		return nil, err
	}
	sframe := sframeSection(section.Bytes)
	f.add(sframe)
	syms := newSymbols(f)
	for k := range clusters {
		syms.section(uint32(k + 1))
	}
	byFunc := make([]uint32, len(q.Funcs))
	for i := range q.Funcs {
		fn := &q.Funcs[i]
		byFunc[i] = syms.global(q.name(i), fn.Start, uint64(fn.Size), uint32(fn.Place))
	}
	f.addRelocs(q, sframe, byFunc)
	f.addSymtab(syms)
	b := f.bytes()
	return &File{Bytes: b, Offset: int64(sframe.Off), Plan: q, Layout: section.Layout}, nil
}

func newFile(p *Plan, typ elf.Type) *elfImage {
	abi := p.ABIInfo()
	return &elfImage{abi: abi, File: elf64.File{Type: typ, Machine: abi.Machine, Order: number.Order(p.BigEndian)}}
}

func sframeSection(data []byte) *elfSection {
	s := elf64.NewSection(".sframe", elf64.SHTGNUSFrame, elf.SHF_ALLOC, 8, data)
	s.Size = uint64(len(data))
	return s
}

// addRelocs adds the relocations of the start fields, in the order of the
// FDEs. The symbol of the section at index k is the k-th.
func (f *elfImage) addRelocs(p *Plan, sframe *elfSection, byFunc []uint32) {
	abi := p.ABIInfo()
	typ := abi.StartReloc(p.Version)
	e := encoder{p: p, l: p.Layout}
	if e.l == nil {
		e.l = &Layout{FDEOff: p.Style.FDEGap}
	}
	data := []byte{}
	for i := range p.Funcs {
		sym, addend := byFunc[i], int64(0)
		if i%2 == 1 {
			sym, addend = uint32(p.Funcs[i].Place), int64(p.Funcs[i].Start)
		}
		data = append(data, f.encode(elf.Rela64{
			Off: uint64(e.entryOff(i)), Info: elf.R_INFO(sym, typ), Addend: addend,
		})...)
	}
	rela := elf64.NewSection(".rela.sframe", elf.SHT_RELA, elf.SHF_INFO_LINK, 8, data)
	rela.Info, rela.Entsize = f.index(sframe), elf64.RelaSize
	rela.Link = f.add(rela) + 1 // .symtab follows
}

// name returns the function's symbol.
func (p *Plan) name(i int) string {
	if p.Funcs[i].Name != "" {
		return p.Funcs[i].Name
	}
	return fmt.Sprintf("f%d", i)
}

// byStart lists the functions in the order of their starts.
func (p *Plan) byStart() []int {
	order := make([]int, len(p.Funcs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		f, g := &p.Funcs[a], &p.Funcs[b]
		return cmp.Or(cmp.Compare(f.Place, g.Place), cmp.Compare(f.Start, g.Start))
	})
	return order
}

// textName returns the name of the k-th text section.
func textName(k int) string {
	if k == 0 {
		return ".text"
	}
	return fmt.Sprintf(".text.%d", k)
}
