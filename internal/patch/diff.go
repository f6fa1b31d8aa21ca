package patch

import (
	"fmt"
	"strings"
)

// context is the number of lines that a hunk has around its changes.
const context = 3

// hunk is a run of lines of a unified diff.
type hunk struct {
	old, new           int // the first lines, from 1
	oldLines, newLines int
	text               strings.Builder
}

// Diff returns the changes as a unified diff that git apply and patch -p1 take, "" for none. path is slash-separated.
func (s *Source) Diff(path string) string {
	var b strings.Builder
	at, shift := 0, 0
	for at < len(s.lines) {
		first := s.next(at)
		if first == len(s.lines) {
			break
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- a/%s\n+++ b/%[1]s\n", path)
		}
		from, last := max(at, first-context), first
		for n := s.next(last + 1); n < len(s.lines) && n-last <= 2*context; n = s.next(last + 1) {
			last = n
		}
		to := min(last+context+1, len(s.lines))
		h := &hunk{old: from + 1, new: from + 1 + shift}
		for i := from; i < to; i++ {
			s.line(h, i)
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n%s", h.old, h.oldLines, h.new, h.newLines, &h.text)
		shift += h.newLines - h.oldLines
		at = to
	}
	return b.String()
}

// next returns the index of the first line from one on that is changed, len(lines) for none.
func (s *Source) next(i int) int {
	for i < len(s.lines) && !s.removed[i] && len(s.added[i]) == 0 {
		i++
	}
	return i
}

// line adds a line, and what is added after it.
func (s *Source) line(h *hunk, i int) {
	last := i == len(s.lines)-1 && !s.ends
	sign := byte(' ')
	if s.removed[i] {
		sign = '-'
	} else if last && len(s.added[i]) > 0 { // it gets an end
		h.write('-', s.lines[i], true)
		sign, last = '+', false
	}
	h.write(sign, s.lines[i], last)
	for _, a := range s.added[i] {
		h.write('+', a, false)
	}
}

func (h *hunk) write(sign byte, line string, endless bool) {
	h.text.WriteByte(sign)
	h.text.WriteString(line + "\n")
	if endless {
		h.text.WriteString("\\ No newline at end of file\n")
	}
	if sign != '+' {
		h.oldLines++
	}
	if sign != '-' {
		h.newLines++
	}
}
