package lint

import (
	"errors"
	"sync"

	"github.com/sframe-lint/sframe-lint/rules"
)

// ErrIncomplete is the error for a run with inputs that were damaged or could
// not be read, or with findings beyond the limit.
var ErrIncomplete = errors.New("the findings are incomplete")

// known has the findings of earlier runs, and records those of this one.
type known struct {
	*Baseline
	recorder *Recorder       // nil if nothing is recorded
	checked  map[string]bool // files, by name; false: not to their end
	partly   map[part]bool   // what rules were not run on all of, or reported in part
	cut      bool            // there are findings beyond the limit
	driver   *rules.Driver
	idle     bool // there is no baseline, and nothing is recorded
}

// part is what a rule reports of the files of a name.
type part struct{ file, rule string }

func newKnown(o *Options, d *rules.Driver) known {
	k := known{Baseline: o.Baseline, checked: map[string]bool{}, partly: map[part]bool{}, driver: d,
		idle: o.Baseline == nil && !o.Record}
	if k.Baseline == nil {
		k.Baseline = &Baseline{}
	}
	if o.Record {
		k.recorder = &Recorder{}
	}
	return k
}

// note notes what the rules did not check of a file.
func (k *known) note(f *File) {
	if k.idle {
		return
	}
	whole := f.Err == nil
	name := baselineFile(f.Path)
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
	}
	if seen, ok := k.checked[name]; !ok || seen {
		k.checked[name] = whole
	}
}

// has reports whether the baseline has a finding, and records it.
func (k *known) has(f *rules.Finding) bool {
	if k.recorder != nil {
		k.recorder.Add(f)
	}
	return !k.idle && k.Has(f)
}

// staleEntries returns the entries that this run should have found again.
func (k *known) staleEntries() []Stale {
	run := sync.OnceValue(func() map[string]rules.Severity { return active(k.driver) })
	return k.Stale(func(id Identity) bool {
		return k.checked[id.File] && !k.partly[part{id.File, id.Rule}] && run()[id.Rule] > rules.Off
	})
}

// newBaseline returns the findings of this run, and what the old baseline has of
// rules that were not run, or not on all of the data.
func (k *known) newBaseline() *Recorder {
	if k.recorder != nil {
		k.recorder.Reason = k.Reason
		run := active(k.driver)
		k.recorder.Carry(k.Baseline, func(id Identity) bool {
			return k.partly[part{id.File, id.Rule}] || run[id.Rule] == rules.Off
		})
	}
	return k.recorder
}
