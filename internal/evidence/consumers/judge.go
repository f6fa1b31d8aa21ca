package consumers

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// subject is a section in its file, the input of demands.
type subject struct {
	o *reader.Object
	f *reader.SFrame
	s *model.Section // nil where there is no header

	found Findings

	frames *frames     // see onFrames
	code   *proof.Code // see endsWithCall
}

// manySFrames is the number of SFrame sections of an object that are looked up
// in the tables of the whole file. The cost of more would be quadratic. Valid
// objects have one or a few.
const manySFrames = 16

// searchable reports whether the section is one of the first manySFrames.
func (x *subject) searchable() bool {
	return len(x.o.SFrames) <= manySFrames || slices.Contains(x.o.SFrames[:manySFrames], x.f)
}

// Findings has the first finding of each rule in each section of an object.
type Findings map[foundAt]*Verdict

type foundAt struct {
	rule    string
	section int // as [reader.SFrame.Index]
}

// Add adds a finding in a section, unless f already has a finding of the same rule there. v.Why is the finding's
// message. Add drops the part after the last colon, because the profile states the consequence.
func (f Findings) Add(section int, v Verdict) {
	if k := (foundAt{v.Rule, section}); f[k] == nil {
		if i := strings.LastIndex(v.Why, ": "); i >= 0 {
			v.Why = v.Why[:i]
		}
		f[k] = &v
	}
}

// AskedRules returns the IDs of the rules that decide whether sections meet demands. These rules run even if a
// required fact is unknown, because consumers read the data anyway.
func AskedRules() map[string]bool {
	ids := map[string]bool{}
	for _, p := range table() {
		for i := range p.Checks {
			for _, id := range p.Checks[i].asked.Rules {
				ids[id] = true
			}
		}
	}
	return ids
}

// at returns a verdict at bytes of the section.
func at(sp model.Span, format string, args ...any) *Verdict {
	return &Verdict{Why: fmt.Sprintf(format, args...), Span: sp, FDE: -1, FRE: -1}
}

// Judge returns what the consumer does with a section. The first verdict is the outcome; the others follow in the
// order in which the consumer reaches them. s may be nil for a consumer of CFI. found has the object's findings of
// [AskedRules]. Judge visits the FREs only if a demand is not met.
func (p *Profile) Judge(o *reader.Object, s *reader.SFrame, found Findings) []Verdict {
	x := &subject{o: o, f: s, found: found}
	if s != nil {
		x.s = s.Section
	}
	if why := p.whyNotAsked(x); why != "" {
		return []Verdict{{Outcome: NotAsked, Why: why, FDE: -1, FRE: -1}}
	}
	var out []Verdict
	moot, end := false, 0
	for i := range p.Checks {
		c := &p.Checks[i]
		h := c.find(x)
		if h == nil {
			continue
		}
		v := *h
		v.Outcome, v.Check, v.Rule, v.Help, v.Moot, v.Maybe = c.Else, c.Demand, cmp.Or(h.Rule, c.Rule), c.Help, moot, c.Maybe || h.Maybe
		if c.How != "" {
			v.Why += ":" + strings.Replace(" "+c.How, " it ", " "+p.Name+" ", 1)
		}
		out = append(out, v)
		if !moot && (c.Ends || c.Else.final()) {
			moot, end = true, len(out)-1
		}
	}
	if len(out) == 0 {
		return []Verdict{{Outcome: Reads, Why: "meets all demands of " + p.Name, FDE: -1, FRE: -1}}
	}
	// The verdict that ends the reading counts, otherwise the first one.
	v := out[end]
	copy(out[1:end+1], out[:end])
	out[0] = v
	return out
}

// whyNotAsked returns the reason why a consumer does not read the section's file.
func (p *Profile) whyNotAsked(x *subject) string {
	if x.o.Foreign != "" && p.Role != Tool {
		return "the format has no ABI for " + x.o.Foreign
	}
	if x.o.ELF == nil {
		if p.CFI {
			return "it reads .eh_frame in place of SFrame data"
		}
		if p.Files == Kernels || p.Files == Modules {
			return "it reads only files of a kernel"
		}
		return ""
	}
	switch rel := x.o.ELF.Type == elf.ET_REL; {
	case p.Role == Linker && !rel:
		return "a linker reads only relocatable files"
	case p.Role == Unwinder && rel:
		return "it reads only linked files"
	case p.Files == Modules && !x.o.ELF.KernelPart():
		return "it reads only modules of a kernel"
	case p.Files == Kernels && !x.o.Kernel():
		return "it reads only the image of a kernel"
	case p.Files == Programs && x.o.Kernel():
		return "it does not read the image of a kernel"
	}
	return ""
}

func (c *Check) find(x *subject) *Verdict {
	if len(c.Versions) > 0 && (x.s == nil || !slices.Contains(c.Versions, x.s.Version())) || !c.Order.fits(x.s) {
		return nil
	}
	for _, id := range c.asked.Rules {
		if h := x.found[foundAt{id, x.f.Index}]; h != nil {
			return h
		}
	}
	if c.asked.Rules != nil {
		return nil
	}
	return vocabulary()[c.Demand].find(x, c.Arg)
}
