package lint

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/config"
	"github.com/sframe-lint/sframe-lint/internal/glob"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// placeRule is the rule that allowed sections are for.
const placeRule = "SF2014"

// exceptions drop the findings that the configuration excuses.
type exceptions struct {
	all     []exception
	allowed []string // sections, globs

	last atomic.Pointer[resolved]

	list    bool     // Options.Suppressed
	excused sync.Map // *excused by *reader.Object, until the object has been checked
}

// Suppressed is a finding that a run omits, with the reason of the exception or of the baseline.
type Suppressed struct {
	rules.Finding
	Reason string
	Known  bool // by the baseline
}

// maxSuppressed is how many findings of an object are listed, suppressedCost what one takes
// of the memory, in bytes.
const (
	maxSuppressed  = 1000
	suppressedCost = 1 << 10
)

// resolved is a path, as given and from the root on.
type resolved struct{ path, abs string }

type exception struct {
	config.Exception
	used atomic.Int64
}

func newExceptions(o *Options) *exceptions {
	x := &exceptions{all: make([]exception, len(o.Exceptions)), allowed: o.AllowSections, list: o.Suppressed}
	if x.allowed == nil {
		x.allowed = config.DefaultAllowSections()
	}
	for i := range o.Exceptions {
		x.all[i].Exception = o.Exceptions[i]
	}
	return x
}

// concerns reports whether findings of a rule may be excused.
func (x *exceptions) concerns(r *rules.Rule) bool {
	return len(x.all) > 0 || r.ID == placeRule && len(x.allowed) > 0
}

// keep reports whether a finding of an object, which is being visited, is not
// excused.
func (x *exceptions) keep(o *reader.Object, f *rules.Finding) bool {
	if x.allows(o, f) {
		return false
	}
	if len(x.all) == 0 {
		return true
	}
	e := x.excuses(x.absolute(o.Path), f)
	if e != nil {
		x.note(o, f, e.Reason)
	}
	return e == nil
}

// excused are the findings of an object that exceptions cover.
type excused struct {
	list     []Suppressed
	accepted accepted
}

// note keeps a finding that is excused. The rules visit an object one after the other.
func (x *exceptions) note(o *reader.Object, f *rules.Finding, reason string) {
	v, _ := x.excused.LoadOrStore(o, new(excused))
	e := v.(*excused)
	if e.accepted.add(f); x.list && len(e.list) < maxSuppressed {
		e.list = append(e.list, Suppressed{Finding: *f, Reason: reason})
	}
}

// of returns the findings of an object that were excused, and forgets them.
func (x *exceptions) of(o *reader.Object) excused {
	if v, ok := x.excused.LoadAndDelete(o); ok {
		return *v.(*excused)
	}
	return excused{}
}

// absolute returns the path of an object. It is called for each finding, and most
// findings in a row are in one object.
func (x *exceptions) absolute(path string) string {
	if last := x.last.Load(); last != nil && last.path == path {
		return last.abs
	}
	abs := absolute(path)
	x.last.Store(&resolved{path, abs})
	return abs
}

// absolute returns a path from the root on, for patterns of directories.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != Stdin {
		path = abs
	}
	return filepath.ToSlash(path)
}

// excuses returns the first exception that covers the finding, nil if none does. All that do
// are marked as used.
func (x *exceptions) excuses(path string, f *rules.Finding) *exception {
	var first *exception
	for i := range x.all {
		if e := &x.all[i]; e.covers(path, f) {
			e.used.Add(1)
			first = cmp.Or(first, e)
		}
	}
	return first
}

func (e *exception) covers(path string, f *rules.Finding) bool {
	return (len(e.Rules) == 0 || config.Matches(e.Rules, f.Rule.ID)) &&
		fits(e.Paths, path, glob.Path) && fits(e.Members, f.Member, glob.Name) && fits(e.Functions, f.Function, glob.Name)
}

// fits reports whether one of the patterns matches. No patterns are no
// condition; an empty name matches none.
func fits(patterns []string, name string, match func(pattern, name string) bool) bool {
	if len(patterns) == 0 {
		return true
	}
	return name != "" && slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// allows reports whether the finding is about a function in a section that is
// allowed to hold functions.
func (x *exceptions) allows(o *reader.Object, f *rules.Finding) bool {
	return f.Rule.ID == placeRule && len(x.allowed) > 0 && fits(x.allowed, functionSection(o, f), glob.Name)
}

// unused returns the exceptions that excused nothing.
func (x *exceptions) unused() []*config.Exception {
	var out []*config.Exception
	for i := range x.all {
		if x.all[i].used.Load() == 0 {
			out = append(out, &x.all[i].Exception)
		}
	}
	return out
}
