package lintcmd

import (
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/glob"
	"github.com/sframe-lint/sframe-lint/lint/config"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// placeRule is the rule that allowed sections are for.
const placeRule = "SF2014"

// filter drops the findings that the configuration excuses.
type filter struct {
	exceptions []exception
	allowed    []string // sections, globs

	last atomic.Pointer[resolved]
}

// resolved is a path and what it is from the root on.
type resolved struct{ path, abs string }

type exception struct {
	config.Exception
	used atomic.Int64
}

func newFilter(c *config.Config, allowed []string) *filter {
	f := &filter{allowed: allowed}
	if c != nil {
		f.exceptions = make([]exception, len(c.Exceptions))
		for i, x := range c.Exceptions {
			f.exceptions[i].Exception = x
		}
	}
	return f
}

// concerns tells whether findings of a rule may be excused.
func (f *filter) concerns(r *rules.Rule) bool {
	return len(f.exceptions) > 0 || r.ID == placeRule && len(f.allowed) > 0
}

// keep tells whether a finding of an object, which is being visited, is not
// excused.
func (f *filter) keep(o *reader.Object, x *rules.Finding) bool {
	return !f.allows(o, x) && (len(f.exceptions) == 0 || !f.excuses(f.absolute(o.Path), x))
}

// absolute returns the path of an object. It is asked for each of its findings,
// and most of them are of one object.
func (f *filter) absolute(path string) string {
	if last := f.last.Load(); last != nil && last.path == path {
		return last.abs
	}
	abs := absolute(path)
	f.last.Store(&resolved{path, abs})
	return abs
}

// absolute returns a path for patterns that know the directories above.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != stdinName {
		path = abs
	}
	return filepath.ToSlash(path)
}

// excuses tells whether an exception covers the finding. All that do are
// marked as used.
func (f *filter) excuses(path string, x *rules.Finding) bool {
	found := false
	for i := range f.exceptions {
		if e := &f.exceptions[i]; e.covers(path, x) {
			e.used.Add(1)
			found = true
		}
	}
	return found
}

func (e *exception) covers(path string, x *rules.Finding) bool {
	return (len(e.Rules) == 0 || config.Matches(e.Rules, x.Rule.ID)) &&
		fits(e.Paths, path, glob.Path) && fits(e.Members, x.Member, glob.Name) && fits(e.Functions, x.Function, glob.Name)
}

// fits tells whether one of the patterns matches. Where there are none, it is
// no condition; a name that is not there matches none.
func fits(patterns []string, name string, match func(pattern, name string) bool) bool {
	if len(patterns) == 0 {
		return true
	}
	return name != "" && slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// allows tells whether the finding is that a function stands in a section
// which is allowed to hold functions.
func (f *filter) allows(o *reader.Object, x *rules.Finding) bool {
	if x.Rule.ID != placeRule || x.FDE < 0 || o.ELF == nil || len(f.allowed) == 0 {
		return false
	}
	i := slices.IndexFunc(o.SFrames, func(s *reader.SFrame) bool { return s.Index == x.SectionIndex })
	if i < 0 || o.SFrames[i].Section == nil || x.FDE >= o.SFrames[i].Section.NumFDEs() {
		return false
	}
	fde := o.SFrames[i].Section.FDE(x.FDE)
	section := fde.Place()
	if !o.ELF.Relocatable() {
		section, _ = o.ELF.SectionAt(fde.Start())
	}
	if section <= 0 || section >= len(o.ELF.Sections) {
		return false
	}
	return fits(f.allowed, o.ELF.Sections[section].Name, glob.Name)
}

// unused returns the exceptions that excused nothing.
func (f *filter) unused() []*config.Exception {
	var out []*config.Exception
	for i := range f.exceptions {
		if f.exceptions[i].used.Load() == 0 {
			out = append(out, &f.exceptions[i].Exception)
		}
	}
	return out
}
