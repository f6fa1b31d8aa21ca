package lint

import (
	"errors"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/baseline"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ErrIncomplete is the error for a run with inputs that were damaged or could
// not be read, or with findings beyond the limit.
var ErrIncomplete = errors.New("the findings are incomplete")

// known drops the findings of earlier runs, and records those of this one.
type known struct {
	*baseline.Baseline
	recorder *baseline.Recorder // nil if nothing is recorded
	checked  map[string]bool    // files, by name; false: not to their end
	partly   map[part]bool      // what rules were not run on all of, or reported in part
	cut      bool               // there are findings beyond the limit
	driver   *rules.Driver
	list     bool // Options.Suppressed
	idle     bool // there is no baseline, and nothing is recorded
}

// part is what a rule reports of the files of a name.
type part struct{ file, rule string }

func newKnown(o *Options, d *rules.Driver) known {
	k := known{Baseline: o.Baseline, checked: map[string]bool{}, partly: map[part]bool{}, driver: d, list: o.Suppressed,
		idle: o.Baseline == nil && !o.Record}
	if k.Baseline == nil {
		k.Baseline = &baseline.Baseline{}
	}
	if o.Record {
		k.recorder = &baseline.Recorder{}
	}
	return k
}

// file drops what is known of a file's findings.
func (k *known) file(f *File) {
	if k.idle {
		return
	}
	whole := f.Err == nil
	name := baseline.File(f.Path)
	for i := range f.Objects {
		o := &f.Objects[i]
		for id := range o.Cut {
			k.partly[part{name, id}] = true
			k.cut = true
		}
		for _, h := range o.HeldBack {
			k.partly[part{name, h.Rule}] = true
		}
		whole = whole && len(o.Failures) == 0
		before := len(o.Findings)
		o.Findings = slices.DeleteFunc(o.Findings, func(x rules.Finding) bool {
			if k.recorder != nil {
				k.recorder.Add(&x)
			}
			if !k.Has(&x) {
				return false
			}
			o.accepted.add(&x)
			if k.list && len(o.Suppressed) < maxSuppressed {
				o.Suppressed = append(o.Suppressed, Suppressed{Finding: x, Reason: k.Reason, Known: true})
			}
			return true
		})
		o.Known = before - len(o.Findings)
	}
	if seen, ok := k.checked[name]; !ok || seen {
		k.checked[name] = whole
	}
}

// stale returns the entries that this run should have found again.
func (k *known) stale() []baseline.Stale {
	run := sync.OnceValue(func() map[string]rules.Severity { return active(k.driver) })
	return k.Stale(func(id baseline.Identity) bool {
		return k.checked[id.File] && !k.partly[part{id.File, id.Rule}] && run()[id.Rule] > rules.Off
	})
}

// recorded returns the findings of this run, and what the old baseline has of
// rules that were not run, or not on all of the data.
func (k *known) recorded() *baseline.Recorder {
	if k.recorder != nil {
		k.recorder.Reason = k.Reason
		run := active(k.driver)
		k.recorder.Carry(k.Baseline, func(id baseline.Identity) bool {
			return k.partly[part{id.File, id.Rule}] || run[id.Rule] == rules.Off
		})
	}
	return k.recorder
}
