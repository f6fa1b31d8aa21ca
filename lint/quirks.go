package lint

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// noteQuirks makes notes of the findings that are named quirks of the producer that the
// object shows, unless an override sets the severity of their rules.
func (o *Options) noteQuirks(obj *reader.Object, all []rules.Finding) {
	if obj.ELF == nil {
		return
	}
	var look *producers.Look
	for i := range all {
		f := &all[i]
		if len(f.Rule.Quirk) == 0 || f.Severity <= rules.Note || o.overrides(f.Rule.ID) {
			continue
		}
		if look == nil {
			if look = producers.Of(obj); look == nil {
				return
			}
		}
		if habit := look.Habit(f.Rule.ID, functionSection(obj, f)); habit != "" {
			f.Severity, f.Quirk = rules.Note, habit
			f.Message += "; a known quirk of " + habit
		}
	}
}

func (o *Options) overrides(id string) bool {
	for _, s := range o.Severity {
		if matches([]string{s.ID}, id) {
			return true
		}
	}
	return false
}

// functionSection returns the name of the section that the function of a finding is in, "" if it is about none.
func functionSection(o *reader.Object, f *rules.Finding) string {
	for _, sf := range o.SFrames {
		if f.FDE >= 0 && sf.Index == f.SectionIndex && sf.Section != nil && f.FDE < sf.Section.NumFDEs() {
			return producers.FunctionSection(o.ELF, sf.Section.FDE(f.FDE))
		}
	}
	return ""
}
