package lint

import (
	"cmp"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// PathMap replaces the prefix From of source paths with To. The prefix ends at a slash or at the end of the path.
type PathMap struct{ From, To string }

// Sources says where to find source files and debug information.
type Sources struct {
	// Root is the directory of the source files, "" for the working directory. Paths below it are reported relative
	// to it, as services that show repositories require.
	Root string
	// Map replaces prefixes of paths in debug information. The longest match applies.
	Map []PathMap
	// DebugFiles are files with debug information for other files, matched by build ID or by the checksum in
	// .gnu_debuglink. DebugRoots are directories of such files, such as /usr/lib/debug.
	DebugFiles, DebugRoots []string
}

// addSources adds the places in source files to findings, while the object is visited. It reads
// debug information only if a finding has a PC.
func (c *check) addSources(o *reader.Object, findings []rules.Finding) {
	var all []lines.PC
	for s := rules.Error; s > rules.Off; s-- { // those come first if there are too many
		for i := range findings {
			if f := &findings[i]; f.HasPC && f.Severity == s {
				all = append(append(all, pcOf(f)), directivePCs(f)...)
			}
		}
	}
	if len(all) == 0 || o.ELF == nil {
		return
	}
	located := map[*rules.Finding]bool{}
	var of compilers
	defer func() {
		for i := range findings {
			if f := &findings[i]; f.HasPC && !located[f] && f.BlamesSource() && c.hold(mostWords) {
				by, ok := of.of(o, f)
				of.compiledBy(o, f, by, ok, false)
			}
		}
	}()
	c.sources.debugOf(o, c.plainFile(o), func(debug *reader.Object) {
		in := lines.Sources{Object: o, Debug: debug, Split: c.sources.splitOf(o, c.plainFile(o))}
		found := lines.Find(in, all)
		for i := range findings {
			f := &findings[i]
			l, ok := found[pcOf(f)]
			if !ok || !f.HasPC {
				continue
			}
			n := sourceCost + callCost*int64(len(l.Frames)) + int64(len(l.File)+len(f.Help)+len(compiled))
			if c.budget.Room(budget.Memory) < n || !c.hold(n) {
				return
			}
			f.Source = c.sources.source(f, &l)
			if located[f] = true; !l.Assembly {
				by, ok := producers.CompilerOf(l.Producer)
				of.compiledBy(o, f, by, ok, true)
			} else if c.hold(maxHelp) {
				inLines(o, f, l.File, found)
			}
			if f.Listing != nil && c.hold(escape.MaxName) {
				f.Source.Text = escape.Cut(c.sources.line(l.File, f.Source.Line), escape.MaxName)
			}
		}
	})
}

// maxHelp is about how many bytes help that counts lines has.
const maxHelp = maxHelpLines * 128

// About the bytes of a source and a call in memory, besides their texts.
var (
	sourceCost = int64(reflect.TypeFor[rules.Source]().Size())
	callCost   = int64(reflect.TypeFor[rules.Call]().Size()) + 64
)

// plainFile returns the path of an object that is a file by itself, "" for others.
func (c *check) plainFile(o *reader.Object) string {
	if c.task.Stdin || o.Member != "" {
		return ""
	}
	return o.Path
}

// pcOf returns where a finding's fault begins: the instruction from which on a row is wrong, if
// the finding says so, or that of its row or function.
func pcOf(f *rules.Finding) lines.PC {
	pc := f.PC
	if f.Frame != nil {
		pc = f.Frame.PC
	}
	return lines.PC{Place: f.Place, Addr: pc}
}

// source describes a location in the source text.
func (s *sources) source(f *rules.Finding, l *lines.Location) *rules.Source {
	out := &rules.Source{Path: s.path(l.File), Line: l.Line.Line, EndLine: l.Line.Line}
	if l.Assembly {
		out.Line, out.EndLine = s.directive(f, l)
	}
	for i, x := range l.Frames {
		if i == 0 {
			out.Function = x.Function
			continue
		}
		call := rules.Call{Line: l.Frames[i-1].Call.Line, Function: x.Function}
		if call.Line > 0 {
			call.Path = s.path(l.Frames[i-1].Call.File)
		}
		out.Inlined = append(out.Inlined, call)
	}
	return out
}

// sources are what a run knows of source files.
type sources struct {
	*Sources
	roots func() roots
	given []string // the arguments of the run, among which may be packages with debug information
}

// roots are the directory of the source files.
type roots struct {
	root string // absolute, "" if it is not known
	real string // root without symbolic links
}

func newSources(s *Sources) *sources {
	return &sources{Sources: s, roots: sync.OnceValue(func() (out roots) {
		root, err := filepath.Abs(s.Root)
		if err != nil {
			return out
		}
		out = roots{root, root}
		if real, err := filepath.EvalSymlinks(root); err == nil {
			out.real = real
		}
		return out
	})}
}

// path returns the path of a source file, which debug information has as file.
func (s *sources) path(file string) string {
	file = s.mapPath(file)
	r := s.roots()
	for _, root := range []string{r.root, r.real} {
		if rest, ok := below(filepath.ToSlash(root), file); ok && root != "" {
			return cmp.Or(rest, file)
		}
	}
	return file
}

// mapPath replaces the beginning of a path.
func (s *sources) mapPath(file string) string {
	longest, out := -1, file
	for _, m := range s.Map {
		from := filepath.ToSlash(m.From)
		rest, ok := below(from, file)
		if !ok || len(from) <= longest {
			continue
		}
		if longest, out = len(from), rest; m.To != "" {
			out = path.Join(filepath.ToSlash(m.To), rest)
		}
	}
	if out == "" {
		return "."
	}
	return path.Clean(out)
}

// below returns the rest of a path after that of a directory, and whether it is below it or the
// directory itself.
func below(dir, file string) (string, bool) {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(dir, "/"))
	switch {
	case !ok:
		return "", false
	case rest == "":
		return "", true
	case rest[0] == '/':
		return rest[1:], true
	}
	return "", false
}

// Lines maps an object's code to source lines, from debug information.
type Lines struct {
	runs []codeRun
	next int // callers mostly ask for one instruction after the other
}

// codeRun is code that one line has.
type codeRun struct {
	lines.PC
	end uint64
	lines.Line
}

// runCost is about the bytes of memory that a run takes.
const runCost = 64

// LinesOf returns the source lines of an object, or nil if it has none. Call it only while the object is visited.
// path is its file, or "" if it is part of a file: see [Sources.DebugFiles].
func (s *Sources) LinesOf(o *reader.Object, path string) *Lines {
	if o.ELF == nil {
		return nil
	}
	all := &Lines{}
	from := newSources(s)
	paths := map[string]string{}
	from.debugOf(o, path, func(debug *reader.Object) {
		held := 0
		lines.Each(lines.Sources{Object: o, Debug: debug}, func(pc lines.PC, end uint64, l lines.Line) {
			if len(all.runs) == held {
				if o.Hold(1024*runCost) != nil {
					return
				}
				held += 1024
			}
			shown, ok := paths[l.File]
			if !ok && l.File != "" {
				shown = from.path(l.File)
				paths[l.File] = shown
			}
			l.File = shown
			all.runs = append(all.runs, codeRun{pc, end, l})
		})
	})
	if len(all.runs) == 0 {
		return nil
	}
	slices.SortStableFunc(all.runs, func(a, b codeRun) int { return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Addr, b.Addr)) })
	return all
}

// At returns the source line of an instruction, or "" and 0 if unknown. In a relocatable file, pc is an offset in the
// section with index place.
func (l *Lines) At(place uint32, pc uint64) (file string, line int) {
	before := func(r *codeRun) bool { return r.Place < place || r.Place == place && r.Addr <= pc }
	n := l.next
	if n > len(l.runs) || n > 0 && !before(&l.runs[n-1]) {
		n, _ = slices.BinarySearchFunc(l.runs, pc, func(r codeRun, pc uint64) int {
			if before(&r) {
				return -1
			}
			return 1
		})
	}
	for n < len(l.runs) && before(&l.runs[n]) {
		n++
	}
	l.next = n
	for back := 1; back <= 4 && back <= n; back++ {
		if r := &l.runs[n-back]; r.Place == place && pc < r.end {
			return r.File, r.Line.Line
		}
	}
	return "", 0
}
