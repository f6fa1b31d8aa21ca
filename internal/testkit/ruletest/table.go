package ruletest

import (
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Table runs rules on the cases of a text, one a line: BASE | NAME | CHANGES | FINDINGS. Findings are separated by commas, in the
// order of their places, and are in the form of [Findings], but may name a field of the section: "SF2001 f0.info". Changes
// are separated by slashes:
//
//	f0.info = 3                a statement of package asm
//	set 0x1c 00 @8:1040        other bytes at an offset
//	insert 0x7b 00 00          bytes before an offset
//	delete 0x8a 6              bytes that are taken out
//	at 0                       a raw section at an address
//	linked                     the section is in an executable
//	relocatable 0 0x40@3 9?    in an object file; functions start there in .text, in section 3, and nowhere
//	section 6 0x13f0 0x20      the file has another section: flags, address, size
//	text 0x1000 0x2b8          the executable has .text there: address, size
//	headless                   the executable has no section headers
//	segments 2                 it has only the first of its segments
//	NAME WORDS                 the changes of an earlier line NAME: CHANGES, with the words in place of $
//
// Lines that start with # are comments.
func Table(t *testing.T, all []*rules.Rule, text string) {
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
		t.Run(name+"/"+cells[1][1:], func(t *testing.T) {
			b := builder{make: func(data []byte, _ model.ABIInfo) *reader.Object { return Raw(data) }}
			b.changes(t, cells[2], named)
			out := Bases()[i].Assemble(t, b.text)
			o := b.make(Bases()[i].edited(t, out, b.edits), Bases()[i].ABI())
			for _, change := range b.after {
				change(o.ELF)
			}
			require.Equal(t, findings(t, out, strings.TrimSpace(cells[3])), Findings(t, all, o))
		})
	}
}

// builder is a case on its way.
type builder struct {
	text  string // statements after those of the base
	edits []Edit
	make  func(data []byte, abi model.ABIInfo) *reader.Object
	more  []reader.Section
	after []func(*reader.ELF)
}

// findings puts the last cell of a line in the form of [Findings].
func findings(t *testing.T, out *asm.Output, cell string) []string {
	t.Helper()
	want := []string{}
	for w := range strings.SplitSeq(cell, ", ") {
		if rule, field, _ := strings.Cut(w, " "); rule != "" && !strings.Contains(field, "+") {
			sp, ok := out.Span(field)
			require.True(t, ok, "no field %q", field)
			w = fmt.Sprintf("%s 0x%x+%d", rule, sp.Off, sp.Len)
		}
		if w != "" {
			want = append(want, w)
		}
	}
	return want
}

func (b *builder) changes(t *testing.T, all string, named map[string]string) {
	t.Helper()
	for change := range strings.SplitSeq(all, " / ") {
		name, words, _ := strings.Cut(strings.TrimSpace(change), " ")
		if more, ok := named[name]; ok {
			b.changes(t, strings.ReplaceAll(more, "$", words), named)
		} else {
			b.change(t, strings.TrimSpace(change))
		}
	}
}

// change adds a change to the case.
func (b *builder) change(t *testing.T, change string) {
	t.Helper()
	verb, rest, _ := strings.Cut(change, " ")
	args := strings.Fields(rest)
	n := func(i int) uint64 {
		v, err := strconv.ParseUint(args[i], 0, 64)
		require.NoError(t, err, change)
		return v
	}
	switch verb {
	case "set", "insert":
		_, bytes, _ := strings.Cut(rest, " ")
		b.edits = append(b.edits, Edit{int(n(0)), map[string]int{"set": -1}[verb], bytes})
	case "delete":
		b.edits = append(b.edits, Delete(int(n(0)), int(n(1))))
	case "at":
		b.make = func(data []byte, _ model.ABIInfo) *reader.Object {
			o := Raw(data)
			o.SFrames[0] = reader.DecodeSFrame(data, reader.SectionOptions{Addr: n(0)})
			return o
		}
	case "linked":
		b.make = func(data []byte, abi model.ABIInfo) *reader.Object { return Linked(data, abi, b.more...) }
	case "relocatable":
		var starts []model.Start
		for _, a := range args {
			s := model.Start{Place: Text, OK: !strings.HasSuffix(a, "?")}
			_, err := fmt.Sscanf(strings.TrimSuffix(a, "?")+"@1", "%v@%v", &s.Addr, &s.Place)
			require.NoError(t, err, change)
			starts = append(starts, s)
		}
		b.make = func(data []byte, abi model.ABIInfo) *reader.Object { return Relocatable(data, abi, starts, b.more...) }
	case "section":
		b.more = append(b.more, reader.Section{Flags: elf.SectionFlag(n(0)), Addr: n(1), Size: n(2)})
	case "text":
		b.after = append(b.after, func(e *reader.ELF) { e.Sections[Text].Addr, e.Sections[Text].Size = n(0), n(1) })
	case "headless":
		b.after = append(b.after, func(e *reader.ELF) { e.Sections = nil })
	case "segments":
		b.after = append(b.after, func(e *reader.ELF) { e.Segments = e.Segments[:n(0)] })
	default:
		b.text += change + "\n"
	}
}
