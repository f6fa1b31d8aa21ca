package ruletest

import (
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Table runs rules on the cases of a text, one case per line: BASE | NAME | CHANGES | FINDINGS. FINDINGS are
// separated by commas and sorted by place. They have the form of [Findings], or name a field of the section: "SF2001
// f0.info". CHANGES are separated by slashes:
//
//	f0.info = 3                a statement of package asm
//	set 0x1c 00 @8:1040        overwrite bytes at an offset
//	insert 0x7b 00 00          insert bytes at an offset
//	delete 0x8a 6              remove bytes at an offset
//	at 0                       a raw section at an address
//	linked                     the section is in an executable
//	relocatable 0 0x40@3 9?    the section is in an object file; functions start there in .text, in section 3, and nowhere
//	section 6 0x13f0 0x20      the file has another section: flags, address, size
//	text 0x1000 0x2b8          the executable has .text there: address, size
//	headless                   the executable has no section headers
//	segments 2                 the executable has only the first of its segments
//	NAME WORDS                 the changes of an earlier line NAME: CHANGES, with WORDS in place of $
//
// Lines that start with # are comments.
func Table(t *testing.T, all []*rules.Rule, text string) {
	t.Helper()
	Lines(t, text, func(t *testing.T, base Base, changes []Change, cell string) {
		b := builder{make: func(data []byte, _ model.ABIInfo) *reader.Object { return Raw(data) }}
		for _, c := range changes {
			b.change(t, c)
		}
		out := base.Assemble(t, b.text)
		o := b.make(base.edited(t, out, b.edits), base.ABI())
		for _, change := range b.after {
			change(o.ELF)
		}
		want := Want(cell)
		for i, w := range want {
			if rule, field, _ := strings.Cut(w, " "); !strings.Contains(field, "+") {
				sp, ok := out.Span(field)
				require.True(t, ok, "no field %q", field)
				want[i] = fmt.Sprintf("%s 0x%x+%d", rule, sp.Off, sp.Len)
			}
		}
		require.Equal(t, want, Findings(t, all, o))
	})
}

// Change is a change in a case: a verb and its arguments.
type Change []string

// Int returns an argument as a number, or 0 if there is no such argument.
func (c Change) Int(t testing.TB, i int) uint64 {
	t.Helper()
	if i >= len(c) {
		return 0
	}
	v, err := strconv.ParseUint(c[i], 0, 64)
	require.NoError(t, err, "%q", c)
	return v
}

// Edit returns the edit of bytes that the change describes. It reports false for other changes.
func (c Change) Edit(t testing.TB) (Edit, bool) {
	t.Helper()
	switch c[0] {
	case "set":
		return Set(int(c.Int(t, 1)), strings.Join(c[2:], " ")), true
	case "insert":
		return Insert(int(c.Int(t, 1)), strings.Join(c[2:], " ")), true
	case "delete":
		return Delete(int(c.Int(t, 1)), int(c.Int(t, 2))), true
	}
	return Edit{}, false
}

// Lines runs a function as a subtest for each case of a text in the form of [Table].
func Lines(t *testing.T, text string, run func(t *testing.T, base Base, changes []Change, findings string)) {
	t.Helper()
	named := map[string]string{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), " |")
		name, changes, isName := strings.Cut(cells[0], ": ")
		if isName {
			named[name] = changes
		}
		if len(cells) == 1 || name[0] == '#' {
			continue
		}
		require.Len(t, cells, 4, line)
		i := slices.IndexFunc(Bases(), func(b Base) bool { return b.Name == name })
		require.GreaterOrEqual(t, i, 0, line)
		t.Run(name+"/"+cells[1][1:], func(t *testing.T) { run(t, Bases()[i], Changes(cells[2], named), cells[3]) })
	}
}

// Changes returns the changes in a cell, and expands the names of earlier lines.
func Changes(cell string, named map[string]string) (all []Change) {
	for change := range strings.SplitSeq(cell, " / ") {
		c := strings.Fields(change)
		if len(c) == 0 {
			continue
		}
		if more, ok := named[c[0]]; ok {
			all = append(all, Changes(strings.ReplaceAll(more, "$", strings.Join(c[1:], " ")), named)...)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// Want returns the findings in a cell.
func Want(cell string) []string {
	if cell = strings.TrimSpace(cell); cell == "" {
		return []string{}
	}
	return strings.Split(cell, ", ")
}

// builder is a case on its way.
type builder struct {
	text  string // statements after those of the base
	edits []Edit
	make  func(data []byte, abi model.ABIInfo) *reader.Object
	more  []reader.Section
	after []func(*reader.ELF)
}

// change adds a change to the case.
func (b *builder) change(t *testing.T, c Change) {
	t.Helper()
	n := func(i int) uint64 { return c.Int(t, i) }
	if e, ok := c.Edit(t); ok {
		b.edits = append(b.edits, e)
		return
	}
	switch c[0] {
	case "at":
		b.make = func(data []byte, _ model.ABIInfo) *reader.Object {
			o := Raw(data)
			o.SFrames[0] = reader.DecodeSFrame(data, reader.SectionOptions{Addr: n(1)})
			return o
		}
	case "linked":
		b.make = func(data []byte, abi model.ABIInfo) *reader.Object { return Linked(data, abi, b.more...) }
	case "relocatable":
		var starts []model.Start
		for _, a := range c[1:] {
			s := model.Start{Place: Text, OK: !strings.HasSuffix(a, "?")}
			_, err := fmt.Sscanf(strings.TrimSuffix(a, "?")+"@1", "%v@%v", &s.Addr, &s.Place)
			require.NoError(t, err, "%q", c)
			starts = append(starts, s)
		}
		b.make = func(data []byte, abi model.ABIInfo) *reader.Object { return Relocatable(data, abi, starts, b.more...) }
	case "section":
		b.more = append(b.more, reader.Section{Flags: elf.SectionFlag(n(1)), Addr: n(2), Size: n(3)})
	case "text":
		b.after = append(b.after, func(e *reader.ELF) { e.Sections[Text].Addr, e.Sections[Text].Size = n(1), n(2) })
	case "headless":
		b.after = append(b.after, func(e *reader.ELF) { e.Sections = nil })
	case "segments":
		b.after = append(b.after, func(e *reader.ELF) { e.Segments = e.Segments[:n(1)] })
	default:
		b.text += strings.Join(c, " ") + "\n"
	}
}
