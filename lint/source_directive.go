package lint

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/rules"
)

// directive returns the lines to edit in an assembly source. A row's directives stand between the instruction before it and
// its first one; line tables have only instructions. If the source has .cfi_ directives there, the lines are theirs,
// otherwise that of the instruction before.
func (s *sources) directive(f *rules.Finding, l *lines.Location) (first, last int) {
	at, before := l.Line.Line, l.Before.Line
	if l.Before.File != l.File || before >= at {
		return at, at
	}
	if found := relevantDirectives(f, s.directives(l.File, before, at)); len(found) > 0 {
		return found[0].line, found[len(found)-1].line
	}
	return before, before
}

// directive is a .cfi_ directive in a source file.
type directive struct {
	line int
	name string // after .cfi_
}

// open opens a source file, where debug information has it or else below the root; nil if it is not there. Any
// object can name any file, so the file must have the name of a source, behind symbolic links as well.
func (s *sources) open(file string) io.ReadCloser {
	name := filepath.FromSlash(s.mapPath(file))
	if !hasSourceName(name) {
		return nil
	}
	if filepath.IsAbs(name) {
		if real, err := filepath.EvalSymlinks(name); err == nil && hasSourceName(real) {
			if f, _, err := regular.Open(real); err == nil {
				return f
			}
		}
	}
	name = filepath.FromSlash(s.path(file))
	if dir := s.roots().root; dir != "" && filepath.IsLocal(name) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil
		}
		defer root.Close()
		if f, _, err := regular.OpenIn(root, name); err == nil {
			return f
		}
	}
	return nil
}

// Open opens a source file by its path in findings. It returns nil if there is no such file.
func (s *Sources) Open(path string) io.ReadCloser { return newSources(s).open(path) }

func hasSourceName(name string) bool {
	return slices.Contains(sourceNames, strings.ToLower(filepath.Ext(name)))
}

// sourceNames are the ends of the names of sources.
var sourceNames = strings.Fields(".s .sx .asm .inc .c .h .cc .hh .cpp .hpp .cxx .hxx .m .mm .rs .go .zig .d .f .f90 .adb .ads .swift")

// lines calls visit with the lines of a source file, counted from 1, until it returns false.
func (s *sources) lines(file string, visit func(n int, text string) bool) {
	f := s.open(file)
	if f == nil {
		return
	}
	defer f.Close()
	in := bufio.NewScanner(io.LimitReader(f, proof.MaxSource))
	for n := 1; in.Scan() && visit(n, in.Text()); n++ {
	}
}

// line returns a line of a source file, "" if it cannot be read.
func (s *sources) line(file string, line int) (text string) {
	s.lines(file, func(n int, t string) bool {
		if n == line {
			text = t
		}
		return n < line
	})
	return strings.TrimSpace(text)
}

// directives returns the directives between two lines of a source file, none if it cannot be read. Those before the
// start of a function belong to another one.
func (s *sources) directives(file string, after, before int) (found []directive) {
	s.lines(file, func(n int, text string) bool {
		if n <= after || n >= before {
			return n < before
		}
		switch name := directiveIn(text); name {
		case "":
		case "startproc":
			found = []directive{{n, name}}
		case "endproc":
			found = nil
		default:
			found = append(found, directive{n, name})
		}
		return true
	})
	return found
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

// The directives that can change the rule of the CFA, and those of saved registers.
var (
	directivesOfCFA       = strings.Fields("def_cfa def_cfa_offset adjust_cfa_offset def_cfa_register restore_state remember_state escape")
	directivesOfRegisters = strings.Fields("offset rel_offset val_offset restore undefined same_value register return_column restore_state negate_ra_state window_save escape")
)

// relevantDirectives returns the directives that can cause a finding, all if that is not known. The one that
// begins the function counts only if there is no other.
func relevantDirectives(f *rules.Finding, all []directive) []directive {
	var start []directive
	if len(all) > 0 && all[0].name == "startproc" {
		start, all = all[:1], all[1:]
	}
	if len(all) == 0 {
		return start
	}
	if f.Frame == nil || len(f.Frame.Sides) < 2 {
		return all
	}
	names := directivesOfRegisters
	if f.Frame.Sides[0].Row.CFA != f.Frame.Sides[1].Row.CFA {
		names = directivesOfCFA
	}
	some := slices.DeleteFunc(slices.Clone(all), func(d directive) bool { return !slices.Contains(names, d.name) })
	if len(some) == 0 {
		return start
	}
	return some
}
