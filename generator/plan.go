// Package generator writes SFrame sections: random valid ones, chosen by a table of knobs, and those of any plan.
//
// A [Plan] is the mutable description of a section. [Encode] writes its bytes, [FromModel] describes a decoded
// section, and [Generate] makes a random plan from a [Config]. [WrapExec], [WrapShared], [WrapRel] and [WrapArchive]
// put sections into files.
//
// The package only writes the format and never reads it. So it and the reader can check each other.
package generator

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Plan describes the meaning of a section. Addresses, sizes and offsets are in bytes. A plan without Layout is
// written in the canonical way: see [Encode].
type Plan struct {
	Version   model.Version
	ABI       model.ABI
	BigEndian bool
	Flags     model.Flags
	Addr      uint64 // virtual address of the section's first byte
	FixedFP   int8   // sfh_cfa_fixed_fp_offset
	FixedRA   int8   // sfh_cfa_fixed_ra_offset
	Aux       []byte // auxiliary header, at most 255 bytes
	Funcs     []Func // in the order of their FDEs

	// Relocatable says that relocations give the starts of functions. Start fields then have no meaning, and are 0
	// unless Layout sets them.
	Relocatable bool

	Style  Style   // variations of the canonical encoding
	Layout *Layout // offsets of all parts; nil for the canonical encoding
}

// Func describes a function: its FDE and its FREs.
type Func struct {
	Name string // symbol name, for files that contain the section

	Start   uint64 // address; in a relocatable file, offset in the place
	Place   int    // index of an ELF section header, 0 for a virtual address
	Unknown bool   // no relocation gives the start

	Size     uint32
	PCType   model.PCType
	FDEType  model.FDEType
	PauthKey model.PauthKey
	Signal   bool  // V3
	RepSize  uint8 // size of a stub in bytes; V1 has no such field
	Rows     []Row
}

// Row describes an FRE by its recovery rules or by its data words.
type Row struct {
	Start   uint32 // offset in bytes from the start of the function or, for a MASK FDE, of the stub
	Mangled bool   // the return address is signed (AArch64)
	Rules   model.Row

	// Words, unless nil, are the data words and replace Rules. Control words of a flexible FDE are unsigned, all
	// others signed. Base is the base bit; rows without Words get the base that they need.
	Words []int64
	Base  model.BaseReg
}

// Style varies the canonical encoding of a section. All variations are legal but unusual. The zero value varies
// nothing.
type Style struct {
	FDEGap  uint32         // zero bytes between header and FDEs
	FREGap  uint32         // zero bytes between FDEs and FREs
	Tail    uint32         // zero bytes after the FREs
	MinFRE  model.FREType  // narrowest FRE type to use
	MinWord model.WordSize // narrowest data words to use
	Reverse bool           // rows of the last function come first
	Share   bool           // a function with the same rows as the previous one shares them
	Padding uint16         // sfde_func_padding2 (V2)
}

// Layout has the offset of each part of a section, as its field states it, and the bytes that belong to no part.
type Layout struct {
	Size    int64  // bytes of the section
	FDEOff  uint32 // from the end of the header
	FREOff  uint32 // from the end of the header
	FRELen  uint32
	NumFREs uint32 // the header's count
	Funcs   []FuncLayout
	// Fill are the bytes in gaps that are not zero.
	Fill []Fill
}

// FuncLayout is the layout of a function.
type FuncLayout struct {
	StartFREOff uint32
	RawStart    int64 // value of the start field of a relocatable plan
	FREType     model.FREType
	Reserved    uint8            // reserved bits of info, in their places
	Reserved2   uint8            // reserved bits of info2, in their places
	Padding     uint16           // sfde_func_padding2
	Words       []model.WordSize // words of each row
}

// Fill is a run of bytes at an offset from the start of the section.
type Fill struct {
	Off   int64
	Bytes []byte
}

// ABIInfo returns the facts of the plan's ABI.
func (p *Plan) ABIInfo() model.ABIInfo { return model.LookupABI(p.ABI) }

// NumFREs returns the number of rows of all functions.
func (p *Plan) NumFREs() int {
	n := 0
	for i := range p.Funcs {
		n += len(p.Funcs[i].Rows)
	}
	return n
}

// Extent returns the size in bytes of the code that the rows describe: one stub of a MASK FDE, otherwise the
// function.
func (f *Func) Extent() uint32 {
	if f.PCType == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize != 0 {
		return min(uint32(f.RepSize), f.Size)
	}
	return f.Size
}

// Clone returns a deep copy of the plan.
func (p *Plan) Clone() *Plan {
	c := *p
	c.Aux = slices.Clone(p.Aux)
	c.Funcs = slices.Clone(p.Funcs)
	for i := range c.Funcs {
		rows := slices.Clone(c.Funcs[i].Rows)
		for j := range rows {
			rows[j].Words = slices.Clone(rows[j].Words)
		}
		c.Funcs[i].Rows = rows
	}
	c.Layout = p.Layout.clone()
	return &c
}

func (l *Layout) clone() *Layout {
	if l == nil {
		return nil
	}
	c := *l
	c.Funcs = slices.Clone(l.Funcs)
	for i := range c.Funcs {
		c.Funcs[i].Words = slices.Clone(c.Funcs[i].Words)
	}
	c.Fill = slices.Clone(l.Fill)
	for i := range c.Fill {
		c.Fill[i].Bytes = slices.Clone(c.Fill[i].Bytes)
	}
	return &c
}
