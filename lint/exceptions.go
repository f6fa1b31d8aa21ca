package lint

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Exception covers the findings that meet all of its conditions.
type Exception struct {
	Paths     []string // globs
	Members   []string // globs
	Functions []string // globs
	Rules     []string // IDs or prefixes of IDs, in capitals
	Reason    string
	Line      int // in the file
}

// exceptions are those of the options.
type exceptions []exception

type exception struct {
	Exception
	used atomic.Int64
}

func newExceptions(o *Options) exceptions {
	x := make(exceptions, len(o.Exceptions))
	for i := range o.Exceptions {
		x[i].Exception = o.Exceptions[i]
	}
	return x
}

// absolute returns a path from the root on, for patterns of directories.
func absolute(path string) string {
	if path != Stdin {
		path = edit.Absolute(path)
	}
	return filepath.ToSlash(path)
}

// excuses returns the first exception that covers the finding, nil if none does. All that do
// are marked as used.
func (x exceptions) excuses(path string, f *rules.Finding) *exception {
	var first *exception
	for i := range x {
		if e := &x[i]; e.covers(path, f) {
			e.used.Add(1)
			first = cmp.Or(first, e)
		}
	}
	return first
}

func (e *exception) covers(path string, f *rules.Finding) bool {
	return (len(e.Rules) == 0 || matches(e.Rules, f.Rule.ID)) &&
		matchesAny(e.Paths, path, lookup.MatchPath) && matchesAny(e.Members, f.Member, lookup.Match) && matchesAny(e.Functions, f.Function, lookup.Match)
}

// matchesAny reports whether one of the patterns matches. No patterns are no
// condition; an empty name matches none.
func matchesAny(patterns []string, name string, match func(pattern, name string) bool) bool {
	if len(patterns) == 0 {
		return true
	}
	return name != "" && slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// unusedExceptions returns the exceptions that excused nothing.
func (x exceptions) unusedExceptions() []*Exception {
	var out []*Exception
	for i := range x {
		if x[i].used.Load() == 0 {
			out = append(out, &x[i].Exception)
		}
	}
	return out
}
