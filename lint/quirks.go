package lint

import (
	"bytes"
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/config"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/model"
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
		if len(f.Rule.Quirk) == 0 && f.Rule.ID != TruthRule || f.Severity <= rules.Note || o.overrides(f.Rule.ID) {
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
		if config.Matches([]string{s.ID}, id) {
			return true
		}
	}
	return false
}

// functionSection returns the name of the section that the function of a finding is in, ""
// if it is about none.
func functionSection(o *reader.Object, f *rules.Finding) string {
	if f.FDE < 0 || o.ELF == nil {
		return ""
	}
	for _, sf := range o.SFrames {
		if sf.Index != f.SectionIndex {
			continue
		}
		if sf.Section == nil || f.FDE >= sf.Section.NumFDEs() {
			return ""
		}
		fde := sf.Section.FDE(f.FDE)
		if len(o.ELF.Sections) == 0 {
			return sectionByCode(o.ELF, fde)
		}
		section, _, _ := o.ELF.Within(fde.Place(), fde.Start())
		if section > 0 && section < len(o.ELF.Sections) {
			return o.ELF.Sections[section].Name
		}
		return ""
	}
	return ""
}

// gotStubs is how the stubs of .plt.got begin: they jump by an entry of the GOT and push nothing.
var gotStubs = [][]byte{{0xff, 0x25}, {0xf2, 0xff, 0x25}, {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25}, {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25}}

// sectionByCode returns the name of the section that a function has come from, by its code, where the file has no
// section headers; "" if the code does not show it.
func sectionByCode(e *reader.ELF, f model.FDE) string {
	sp, ok := e.LoadedAt(f.Start())
	if !ok || e.Machine != elf.EM_X86_64 || f.PCType() != model.SFRAME_FDE_PCTYPE_MASK {
		return ""
	}
	const stub = 16 // bytes, at most
	sp.Len = min(sp.Len, int64(f.Size()), stub)
	code, err := e.Data(sp)
	if err != nil {
		return ""
	}
	for _, s := range gotStubs {
		rest, ok := bytes.CutPrefix(code, s)
		const target, push = 4, 0x68
		if ok && (len(rest) <= target || rest[target] != push) {
			return ".plt.got"
		}
	}
	return ""
}
