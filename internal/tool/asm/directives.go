package asm

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// directive executes the statement that begins with a directive.
type directive func(p *parser, t token)

// table has all directives by name, after the first text.
var table struct {
	sync.Once
	all map[string]directive
}

// directives returns all directives by name.
func directives() map[string]directive {
	table.Do(func() { table.all = allDirectives() })
	return table.all
}

// Directives returns the names of all directives, sorted.
func Directives() []string { return slices.Sorted(maps.Keys(directives())) }

func allDirectives() map[string]directive {
	all := map[string]directive{
		".abi": setABI, ".order": setOrder, ".flags": setFlags,
		".address":     func(p *parser, _ token) { p.unit.addr = p.value() },
		".relocatable": func(p *parser, _ token) { p.unit.relocatable = true },
		".aux":         func(p *parser, _ token) { p.unit.aux = p.hexBytes() },
		".fdes_at":     func(p *parser, _ token) { p.unit.fdesAt = p.count("an offset", 1<<40) },
		".fres_at":     func(p *parser, _ token) { p.unit.fresAt = p.count("an offset", 1<<40) },
		".size":        func(p *parser, _ token) { p.unit.size = p.count("the size", p.opts.Limit) },
		".at":          writeAt,
		".func":        addFunction, ".replace": replace, ".delete": remove,
		".bytes": addBytes, ".org": setPlace,
		".include": include, ".repeat": nil,
		".end": func(_ *parser, t token) { fail(t.pos, ".end without .repeat") },
		".elf": setELF, ".section": addSection, ".symbol": addSymbol, ".reloc": addReloc,
		".byte": sectionBytes, ".incbin": sectionFile, ".zero": sectionZeros,
	}
	for f := model.HdrMagic; f < model.NumHeaderFields; f++ {
		if name := HeaderName(f); all[name] == nil {
			all[name] = func(p *parser, _ token) { p.headerField(f) }
		}
	}
	return all
}

// HeaderName returns the directive for a field of the header.
func HeaderName(f model.HeaderField) string {
	_, name, _ := strings.Cut(f.String(), "_")
	return "." + name
}

// headerField sets a field of the header.
func (p *parser) headerField(f model.HeaderField) {
	at := p.peek().pos
	v := p.value()
	fits(v, f.Span().Len, at, f.String())
	switch f {
	case model.HdrVersion:
		p.unit.version = model.Version(v)
	case model.HdrABI:
		p.unit.useABI(model.ABI(v))
	}
	p.unit.header[f] = v
}

func (u *unit) useABI(id model.ABI) {
	u.abi, u.regs = id, nil
	if a := model.LookupABI(id); a.Known() && !u.orderGiven {
		u.big = a.Big
	}
}

func setABI(p *parser, _ token) {
	t := p.peek()
	name := p.take().text
	for name != "" && p.accept('-') {
		name += "-" + p.take().text
	}
	var names []string
	for _, a := range model.ABIs() {
		if a.Short() == name {
			p.unit.useABI(a.ID)
			return
		}
		names = append(names, a.Short())
	}
	fail(t.pos, "unknown ABI %q: expected one of %s, or .abi_arch and a number", name, strings.Join(names, ", "))
}

func setOrder(p *parser, _ token) {
	switch {
	case p.word("big"):
		p.unit.big = true
	case p.word("little"):
		p.unit.big = false
	default:
		p.wrong("big or little")
	}
	p.unit.orderGiven = true
}

// Flags are the names of the flags in texts.
var Flags = [...]struct {
	Name string
	Flag model.Flags
}{
	{"sorted", model.SFRAME_F_FDE_SORTED},
	{"frame_pointer", model.SFRAME_F_FRAME_POINTER},
	{"pcrel", model.SFRAME_F_FDE_FUNC_START_PCREL},
}

func setFlags(p *parser, _ token) {
	v := int64(0)
	for first := true; first || p.peek().kind != 0; first = false {
		named := false
		for _, w := range Flags {
			if p.word(w.Name) {
				v |= int64(w.Flag)
				named = true
			}
		}
		if named {
			continue
		}
		if t := p.peek(); t.kind != 'w' || !isNumber(t.text) {
			p.wrong("sorted, frame_pointer, pcrel or a number")
		}
		v |= p.count("the flags", 0xff)
	}
	p.unit.header[model.HdrFlags] = v
}

// writeAt puts bytes at an offset in the section.
func writeAt(p *parser, t token) {
	off := p.count("an offset", p.opts.Limit)
	p.expect(':')
	p.unit.writes = append(p.unit.writes, write{at: t.pos, off: off, bytes: p.hexBytes()})
}

// assign sets the value of a field after all parts have their places.
func (p *parser) assign() {
	t := p.take()
	p.take()
	v := p.value()
	p.end()
	p.unit.writes = append(p.unit.writes, write{at: t.pos, path: t.text, value: v})
}

// addBytes adds bytes to the data of the function.
func addBytes(p *parser, t token) {
	if p.now == nil {
		fail(t.pos, ".bytes are a part of a function; use .at for other bytes")
	}
	p.now.items = append(p.now.items, item{bytes: p.hexBytes(), org: -1})
}

// setPlace sets where the next data go, as an offset in the FRE sub-section.
func setPlace(p *parser, t token) {
	if p.now == nil {
		fail(t.pos, ".org is a part of a function; the data of the first one are at .fres_at")
	}
	p.now.items = append(p.now.items, item{org: p.count("an offset", 1<<40)})
}

// include executes another text.
func include(p *parser, t token) {
	at := p.peek().pos
	name := p.fileName(t)
	p.end()
	data := p.readFile(name, 0, -1, at)
	p.deeper(t.pos)
	dir := p.dir
	p.dir = path.Dir(name)
	p.lines(name, string(data), 1)
	p.dir = dir
	p.depth--
	p.begin("", t.pos)
}

// fileName returns the name of a file that is next, relative to the text that names it.
func (p *parser) fileName(t token) string {
	if p.peek().kind != '"' {
		p.wrong("the name of a file in quotes")
	}
	name := p.take().text
	if p.opts.Read == nil {
		fail(t.pos, "%s: this text can't name files", t.text)
	}
	if !path.IsAbs(name) {
		name = path.Join(p.dir, name)
	}
	return name
}

// readFile returns n bytes of a file from an offset on, or the rest of it if n is negative.
func (p *parser) readFile(name string, off, n int64, at pos) []byte {
	if n < 0 {
		_, size, err := p.opts.Read(name, off, 0)
		if err != nil {
			fail(at, "%v", err)
		}
		n = max(size-off, 0)
	}
	if n > p.left {
		p.spend(n, at)
	}
	data, size, err := p.opts.Read(name, off, n)
	switch {
	case err != nil:
		fail(at, "%v", err)
	case off > size:
		fail(at, "the offset must be from 0 to %d, not %d", size, off)
	case n > size-off:
		fail(at, "the file has %d bytes after offset 0x%x, not %d", size-off, off, n)
	}
	p.spend(int64(len(data)), at)
	return data
}
