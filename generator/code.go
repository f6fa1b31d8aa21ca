package generator

import (
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
)

// code returns machine code for a function: instructions without effect, then a return. The code ends in a trap if the last
// row has a frame, the first row is not the entry state, or there are no rows. If rows state more than the entry state, it
// begins with a trap, so it cannot contradict them.
func (p *Plan) code(f *Func) []byte {
	b := make([]byte, f.Size)
	abi := p.ABIInfo()
	code := machinecode.Of(abi.Machine)
	returns := false
	if n := len(f.Rows); n > 0 {
		first, end := &f.Rows[0], &f.Rows[n-1]
		for f.PCType == model.SFRAME_FDE_PCTYPE_INC && n > 1 && uint64(end.Start)+uint64(len(code.Return)) > uint64(f.Size) {
			n-- // it starts beyond the last instruction
			end = &f.Rows[n-1]
		}
		returns = outermost(first.Rules) && outermost(end.Rules) || p.entryState(first) && p.entryState(end)
	}
	last := code.Trap
	if returns {
		last = code.Return
	}
	nops := b[:len(b)-len(b)%len(code.Nop)]
	for n := copy(nops, code.Nop); n < len(nops); n *= 2 {
		copy(nops[n:], nops[:n])
	}
	if n := len(b) - len(last); n >= 0 {
		copy(b[n:], last)
	}
	if len(f.Rows) != 1 || f.Signal || !p.entryState(&f.Rows[0]) {
		copy(b, code.Trap)
	}
	return b
}

// cluster is a run of functions that share a text section.
type cluster struct {
	start, end uint64
	funcs      []int // indices, in the order of their starts
}

const (
	// clusterGap is the distance from which on functions are in different sections.
	clusterGap = 1 << 16
	// maxCode and maxClusters bound the code that a file carries. A plan with
	// more has text sections of type SHT_NOBITS, so that files stay small. An object file,
	// which must have its code, carries up to maxObjectCode.
	maxCode       = 1 << 20
	maxObjectCode = 1 << 24
	maxClusters   = 32
	// maxSections leaves room for the other sections below SHN_LORESERVE.
	maxSections = 0xfe00
)

// clusters groups functions that are close to each other, on the same side of
// the section.
func (p *Plan) clusters() ([]cluster, error) {
	var all []cluster
	for _, i := range p.byStart() {
		f := &p.Funcs[i]
		end := f.Start + max(uint64(f.Size), uint64(p.ABIInfo().MinInsn)) // an empty function is in a section, too
		around := !p.Relocatable && len(all) > 0 && all[len(all)-1].start < p.Addr && f.Start >= p.Addr
		if n := len(all); n > 0 && f.Start-all[n-1].end < clusterGap && !around {
			all[n-1].end = end
			all[n-1].funcs = append(all[n-1].funcs, i)
			continue
		}
		all = append(all, cluster{f.Start, end, []int{i}})
	}
	if len(all) > maxSections {
		return nil, fmt.Errorf("%d text sections; a file can have %d", len(all), maxSections)
	}
	return all, nil
}

// FitObject removes functions until the code fits in an object file, at most 16 MiB.
func (p *Plan) FitObject() {
	out, end, room := map[int]bool{}, uint64(0), uint64(maxObjectCode)
	for _, i := range p.byStart() {
		f := &p.Funcs[i]
		n := uint64(f.Size)
		if gap := f.Start - end; gap < clusterGap {
			n += gap
		}
		if n > room {
			out[i], p.Layout = true, nil
			continue
		}
		end, room = f.Start+uint64(f.Size), room-n
	}
	n := -1
	p.Funcs = slices.DeleteFunc(p.Funcs, func(Func) bool { n++; return out[n] })
}

// texts makes the sections of the functions' code, one for each cluster.
func (p *Plan) texts(all []cluster) []*elfSection {
	total := uint64(0)
	for _, c := range all {
		total += c.end - c.start
	}
	secs := make([]*elfSection, len(all))
	for k, c := range all {
		s := elf64.NewSection(textName(k), elf.SHT_NOBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, 16, nil)
		s.Addr, s.Size = c.start, c.end-c.start
		if p.Relocatable || total <= maxCode && len(all) <= maxClusters {
			s.Type, s.Data = uint32(elf.SHT_PROGBITS), p.text(c)
		}
		if c.start%16 != 0 {
			s.Addralign = uint64(p.ABIInfo().MinInsn)
		}
		secs[k] = s
	}
	return secs
}

// text returns the bytes of a cluster.
func (p *Plan) text(c cluster) []byte {
	between := Func{Size: uint32(c.end - c.start)}
	between.Rows = []Row{{Rules: model.Row{}}} // no state at entry: nothing returns
	b := p.code(&between)
	for _, i := range c.funcs {
		copy(b[p.Funcs[i].Start-c.start:], p.code(&p.Funcs[i]))
	}
	return b
}

// entryState reports whether the row has the state that the ABI defines at a
// function's first instruction.
func (p *Plan) entryState(r *Row) bool {
	abi := p.ABIInfo()
	return !r.Mangled && r.Rules == model.Row{
		CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: abi.EntryCFA},
		RA:  p.absentRA(), FP: p.absentFP(),
	}
}
