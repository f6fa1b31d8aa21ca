package lint

import (
	"path/filepath"
	"reflect"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// PathMap replaces the beginning From of the paths of source files, up to a slash or the end, by To.
type PathMap struct{ From, To string }

// Sources says where source files and debug information are.
type Sources struct {
	// Root is the directory of the source files, "" for the working directory. The paths of
	// files below it are relative to it, as services that show a repository need them.
	Root string
	// Map replaces the beginning of paths in debug information. The longest one that matches
	// counts.
	Map []PathMap
	// DebugFiles are files with the debug information of others: those with the same build ID,
	// or with a .gnu_debuglink that has their checksum. DebugRoots are directories of such files,
	// as /usr/lib/debug.
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
			if f := &findings[i]; f.HasPC && !located[f] && f.BlamesSource() && c.budget.Spend(budget.Memory, mostWords) == nil {
				c.charged += mostWords
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
			if c.budget.Room(budget.Memory) < n || c.budget.Spend(budget.Memory, n) != nil {
				return
			}
			c.charged += n
			f.Source = c.sources.source(f, &l)
			if located[f] = true; !l.Assembly {
				by, ok := producers.CompilerOf(l.Producer)
				of.compiledBy(o, f, by, ok, true)
			} else if c.budget.Spend(budget.Memory, maxHelp) == nil {
				c.charged += maxHelp
				inLines(o, f, l.File, found)
			}
			if f.Listing != nil && c.budget.Spend(budget.Memory, escape.MaxName) == nil {
				c.charged += escape.MaxName
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
