package html

import (
	"bufio"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/fields"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// sectionData is what the page has of a section. The small parts are JSON, those of each
// FDE and FRE columns of numbers.
type sectionData struct {
	o        *reader.Object
	s        *reader.SFrame
	head     viewHead
	pictures []rules.Side

	listing *listing // nil for none
	byFDE   []int32  // in the listing
	others  []int32  // functions without an FDE
}

// list adds the functions of a listing.
func (d *sectionData) list(l *listing) {
	d.listing = l
	d.byFDE, d.others = l.ofSection(d.s, d.head.FDEs)
	d.head.Others, d.head.Sections, d.head.Listed, d.head.Findings = len(d.others), l.sections, true, l.bySeverity()
}

// viewHead are the small parts. Spans are offsets and lengths in the section, in bytes.
type viewHead struct {
	Name    string            `json:"name"`
	About   string            `json:"about"`
	Big     bool              `json:"big"`
	Size    int               `json:"size"`
	FDEs    int               `json:"fdes"`
	FREs    int               `json:"fres"`
	FDEOff  int64             `json:"fdeOff"`
	FDESize int64             `json:"fdeSize"`
	Places  map[int]string    `json:"places"`
	Infos   map[uint16]string `json:"infos"`
	Fields  []viewField       `json:"fields"` // of an FDE
	Header  []viewPart        `json:"header"`
	Gaps    []viewPart        `json:"gaps"`
	Kinds   []viewRules       `json:"kinds"`
	Faults  []viewFault       `json:"faults"`
	More    int               `json:"more"` // faults
	RA      bool              `json:"ra"`   // FREs state RA

	Listed   bool          `json:"listed"` // there are instructions
	Others   int           `json:"others"` // functions without an FDE
	Sections []string      `json:"sections"`
	Findings []codeFinding `json:"findings"`
}

type viewField struct {
	Name string `json:"name"`
	Off  int64  `json:"off"`
	Len  int64  `json:"len"`
	Attr bool   `json:"attr"`
}

type viewPart struct {
	Name string `json:"name"`
	Off  int64  `json:"off"`
	Len  int64  `json:"len"`
	Text string `json:"text"`
}

// viewRules is one of the different rows of a section.
type viewRules struct {
	CFA     string `json:"cfa"`
	RA      string `json:"ra"`
	FP      string `json:"fp"`
	Words   int    `json:"words"`
	Width   int    `json:"width"`
	Picture int    `json:"pic"` // -1 for none
}

type viewFault struct {
	Off  int64  `json:"off"`
	Len  int64  `json:"len"`
	FDE  int    `json:"fde"`
	Text string `json:"text"`
}

// What a page has of a section at most; the dump has the rest.
const (
	mostKinds    = 20_000
	mostPictures = 2_000
	mostFaults   = 500
	mostGaps     = 500
)

func newSectionData(o *reader.Object, s *reader.SFrame, name string) *sectionData {
	d := &sectionData{o: o, s: s, head: viewHead{Name: name, Size: len(s.Data), Places: map[int]string{}, Infos: map[uint16]string{}}}
	h := &d.head
	for i, f := range s.Faults {
		if i == mostFaults {
			h.More = len(s.Faults) - i
			break
		}
		h.Faults = append(h.Faults, viewFault{f.Span.Off, f.Span.Len, f.FDE, escape.Message(dump.FaultText(f))})
	}
	m := s.Section
	if m == nil {
		h.About = "no header that can be decoded"
		return d
	}
	h.Big = m.BigEndian()
	abi := m.ABI()
	h.About = fmt.Sprintf("%s, %s %s, %s, %s, %s", m.Version(), abi.Name, m.OrderName(), rules.Count(m.NumFDEs(), "FDE"), rules.Count(m.NumFREs(), "FRE"), rules.Count(len(s.Data), "byte"))
	h.FDEs, h.FREs, h.RA = m.NumFDEs(), m.NumFREs(), abi.TracksRA()
	h.FDEOff, h.FDESize = m.FDESubsection().Off, int64(model.FDESize(m.Version()))
	for _, at := range m.Version().Info().FDEFields() {
		h.Fields = append(h.Fields, viewField{at.Name, at.Off, at.Len, at.Attr})
	}
	for _, f := range fields.Header(m) {
		h.Header = append(h.Header, viewPart{f.Name, f.Off, f.Len, f.Value})
	}
	if a := m.AuxSpan(); a.Len > 0 {
		h.Header = append(h.Header, viewPart{"auxiliary header", a.Off, a.Len, ""})
	}
	for i, g := range m.Gaps() {
		if i == mostGaps {
			break
		}
		kind := "padding"
		if g.NonZero {
			kind = "not padding: some bytes are not zero"
		}
		h.Gaps = append(h.Gaps, viewPart{"belongs to nothing", g.Off, g.Len, kind})
	}
	return d
}

// packer compresses the data of sections, one after another.
type packer struct {
	z   *flate.Writer
	buf *bufio.Writer
}

// to returns what compresses to w.
func (p *packer) to(w io.Writer) *bufio.Writer {
	if p.z == nil {
		p.z, _ = flate.NewWriter(w, flate.DefaultCompression) // fails only for unknown levels
		p.buf = bufio.NewWriterSize(p.z, 64<<10)
	} else {
		p.z.Reset(w)
		p.buf.Reset(p.z)
	}
	return p.buf
}

// write writes the data: compressed, in base64.
func (d *sectionData) write(w interface{ Raw(string) error }, p *packer) error {
	b64 := base64.NewEncoder(base64.StdEncoding, rawWriter{w})
	out := &columns{w: p.to(b64)}
	b := kindSet{d: d, kinds: map[string]int{}, pictures: map[rules.Side]int{}}
	if d.s.Section != nil {
		for f := range d.s.Section.FDEs() {
			d.describe(f)
		}
	}
	d.eachFRE(func(r model.FRE) { b.kind(r) })
	head, err := json.Marshal(&d.head)
	if err != nil {
		return err
	}
	out.u32(uint32(len(head)))
	out.bytes(head)
	out.align()
	d.functions(out)
	// The walk is repeated for each column, as sections exist with more FREs than bytes.
	for _, column := range []func(model.FRE){
		func(r model.FRE) { out.u32(r.Start()) },
		func(r model.FRE) { out.u32(uint32(r.Span().Off)) },
		func(r model.FRE) { out.u16(uint16(b.kind(r))) },
	} {
		d.eachFRE(column)
		out.align()
	}
	out.bytes(d.s.Data)
	out.align()
	d.code(out)
	d.names(out)
	if err := out.w.Flush(); err != nil {
		return err
	}
	if err := p.z.Close(); err != nil {
		return err
	}
	return b64.Close()
}

type rawWriter struct {
	w interface{ Raw(string) error }
}

func (r rawWriter) Write(p []byte) (int, error) { return len(p), r.w.Raw(string(p)) }

// columns writes numbers, the lowest byte first. The first error stays in the writer.
type columns struct {
	w *bufio.Writer
	n int
	b [8]byte
}

func (c *columns) bytes(p []byte) {
	_, _ = c.w.Write(p) // Flush returns the error
	c.n += len(p)
}

func (c *columns) u16(v uint16) { c.bytes(binary.LittleEndian.AppendUint16(c.b[:0], v)) }
func (c *columns) u32(v uint32) { c.bytes(binary.LittleEndian.AppendUint32(c.b[:0], v)) }
func (c *columns) u64(v uint64) { c.bytes(binary.LittleEndian.AppendUint64(c.b[:0], v)) }

// align fills up to a multiple of 8 bytes.
func (c *columns) align() {
	for c.n%8 != 0 {
		c.bytes([]byte{0})
	}
}

// functions writes the columns of FDEs: starts, sizes, offsets of the attribute or the
// first FRE, numbers of FREs, places, and info bytes.
func (d *sectionData) functions(out *columns) {
	m := d.s.Section
	if m == nil {
		return
	}
	each := func(f func(model.FDE)) {
		for x := range m.FDEs() {
			f(x)
		}
		out.align()
	}
	each(func(f model.FDE) { out.u64(f.Start()) })
	each(func(f model.FDE) { out.u32(f.Size()) })
	each(func(f model.FDE) { out.u32(uint32(f.DataSpan().Off)) })
	each(func(f model.FDE) { out.u32(uint32(f.NumFREs())) })
	each(func(f model.FDE) { out.u32(placeOf(f)) })
	each(func(f model.FDE) { out.u16(uint16(f.Info()) | uint16(f.Info2())<<8) })
}

// unknownPlace is the place of a function whose start is not known.
const unknownPlace = 0xffffffff

func placeOf(f model.FDE) uint32 {
	if !f.Resolved() {
		return unknownPlace
	}
	return uint32(f.Place())
}

// eachFRE visits the FREs of all FDEs.
func (d *sectionData) eachFRE(visit func(model.FRE)) {
	if d.s.Section == nil {
		return
	}
	for f := range d.s.Section.FDEs() {
		for r := range f.FREs() {
			visit(r)
		}
	}
}

// describe adds the words for an FDE's info bytes and its place.
func (d *sectionData) describe(f model.FDE) {
	key := uint16(f.Info()) | uint16(f.Info2())<<8
	if _, ok := d.head.Infos[key]; !ok {
		words := []string{f.FREType().String(), f.PCType().String(), f.Type().String()}
		if f.Section().ABI().Pauth && f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
			words = append(words, "key B")
		}
		if f.Signal() {
			words = append(words, "signal frame")
		}
		d.head.Infos[key] = strings.Join(words, ", ")
	}
	e := d.o.ELF
	if p := f.Place(); e != nil && f.Resolved() && p > 0 && p < len(e.Sections) && d.head.Places[p] == "" {
		d.head.Places[p] = escape.Name(e.Sections[p].Name)
	}
}

// kindSet numbers the different rows and pictures.
type kindSet struct {
	d        *sectionData
	kinds    map[string]int
	pictures map[rules.Side]int
	key      []byte
}

// kind returns the number of a row, mostKinds for those beyond.
func (b *kindSet) kind(r model.FRE) int {
	at := r.InfoSpan().Off
	b.key = append(append(b.key[:0], byte(r.FDEType())), b.d.s.Data[at:r.Span().End()]...)
	if i, ok := b.kinds[string(b.key)]; ok {
		return i
	}
	if len(b.kinds) == mostKinds {
		return mostKinds
	}
	abi, side := b.d.s.Section.ABI(), rules.FrameOf(r)
	k := viewRules{CFA: side.Row.CFA.Format(abi), RA: side.Row.RA.Format(abi), FP: side.Row.FP.Format(abi), Words: r.NumWords(), Width: r.WordSize().Width(), Picture: b.picture(side)}
	if side.Signed {
		k.RA += ", signed"
	}
	i := len(b.kinds)
	b.kinds[string(b.key)] = i
	b.d.head.Kinds = append(b.d.head.Kinds, k)
	return i
}

func (b *kindSet) picture(s rules.Side) int {
	i, ok := b.pictures[s]
	if !ok {
		if i = len(b.pictures); i == mostPictures || !b.d.s.Section.ABI().Known() {
			return -1
		}
		b.pictures[s] = i
		b.d.pictures = append(b.d.pictures, s)
	}
	return i
}

// names writes the names of the functions, a line each: of their symbols, or as the listing has them.
func (d *sectionData) names(out *columns) {
	e := d.o.ELF
	if d.s.Section == nil || e == nil || e.Symbols == nil && d.listing == nil {
		return
	}
	i := 0
	for f := range d.s.Section.FDEs() {
		out.bytes([]byte(d.nameOf(i, f) + "\n"))
		i++
	}
	for _, i := range d.others {
		out.bytes([]byte(escape.Name(d.listing.entries[i].name) + "\n"))
	}
}

func (d *sectionData) nameOf(i int, f model.FDE) string {
	e := d.o.ELF
	if !f.Resolved() {
		return ""
	}
	if e.Symbols != nil {
		if y, ok := e.Symbols.Func(f.Place(), f.Start()); ok && y.Name != "" {
			if off := f.Start() - y.Value; off != 0 {
				return escape.Name(y.Name) + fmt.Sprintf("+0x%x", off)
			}
			return escape.Name(y.Name)
		}
	}
	if d.listing != nil && d.byFDE[i] >= 0 {
		return escape.Name(d.listing.entries[d.byFDE[i]].name)
	}
	return ""
}
