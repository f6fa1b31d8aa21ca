package html

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// listing is what a page has of an object's code. The instructions are in blocks of some thousand, which the
// script reads when it shows one of their functions.
type listing struct {
	o        *reader.Object
	entries  []entry
	sections []string
	numbers  map[string]uint16 // of sections
	finds    []codeFinding
}

// entry is a function of a listing.
type entry struct {
	sframe, fde int // -1 without one
	place       uint32
	start, end  uint64
	name        string
	flags       uint8
	section     uint16
	block       uint32
}

// What a function has: the script has the same bits.
const (
	flagDiffers  = 1 << iota // sources differ
	flagFindings             // there are findings
	flagNoFDE
	flagStub
	flagGap
	flagWarnings
	flagErrors
)

// codeLine is an instruction in a block: its address, bytes, text, what is at the target, its address, the rows of
// SFrame data, CFI and the code, the differences, the FRE, the line of the source, and findings.
type codeLine [12]any

// codeFinding is a finding on code, for the list of all.
type codeFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Help     string `json:"help"`
	PC       string `json:"pc"`
	Place    uint32 `json:"place"`
	Off      int64  `json:"off"`
	Len      int64  `json:"len"`
	level    rules.Severity
}

// Lines after which a block ends, and most findings and functions.
const (
	blockLines    = 3000
	mostListed    = 2000
	mostEntries   = 1 << 22
	entryCost     = 160
	findingsOfOne = 50
)

// Code adds the instructions of an object to the page, before its sections. It must be called during the visit of the
// object. With static, readers without scripts can see the first function.
func (v *View) Code(t *table.Table, static bool) error {
	l := &listing{o: t.Object, numbers: map[string]uint16{}}
	v.listing = l
	cells := table.Cells{ABI: t.ABI}
	block := codeBlock{v: v}
	var failed error
	err := t.Functions(func(f *table.Function) bool {
		if f.Kind == table.Padding {
			return true
		}
		if len(l.entries)%1024 == 0 {
			if failed = t.Object.Hold(1024 * entryCost); failed != nil || len(l.entries) > mostEntries {
				return false
			}
		}
		if static {
			v.page.static(f, &cells, t.HasSFrame())
			static = false
		}
		l.add(f, uint32(v.blocks))
		block.function(len(l.entries)-1, len(f.Lines), func(i int) codeLine { return l.line(f, &f.Lines[i], &cells) })
		if block.lines >= blockLines {
			failed = block.close()
		}
		return failed == nil
	})
	return cmp.Or(failed, block.close(), err)
}

// codeBlock writes functions with their instructions as a data block: JSON, which is compressed while it is made.
type codeBlock struct {
	v     *View
	b64   io.WriteCloser
	out   *bufio.Writer // nil until there is a function
	lines int
	err   error
}

// function adds a function with n instructions.
func (b *codeBlock) function(entry, n int, line func(i int) codeLine) {
	sep := ","
	if b.out == nil {
		sep = "["
		b.v.page.printf("<template class=\"code\" id=\"c%d\">", b.v.blocks)
		b.b64 = base64.NewEncoder(base64.StdEncoding, rawWriter{b.v.page.w})
		b.out = b.v.packer.to(b.b64)
	}
	fmt.Fprintf(b.out, "%s[%d,[", sep, entry)
	for i := range n {
		text, err := json.Marshal(line(i))
		b.err = cmp.Or(b.err, err)
		if i > 0 {
			b.out.WriteByte(',')
		}
		b.out.Write(text) // Flush returns the error
	}
	b.out.WriteString("]]")
	b.lines += n
}

// close ends the block, if there is one. It returns the first error.
func (b *codeBlock) close() error {
	if b.out == nil {
		return nil
	}
	b.out.WriteString("]")
	err := cmp.Or(b.err, b.out.Flush(), b.v.packer.z.Close(), b.b64.Close())
	b.v.page.printf("</template>\n")
	b.v.blocks++
	b.out, b.lines = nil, 0
	return cmp.Or(err, b.v.page.err)
}

// add adds a function.
func (l *listing) add(f *table.Function, block uint32) {
	e := entry{sframe: f.SFrame, fde: f.FDE, place: f.Place, start: f.Start, end: f.End, name: f.Name, block: block}
	section := escape.Name(f.Section)
	n, ok := l.numbers[section]
	if !ok && len(l.sections) < 1<<16-1 {
		n = uint16(len(l.sections))
		l.numbers[section] = n
		l.sections = append(l.sections, section)
	}
	e.section = n
	if f.Differs != 0 {
		e.flags |= flagDiffers
	}
	if f.FDE < 0 {
		e.flags |= flagNoFDE
	}
	switch f.Kind {
	case table.Stub:
		e.flags |= flagStub
	case table.Gap:
		e.flags |= flagGap
	}
	for i := range f.Lines {
		for _, g := range f.Lines[i].Findings {
			e.flags |= flagFindings | map[rules.Severity]uint8{rules.Warning: flagWarnings, rules.Error: flagErrors}[g.Severity]
		}
	}
	l.entries = append(l.entries, e)
}

// line describes an instruction.
func (l *listing) line(f *table.Function, x *table.Line, cells *table.Cells) codeLine {
	out := codeLine{fmt.Sprintf("%x", x.PC), fmt.Sprintf("%x", x.Bytes), escape.Printable(x.FullText()), escape.Name(x.To), "",
		cells.SideText(&x.SFrame), cells.SideText(&x.CFI), cells.CodeText(&x.Code), x.Differs.Names(), -1, "", nil}
	if x.Target != 0 {
		out[4] = fmt.Sprintf("%x", x.Target)
	}
	if x.SFrame.Has {
		out[9] = x.SFrame.FRE
	}
	if x.Line > 0 {
		out[10] = fmt.Sprintf("%s:%d", escape.Name(x.File), x.Line)
	}
	var finds []codeFinding
	for _, g := range x.Findings[:min(len(x.Findings), findingsOfOne)] {
		c := codeFinding{g.Rule.ID, g.Severity.String(), escape.Message(g.Message), escape.Message(g.Help), fmt.Sprintf("%x", x.PC), f.Place, -1, 0, g.Severity}
		if g.InSection {
			c.Off, c.Len = g.Span.Off, g.Span.Len
		}
		finds = append(finds, c)
		if l.finds = append(l.finds, c); len(l.finds) == 2*mostListed {
			l.finds = l.bySeverity()
		}
	}
	if len(finds) > 0 {
		out[11] = finds
	}
	return out
}

// bySeverity returns the findings for the list of all, the most severe first.
func (l *listing) bySeverity() []codeFinding {
	slices.SortStableFunc(l.finds, func(a, b codeFinding) int { return cmp.Compare(b.level, a.level) })
	return l.finds[:min(len(l.finds), mostListed)]
}

// ofSection returns the functions of a section by FDE, and for the first section of the object those without
// one.
func (l *listing) ofSection(s *reader.SFrame, fdes int) (by []int32, others []int32) {
	by = make([]int32, fdes)
	for i := range by {
		by[i] = -1
	}
	index := -1
	for i, x := range l.o.SFrames {
		if x == s {
			index = i
		}
	}
	if index < 0 {
		return by, nil
	}
	for i := range l.entries {
		e := &l.entries[i]
		switch {
		case e.fde >= 0 && e.sframe == index && e.fde < fdes && by[e.fde] < 0:
			by[e.fde] = int32(i)
		case e.fde < 0 && index == 0 || e.fde >= 0 && e.sframe == index:
			others = append(others, int32(i))
		}
	}
	return by, others
}

// code writes the columns of the listing: of functions without an FDE the starts, sizes and places; of all
// functions the entry in the listing, its block, its section, and what it has.
func (d *sectionData) code(out *columns) {
	if d.listing == nil {
		return
	}
	entries := d.listing.entries
	for _, i := range d.others {
		out.u64(entries[i].start)
	}
	for _, i := range d.others {
		out.u32(uint32(min(entries[i].end-entries[i].start, 1<<32-1)))
	}
	out.align()
	for _, i := range d.others {
		out.u32(entries[i].place)
	}
	out.align()
	functions := slices.Concat(d.byFDE, d.others)
	each := func(column func(e *entry)) {
		for _, i := range functions {
			e := &entry{block: unknownPlace, section: 1<<16 - 1} // where the listing has no function
			if i >= 0 {
				e = &entries[i]
			}
			column(e)
		}
		out.align()
	}
	for _, i := range functions {
		out.u32(uint32(i))
	}
	out.align()
	each(func(e *entry) { out.u32(e.block) })
	each(func(e *entry) { out.u16(e.section) })
	each(func(e *entry) { out.u16(uint16(e.flags)) })
}

// static writes a function that can be read without a script.
func (p *page) static(f *table.Function, cells *table.Cells, sframe bool) {
	name := f.Name
	if name == "" {
		name = fmt.Sprintf("0x%x", f.Start)
	}
	p.printf("<noscript><section class=\"static\"><h2>%s</h2>\n<table class=\"code\"><thead><tr><th scope=\"col\">PC</th><th scope=\"col\">Bytes</th><th scope=\"col\">Instruction</th>", escape.Name(name))
	if sframe {
		p.printf("<th scope=\"col\">SFrame</th>")
	}
	p.printf("<th scope=\"col\">CFI</th><th scope=\"col\">Code</th><th scope=\"col\">Differs</th></tr></thead>\n<tbody>\n")
	for i := range f.Lines {
		l := &f.Lines[i]
		class := markup("")
		if l.Differs != 0 {
			class = " class=\"differs\""
		}
		to := ""
		if l.To != "" {
			to = " <" + escape.Name(l.To) + ">"
		}
		p.printf("<tr%s><td>%x</td><td>% x</td><td>%s%s</td>", class, l.PC, l.Bytes, escape.Printable(l.FullText()), to)
		if sframe {
			p.printf("<td>%s</td>", cells.SideText(&l.SFrame))
		}
		p.printf("<td>%s</td><td>%s</td><td>", cells.SideText(&l.CFI), cells.CodeText(&l.Code))
		for k, d := range l.Differs.Names() {
			if k > 0 {
				p.printf(", ")
			}
			p.printf("%s", d)
		}
		p.printf("</td></tr>\n")
		for _, g := range l.Findings {
			p.printf("<tr class=\"finding\"><td></td><td colspan=\"6\"><div><b>%s</b> %s: %s. %s</div></td></tr>\n", g.Rule.ID, g.Severity.String(), escape.Message(g.Message), escape.Message(g.Help))
		}
	}
	p.printf("</tbody></table></section></noscript>\n")
}
