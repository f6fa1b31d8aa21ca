package lint

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/lines"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/rules"
)

// directive returns the lines to edit in an assembly source. The directives that give a row its
// rules stand between the instruction before its first one and that one, but line tables have only
// the lines of instructions. If the source can be read, the lines are those of the .cfi_ directives
// in between; if there are none, one is missing after the instruction before. If the source cannot
// be read, the lines are all those in between.
func (s *sources) directive(f *rules.Finding, path string, l *lines.Location) (first, last int) {
	at, before := l.Line.Line, l.Before.Line
	if l.Before.File != l.File || before >= at {
		return at, at
	}
	found, ok := s.directives(path, before, at)
	found = concerned(f, found)
	switch {
	case len(found) > 0:
		return found[0].line, found[len(found)-1].line
	case ok || before+1 == at:
		return before, before
	}
	return before + 1, at - 1
}

// directive is a .cfi_ directive in a source file.
type directive struct {
	line int
	name string // after .cfi_
}

// mostSource bounds the bytes of a source file that are read.
const mostSource = 8 << 20

// directives returns the directives between two lines of a source file below the root, and
// whether the file could be read. Those before the start of a function count to another one.
func (s *sources) directives(path string, after, before int) (found []directive, ok bool) {
	dir := s.roots().root
	if dir == "" || !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, false
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, false
	}
	defer root.Close()
	file, _, err := regular.OpenIn(root, filepath.FromSlash(path))
	if err != nil {
		return nil, false
	}
	defer file.Close()
	in := bufio.NewScanner(io.LimitReader(file, mostSource))
	n := 1
	for ; n < before && in.Scan(); n++ {
		if n <= after {
			continue
		}
		switch name := directiveIn(in.Text()); name {
		case "":
		case "startproc":
			found = []directive{{n, name}}
		case "endproc":
			found = nil
		default:
			found = append(found, directive{n, name})
		}
	}
	return found, n == before
}

// directiveIn returns the name of the directive in a line, without ".cfi_", "" for none.
func directiveIn(line string) string {
	code, _, _ := strings.Cut(line, "//")
	code, _, _ = strings.Cut(code, "/*")
	_, rest, ok := strings.Cut(code, ".cfi_")
	if before, _, comment := strings.Cut(code, "#"); !ok || comment && !strings.Contains(before, ".cfi_") {
		return ""
	}
	name, _, _ := strings.Cut(rest, " ")
	name, _, _ = strings.Cut(name, "\t")
	return name
}

// concernsCFA and concernsRegisters report whether a directive can change the rule of the CFA, and
// those of saved registers.
func concernsCFA(name string) bool {
	switch name {
	case "def_cfa", "def_cfa_offset", "adjust_cfa_offset", "def_cfa_register", "restore_state", "remember_state", "escape":
		return true
	}
	return false
}

func concernsRegisters(name string) bool {
	switch name {
	case "offset", "rel_offset", "val_offset", "restore", "undefined", "same_value", "register", "return_column",
		"restore_state", "negate_ra_state", "window_save", "escape":
		return true
	}
	return false
}

// concerned returns the directives that can cause a finding, all if that is not known. The one that
// begins the function counts only if there is no other.
func concerned(f *rules.Finding, all []directive) []directive {
	if len(all) > 1 && all[0].name == "startproc" {
		all = all[1:]
	}
	if f.Frame == nil || len(f.Frame.Sides) < 2 {
		return all
	}
	concerns, a, b := concernsRegisters, f.Frame.Sides[0].Row, f.Frame.Sides[1].Row
	if a.CFA != b.CFA {
		concerns = concernsCFA
	}
	some := slices.DeleteFunc(slices.Clone(all), func(d directive) bool { return !concerns(d.name) })
	if len(some) == 0 {
		return all
	}
	return some
}
