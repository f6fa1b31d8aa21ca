package rewrite

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Size states the use of the bytes of one or more sections.
type Size struct {
	Path    string `json:"path,omitempty"`
	Member  string `json:"member,omitempty"`
	Name    string `json:"section,omitempty"`
	Version int    `json:"version,omitempty"`
	ABI     string `json:"abi,omitempty"`
	Bytes   int64  `json:"bytes"`
	FDEs    int    `json:"fdes"`
	FREs    int    `json:"fres"`
	EHFrame int64  `json:"eh_frame_bytes"` // of .eh_frame and .eh_frame_hdr
	Parts   Parts  `json:"parts"`
	// Least is the size that Build writes with Narrow, and Costs are the reasons for the difference. If Build can't write
	// the section, Reason says why, and Least is Bytes.
	Least  int64  `json:"least_bytes"`
	Costs  Costs  `json:"costs"`
	Reason string `json:"reason,omitempty"`
	// Functions are the largest ones, the largest first.
	Functions []FunctionSize `json:"functions,omitempty"`
}

// Parts are numbers of bytes by their use.
type Parts struct {
	Header     int64 `json:"header"`     // with an auxiliary header
	Index      int64 `json:"index"`      // the FDEs
	Attributes int64 `json:"attributes"` // of version 3
	Starts     int64 `json:"starts"`     // start offsets of FREs
	Infos      int64 `json:"infos"`      // info bytes of FREs
	Words      int64 `json:"words"`      // data words
	Other      int64 `json:"other"`      // padding, and bytes to which nothing refers
}

// Costs are bytes by the habit of a producer that costs them.
type Costs struct {
	Repeated int64 `json:"repeated"`     // FREs that say what the previous one says
	Starts   int64 `json:"start_widths"` // start offsets that are wider than needed
	Words    int64 `json:"word_widths"`  // data words that are wider than needed
	Shared   int64 `json:"sharing"`      // FREs that other FDEs have too
	Rest     int64 `json:"rest"`         // FDEs without code or of neighbouring stubs, headers, flexible FDEs
}

// FunctionSize has the bytes of a function: its FDE, and its FREs unless an earlier FDE
// shares them.
type FunctionSize struct {
	Name  string `json:"name,omitempty"`
	Start string `json:"start"` // hexadecimal: the address, or the offset in the section of code
	FDE   int    `json:"fde"`   // index, among those of all sections that were concatenated
	FREs  int    `json:"fres"`
	Bytes int64  `json:"bytes"`
}

// Measure returns the use of the bytes of a section, with up to most functions. Call it during the visit of the
// object. Errors: the budget, and a section that cannot be decoded completely.
func Measure(o *reader.Object, sf *reader.SFrame, most int) (*Size, error) {
	opts := Changes{Narrow: true}.forObject(o, sf)
	pieces, err := splitOf(o, sf, opts)
	if err != nil {
		return nil, err
	}
	defer budget.Of(o.Context).Release(budget.Memory, int64(len(pieces))*pieceCost)
	z := &Size{Path: escape.UTF8(o.Path), Member: escape.UTF8(o.Member), Name: escape.UTF8(sf.Name), Bytes: int64(len(sf.Data)),
		Version: int(pieces[0].Version()), ABI: pieces[0].ABI().Name}
	m := &measurer{Size: z, most: most, budget: budget.Of(o.Context)}
	for i := range pieces {
		if err := m.piece(&pieces[i]); err != nil {
			return nil, err
		}
	}
	z.Parts.Other = z.Bytes - z.Parts.sum()
	m.finish(o, sf, pieces)
	if e := o.ELF; e != nil && sf == o.SFrames[0] {
		_, z.EHFrame = CodeAndCFI(e)
	}
	return z, z.findSmallest(pieces, opts, m)
}

// CodeAndCFI returns the bytes of executable sections, and those of .eh_frame and .eh_frame_hdr.
func CodeAndCFI(e *reader.ELF) (code, cfi int64) {
	for i := range e.Sections {
		switch s := &e.Sections[i]; {
		case s.Type == elf.SHT_NOBITS:
		case s.Flags&elf.SHF_EXECINSTR != 0:
			code += int64(s.Size)
		case s.Name == ".eh_frame" || s.Name == ".eh_frame_hdr":
			cfi += int64(s.Size)
		}
	}
	return code, cfi
}

// finish names the largest functions.
func (m *measurer) finish(o *reader.Object, sf *reader.SFrame, pieces []Piece) {
	slices.SortFunc(m.Functions, compareSize)
	m.Functions = m.Functions[:min(len(m.Functions), m.most)]
	for i := range m.Functions {
		x := &m.Functions[i]
		var f model.FDE
		if x.FDE < sf.Section.NumFDEs() {
			f = sf.Section.FDE(x.FDE) // with its relocation
		} else {
			f = fdeAt(pieces, x.FDE)
		}
		x.Start = fmt.Sprintf("0x%x", f.Start())
		if o.ELF == nil {
			continue
		}
		if y, ok := o.ELF.Symbols.Func(f.Place(), f.Start()); ok && y.Value == f.Start() {
			x.Name = escape.UTF8(y.Name)
		}
	}
}

// findSmallest finds what the section could be.
func (z *Size) findSmallest(pieces []Piece, opts Changes, m *measurer) error {
	r, err := Build(pieces, opts)
	if err != nil {
		if over := opts.Budget.Err(); over != nil {
			return over
		}
		z.Reason, z.Least = err.Error(), z.Bytes
		return nil
	}
	z.Least = int64(len(r.Data))
	z.Costs.Shared = max(r.sharedBytes-m.again, 0)
	z.Costs.Rest = z.Bytes - z.Least - z.Costs.widths() - z.Costs.Shared
	return nil
}

// sum returns the bytes that have a part.
func (p *Parts) sum() int64 {
	return p.Header + p.Index + p.Attributes + p.Starts + p.Infos + p.Words
}

func (p *Parts) add(x *Parts) {
	p.Header, p.Index, p.Attributes = p.Header+x.Header, p.Index+x.Index, p.Attributes+x.Attributes
	p.Starts, p.Infos, p.Words, p.Other = p.Starts+x.Starts, p.Infos+x.Infos, p.Words+x.Words, p.Other+x.Other
}

func (c *Costs) add(x *Costs) {
	c.Repeated, c.Starts, c.Words, c.Shared, c.Rest = c.Repeated+x.Repeated, c.Starts+x.Starts, c.Words+x.Words, c.Shared+x.Shared, c.Rest+x.Rest
}

// widths returns the bytes that only narrowing saves.
func (c *Costs) widths() int64 { return c.Repeated + c.Starts + c.Words }

// compareSize orders functions by size.
func compareSize(a, b FunctionSize) int {
	return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.FDE, b.FDE))
}

// measurer measures pieces.
type measurer struct {
	*Size
	most   int
	budget *budget.Budget
	again  int64 // narrowed bytes of FREs that FDEs share already
}

// fdeAt returns an FDE by its number among those of all pieces.
func fdeAt(pieces []Piece, n int) model.FDE {
	for i := range pieces {
		if n < pieces[i].NumFDEs() {
			return pieces[i].FDE(n)
		}
		n -= pieces[i].NumFDEs()
	}
	panic("an FDE of no piece")
}

// piece measures a section.
func (m *measurer) piece(p *Piece) error {
	info := p.Version().Info()
	m.Parts.Header += int64(info.HeaderSize) + p.AuxSpan().Len
	m.Parts.Index += int64(p.NumFDEs() * info.FDESize)
	blocks := int64(p.FRESubsection().Len/64+1) * 8
	if err := m.budget.Spend(budget.Memory, blocks); err != nil {
		return err
	}
	defer m.budget.Release(budget.Memory, blocks)
	seen := make([]uint64, blocks/8) // a bit for each offset at which FREs start
	for f := range p.FDEs() {
		x := FunctionSize{FDE: m.FDEs, Bytes: int64(info.FDESize), FREs: f.NumFREs()}
		m.FDEs++
		m.FREs += f.NumFREs()
		at := f.StartFREOff()
		own, costs := sizeOf(&f, info)
		if own.sum() > 0 && seen[at/64]>>(at%64)&1 != 0 {
			m.again += own.sum() - costs.widths()
		} else {
			if own.sum() > 0 {
				seen[at/64] |= 1 << (at % 64)
			}
			x.Bytes += own.sum()
			m.Parts.add(&own)
			m.Costs.add(&costs)
		}
		m.keep(x)
	}
	return m.budget.Err()
}

// keep keeps a function if it may be one of the largest.
func (m *measurer) keep(x FunctionSize) {
	if m.most <= 0 {
		return
	}
	if m.Functions = append(m.Functions, x); len(m.Functions) >= 2*m.most {
		slices.SortFunc(m.Functions, compareSize)
		m.Functions = m.Functions[:m.most]
	}
}

// sizeOf returns the bytes of the attribute and the FREs of an FDE, and what widths and
// repetitions cost.
func sizeOf(f *model.FDE, info model.VersionInfo) (p Parts, c Costs) {
	if f.HasAttr() {
		p.Attributes = int64(info.AttrSize)
	}
	width, last, kept := int64(f.FREType().Width()), uint32(0), int64(0)
	var prev fre
	for r := range f.FREs() {
		x := fre{bits: r.Info() & (model.FREInfoBaseBit | model.FREInfoMangledBit), Words: r.DataWords()}
		words := int64(x.N * r.WordSize().Width())
		p.Starts, p.Infos, p.Words = p.Starts+width, p.Infos+1, p.Words+words
		if r.Index() > 0 && prev.Words == x.Words && prev.bits == x.bits {
			c.Repeated += width + 1 + words
			continue
		}
		if size, ok := x.Words.Size(); ok {
			c.Words += words - int64(x.N*size.Width())
		}
		prev, last = x, max(last, r.Start())
		kept++
	}
	c.Starts = kept * (width - int64(model.FRETypeFor(last).Width()))
	return p, c
}
