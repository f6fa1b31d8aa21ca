package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Text is a text that is changed by lines.
type Text struct {
	Lines   []string // with their line ends
	removed map[int]bool
	added   map[int][]string // after the line with an index
}

// NewText returns a text without changes.
func NewText(lines []string) *Text { return &Text{lines, map[int]bool{}, map[int][]string{}} }

// Remove removes the line with an index.
func (t *Text) Remove(i int) { t.removed[i] = true }

// Add adds a line, with its line end, after the line with this index and after the lines already added there. It has
// no effect if the line is one of those.
func (t *Text) Add(i int, line string) {
	if !slices.Contains(t.added[i], line) {
		t.added[i] = append(t.added[i], line)
	}
}

// each calls visit with the line that has an index and with those that are added after it: the sign is '-' for one that
// is removed and '+' for one that is added.
func (t *Text) each(i int, visit func(sign byte, line string)) {
	switch l := t.Lines[i]; {
	case t.removed[i]:
		visit('-', l)
	case len(t.added[i]) > 0 && !strings.HasSuffix(l, "\n"): // it gets an end
		visit('-', l)
		visit('+', l+"\n")
	default:
		visit(' ', l)
	}
	for _, l := range t.added[i] {
		visit('+', l)
	}
}

// Bytes returns the text with the changes.
func (t *Text) Bytes() []byte {
	var b bytes.Buffer
	for i := range t.Lines {
		t.each(i, func(sign byte, line string) {
			if sign != '-' {
				b.WriteString(line)
			}
		})
	}
	return b.Bytes()
}

// around is the number of lines that a part has around its changes.
const around = 3

// Diff returns the changes as a unified diff for git apply and patch -p1, "" without changes. path is
// slash-separated.
func (t *Text) Diff(path string) string {
	var b strings.Builder
	for at, shift, first := 0, 0, t.next(0); first < len(t.Lines); first = t.next(at) {
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- a/%s\n+++ b/%[1]s\n", path)
		}
		from, last := max(at, first-around), first
		for n := t.next(last + 1); n < len(t.Lines) && n-last <= 2*around; n = t.next(last + 1) {
			last = n
		}
		at = min(last+around+1, len(t.Lines))
		var x part
		for i := from; i < at; i++ {
			t.each(i, x.add)
		}
		_ = x.write(&b, fmt.Sprintf("-%d,%d +%d,%d", from+1, x.old, from+1+shift, x.new)) // to memory
		shift += x.new - x.old
	}
	return b.String()
}

// next returns the index of the first line from one on that is changed, the number of lines for none.
func (t *Text) next(i int) int {
	for i < len(t.Lines) && !t.removed[i] && len(t.added[i]) == 0 {
		i++
	}
	return i
}
