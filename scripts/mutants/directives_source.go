package main

import (
	"debug/elf"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

// source is the assembly of one file.
type source struct {
	path   string
	tools  Tools
	object string // that they make
	lines  []string
	procs  []*proc
	abi    model.ABIInfo
	base   *File
	found  map[Finding]int // in the file without a fault
}

// proc is what is between .cfi_startproc and .cfi_endproc.
type proc struct {
	name        string
	first, last int    // lines
	start, size uint64 // in the linked file
	body        []line // from first to last
}

// line is a line of a proc.
type line struct {
	text string
	off  uint64 // of what it assembles to, from the start of the proc
	insn bool
}

// isInsn reports whether a line of assembly is an instruction.
func isInsn(text string) bool {
	s := strings.TrimSpace(text)
	word, _, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	return s != "" && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "#") && !strings.HasPrefix(s, "//") && !strings.HasSuffix(word, ":")
}

// pads reports whether a line of assembly fills space before code.
func pads(text string) bool {
	s := strings.TrimSpace(text)
	return strings.HasPrefix(s, ".p2align") || strings.HasPrefix(s, ".align") || strings.HasPrefix(s, ".balign")
}

// parse reads a file of assembly.
func parse(path string) (*source, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &source{path: path, lines: strings.Split(string(b), "\n")}
	var p *proc
	for i, text := range s.lines {
		switch t := strings.TrimSpace(text); {
		case strings.HasPrefix(t, ".hidden"), strings.HasPrefix(t, ".internal"): // it may be in a file that is not linked
			s.lines[i] = ""
		case strings.HasPrefix(t, ".cfi_startproc"):
			p = &proc{first: i}
		case strings.HasPrefix(t, ".cfi_endproc") && p != nil:
			p.last = i
			s.procs = append(s.procs, p)
			p = nil
		}
	}
	return s, nil
}

// mark is the label of a line.
func mark(i int) string { return fmt.Sprintf("sfmark.%d", i) }

// place assembles the source with a label at each line of its procs, and takes names and offsets from
// the object.
func (s *source) place() error {
	marked := slices.Clone(s.lines)
	for _, p := range s.procs {
		for i := p.first; i <= p.last; i++ {
			if isInsn(s.lines[i]) || pads(s.lines[i]) || strings.HasPrefix(strings.TrimSpace(s.lines[i]), ".cfi_") {
				marked[i] = mark(i) + ":\n" + s.lines[i]
			}
		}
	}
	if _, err := s.tools.Assemble(strings.Join(marked, "\n"), s.object); err != nil {
		return err
	}
	f, err := elf.Open(s.object)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	type where struct {
		section elf.SectionIndex
		off     uint64
	}
	marks, names := map[string]where{}, map[where]string{}
	for _, y := range symbols {
		at := where{y.Section, y.Value}
		switch {
		case strings.HasPrefix(y.Name, "sfmark."):
			marks[y.Name] = at
		case elf.ST_TYPE(y.Info) == elf.STT_FUNC || names[at] == "" && elf.ST_TYPE(y.Info) == elf.STT_NOTYPE:
			names[at] = y.Name
		}
	}
	for _, p := range s.procs {
		start := marks[mark(p.first)]
		p.name = names[start]
		p.size = marks[mark(p.last)].off - start.off
		p.body = make([]line, p.last-p.first+1)
		off := p.size
		for i := p.last; i >= p.first; i-- {
			if m, ok := marks[mark(i)]; ok {
				off = m.off - start.off
			}
			p.body[i-p.first] = line{s.lines[i], off, isInsn(s.lines[i])}
		}
	}
	return nil
}

// with returns the source with other bodies of some procs, and the line at which each proc starts.
func (s *source) with(bodies map[*proc][]line) (text string, starts []int) {
	var out []string
	at := 0
	for _, p := range s.procs {
		out = append(out, s.lines[at:p.first]...)
		starts = append(starts, len(out))
		body, ok := bodies[p]
		if !ok {
			body = p.body
		}
		for _, l := range body {
			out = append(out, l.text)
		}
		at = p.last + 1
	}
	return strings.Join(append(out, s.lines[at:]...), "\n"), starts
}

// removed is the advice to remove directives.
var removed = regexp.MustCompile(`^remove the CFI directives after the last instruction, at \+0x([0-9a-f]+)`)

// apply applies the advice of findings to a body. It reports whether there is one that it can follow.
func apply(abi *model.ABIInfo, body []line, all []Finding) ([]line, bool) {
	body = slices.Clone(body)
	done := map[line]bool{}
	for i := range all {
		if m := removed.FindStringSubmatch(all[i].Help); m != nil {
			off, _ := strconv.ParseUint(m[1], 16, 64)
			n := len(body)
			body = slices.DeleteFunc(body, func(x line) bool { return x.off >= off && proof.Sets(abi, x.text) != "" })
			done[line{text: m[0]}] = len(body) < n
		}
		for directive := range strings.Lines(all[i].Correction) {
			at, text, _ := strings.Cut(strings.TrimSuffix(directive, "\n"), " ")
			off, _ := strconv.ParseUint(at, 10, 64)
			l := line{text: "\t" + text, off: off}
			if done[l] {
				continue
			}
			done[l] = true
			body = insertLine(slices.DeleteFunc(body, func(x line) bool {
				return x.off == off && proof.Sets(abi, x.text) != "" && proof.Sets(abi, x.text) == proof.Sets(abi, l.text)
			}), l)
		}
	}
	return body, len(done) > 0
}

// firstInsn returns the offset of the first instruction from an offset on.
func firstInsn(body []line, off uint64) uint64 {
	for _, l := range body {
		if l.insn && l.off >= off {
			return l.off
		}
	}
	return off
}

// insertLine adds a directive before the first instruction, or the padding before it, that is at its offset or later.
func insertLine(body []line, l line) []line {
	at := slices.IndexFunc(body, func(x line) bool {
		return x.off >= l.off && (x.insn || pads(x.text) && x.off == l.off && firstInsn(body, l.off) > l.off)
	})
	if at < 0 {
		at = len(body) - 1
	}
	return slices.Insert(body, at, l)
}
