package consumers

import (
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// subject is a section in its file, the input of demands.
type subject struct {
	o *reader.Object
	f *reader.SFrame
	s *model.Section // nil where there is no header

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

// hit is a violation of a demand.
type hit struct {
	what     string // found and expected, as a clause
	span     model.Span
	inFile   bool
	maybe    bool // as Check.Maybe
	fde, fre int
}

// at returns a hit at bytes of the section.
func at(sp model.Span, format string, args ...any) *hit {
	return &hit{what: fmt.Sprintf(format, args...), span: sp, fde: -1, fre: -1}
}

// Judge returns what the consumer does with a section: first the outcome, then further verdicts in the order in which
// the consumer would reach them. It does not walk the FREs if the section meets all demands. s may be nil for a
// consumer that reads CFI.
func (p *Profile) Judge(o *reader.Object, s *reader.SFrame) []Verdict {
	x := &subject{o: o, f: s}
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
		out = append(out, Verdict{Outcome: c.Else, Check: c.Demand, Rule: c.Rule, Maybe: c.Maybe || h.maybe, Moot: moot, Why: c.reason(h), Help: c.Help,
			Span: h.span, InFile: h.inFile, FDE: h.fde, FRE: h.fre})
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

func (c *Check) find(x *subject) *hit {
	if len(c.Versions) > 0 && (x.s == nil || !slices.Contains(c.Versions, x.s.Version())) || !c.Order.fits(x.s) {
		return nil
	}
	return vocabulary()[c.Demand].find(x, c.Arg)
}

func (c *Check) reason(h *hit) string {
	if c.How == "" {
		return h.what
	}
	return h.what + ": " + c.How
}
