package fuzzcmd

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// allRules are the rules, without those about single consumers; sectionRules are those of them that do not follow
// the machine code.
var (
	allRules = sync.OnceValue(func() *rules.Driver {
		return &rules.Driver{Rules: slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.Family() == '8' })}
	})
	sectionRules = sync.OnceValue(func() *rules.Driver {
		return &rules.Driver{Rules: slices.DeleteFunc(slices.Clone(allRules().Rules), func(r *rules.Rule) bool {
			return slices.Contains(r.Requires, rules.CodeProofs)
		})}
	})
	runners = sync.Pool{New: func() any { return sectionRules().Runner() }}
)

// besides lists the rules that find something in a subject before it is broken, because of its knobs or its old
// version. The code of a clean one agrees with its section: it is not followed.
func besides(healthy *breaks.Subject, clean bool) []string {
	driver := allRules()
	if clean {
		driver = sectionRules()
	}
	found := map[string]bool{}
	_ = scan(healthy, func(o *reader.Object) {
		for _, f := range driver.Run(o).Findings {
			found[f.Rule.ID] = true
		}
	})
	return slices.Sorted(maps.Keys(found))
}

// hasNoFindings reports whether the rules that do not follow the machine code find nothing in a subject.
func hasNoFindings(s *breaks.Subject) bool {
	r := runners.Get().(*rules.Runner)
	defer runners.Put(r)
	n := 0
	err := scan(s, func(o *reader.Object) { n += len(r.Run(o).Findings) })
	return err == nil && n == 0
}

func scan(s *breaks.Subject, look func(*reader.Object)) error {
	opts := reader.Options{Raw: s.Kind() == breaks.Raw, RawAddress: s.Addr(), Limits: reader.Limits{reader.MaxSection: s.Limit(), reader.MaxMemory: s.Memory()}}
	return reader.ScanReader("generated", bytes.NewReader(s.File()), int64(len(s.File())), opts, func(o *reader.Object) error {
		look(o)
		return nil
	})
}
