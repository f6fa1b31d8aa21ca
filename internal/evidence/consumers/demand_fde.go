package consumers

import (
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on FDEs.
func fdeTerms() map[Demand]term {
	return map[Demand]term{
		"rows-found":      {"the FREs of every FDE are inside the FRE sub-section", findLostRows},
		"rows-in-section": {"the FREs of every FDE are inside the section", onModel(findOutside)},
		"fre-type":        {"the FRE type is 0, 1 or 2", onFault("FDE %[1]d has FRE type %[2]d", reader.FRETypeUndefined)},
		"fde-type": {"the FDE type is 0 or 1 if FREs have data words", func(x *subject, _ Arg) *Verdict {
			return x.row(func(r model.FRE) bool { return r.FDEType() > model.SFRAME_FDE_TYPE_FLEX && r.NumWords() > 0 }, func(r model.FRE) *Verdict {
				return inFDE(r.FDE(), r.FDE().FieldSpan(model.FDEInfo2), "FDE %d has FDE type %d", r.FDEIndex(), r.FDEType())
			})
		}},
		"rep-size": {"the rep_size of every FDE of PC type MASK is not 0", onMasks(model.FDERepSize, "FDE %[1]d has PC type MASK and rep_size 0",
			func(f model.FDE) bool { return f.RepSize() == 0 })},
		"starts-ascend":    {"every function starts after the previous one", onModel(findDescent)},
		"near-functions":   {"the functions are in less than 2^MAX bytes", findDistance},
		"in-text":          {"every function starts in executable memory", onLinked(findOutsideText)},
		"one-text-segment": {"all functions are in one executable segment", onLinked(findSecondSegment)},
		"some-rows": {"every FDE has FREs", onTrait(model.NoRows, func(x *subject, _ Arg) *Verdict {
			for f := range x.s.FDEs() {
				if f.HasAttr() && f.ClaimedFREs() == 0 {
					return inFDE(f, f.FieldSpan(model.FDENumFREs), "FDE %d has no FREs", f.Index())
				}
			}
			return nil
		})},
		"rows-unshared": {"no two FDEs share bytes of the FRE sub-section", onTrait(model.DataOverlaps, findShared)},
	}
}

// onLinked returns a demand on the functions of linked files.
func onLinked(find func(*subject) *Verdict) finder {
	return onModel(func(x *subject) *Verdict {
		if x.o.ELF == nil || x.o.ELF.Relocatable() {
			return nil
		}
		return find(x)
	})
}

// findSecondSegment finds the first function in another executable segment than the one before it.
func findSecondSegment(x *subject) *Verdict {
	text := x.textSegments()
	if len(text) < 2 {
		return nil
	}
	var in *reader.Segment
	for f := range x.s.FDEs() {
		for _, p := range text {
			if start := f.Start(); start < p.Vaddr || start-p.Vaddr >= p.Memsz {
				continue
			}
			if in != nil && in != p {
				return inFDE(f, f.FieldSpan(model.FDEStart), "the functions are in several executable segments, at 0x%x and 0x%x", in.Vaddr, p.Vaddr)
			}
			in = p
		}
	}
	return nil
}

// textSegments returns the first executable segments.
func (x *subject) textSegments() (text []*reader.Segment) {
	for i := range x.o.ELF.Segments {
		if p := &x.o.ELF.Segments[i]; p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && len(text) < maxText {
			text = append(text, p)
		}
	}
	return text
}

// maxText bounds the executable segments that are looked at for each function.
const maxText = 16

// inFDE returns a verdict at bytes that belong to an FDE, or at the whole FDE if the
// span is empty.
func inFDE(f model.FDE, sp model.Span, format string, args ...any) *Verdict {
	if sp.Len == 0 {
		sp = f.Span()
	}
	h := at(sp, format, args...)
	h.FDE = f.Index()
	return h
}

func faultHit(f *reader.Fault, format string, args ...any) *Verdict {
	return &Verdict{Why: fmt.Sprintf(format, args...), Span: f.Span, FDE: f.FDE, FRE: f.FRE}
}

// findDistance reports the function that ends last if that is too far after the first start.
func findDistance(x *subject, a Arg) *Verdict {
	if x.s == nil || x.s.NumFDEs() == 0 {
		return nil
	}
	low, high := x.s.FDE(0), x.s.FDE(x.s.NumFDEs()-1)
	if !x.s.StartsAscend() || !x.s.Disjoint() {
		for f := range x.s.FDEs() {
			if f.Start() < low.Start() {
				low = f
			}
			if f.End() > high.End() {
				high = f
			}
		}
	}
	if distance := high.End() - low.Start(); distance >= 1<<a.Max {
		return inFDE(high, high.FieldSpan(model.FDEStart), "a function ends %#x bytes after the start of another function", distance)
	}
	return nil
}

// onMasks returns a demand on FDEs of PC type MASK. What may use the index and the number of FREs.
func onMasks(field model.FDEField, what string, bad func(model.FDE) bool) finder {
	return onModel(func(x *subject) *Verdict {
		f, ok := x.f.Survey().FindKind(func(f model.FDE) bool { return f.Mask() && bad(f) })
		if !ok {
			return nil
		}
		return inFDE(f, f.FieldSpan(field), what, f.Index(), f.ClaimedFREs())
	})
}

// onTrait returns a demand that only sections with some trait do not meet.
func onTrait(t model.Trait, find finder) finder {
	return func(x *subject, a Arg) *Verdict {
		if x.s == nil || !x.f.Survey().Has(t) {
			return nil
		}
		return find(x, a)
	}
}

var lostRows = []reader.FaultCode{reader.FREOffBeyond, reader.AttrTruncated, reader.FRETruncated}

func findLostRows(x *subject, _ Arg) *Verdict {
	f := x.fault(lostRows...)
	if f == nil {
		return nil
	}
	if f.Code == reader.FRETruncated {
		return faultHit(f, "FDE %d has %d FREs, but only %d are in the FRE sub-section", f.FDE, f.Want, f.Got)
	}
	return faultHit(f, "the FREs of FDE %d would start at offset %d of the FRE sub-section, which has %d bytes", f.FDE, f.Got, f.Want)
}

// findOutside is findLostRows for readers that check no bound but the
// section's. What they do with FREs beyond the sub-section is unknown. An FDE of an object file that no relocation
// ties to a function is one that linkers leave out.
func findOutside(x *subject) *Verdict {
	fres := x.s.FRESubsection()
	for i := range x.f.Faults {
		f := &x.f.Faults[i]
		if x.o.ELF != nil && x.o.ELF.Relocatable() && f.FDE >= 0 && f.FDE < x.s.NumFDEs() && !x.s.FDE(f.FDE).Resolved() {
			continue
		}
		switch f.Code {
		case reader.FREOffBeyond, reader.AttrTruncated:
			if fres.Off+int64(f.Got) >= x.s.Size() {
				return faultHit(f, "the FREs of FDE %d would start after the end of the section", f.FDE)
			}
		case reader.FRETruncated:
			if fres.End() >= x.s.Size() {
				return faultHit(f, "FDE %d has %d FREs, but only %d are in the section", f.FDE, f.Want, f.Got)
			}
		}
	}
	return nil
}

func findDescent(x *subject) *Verdict {
	if x.s.StartsAscend() && x.s.Disjoint() {
		return nil
	}
	for i := 1; i < x.s.NumFDEs(); i++ {
		f, g := x.s.FDE(i-1), x.s.FDE(i)
		if f.Resolved() && g.Resolved() && f.Place() == g.Place() && g.Start() <= f.Start() {
			return inFDE(g, g.FieldSpan(model.FDEStart), "FDE %d starts at 0x%x, but the previous FDE at 0x%x", i, g.Start(), f.Start())
		}
	}
	return nil
}

func findOutsideText(x *subject) *Verdict {
	n := x.s.NumFDEs()
	if n == 0 || !x.searchable() {
		return nil
	}
	code := x.o.ELF.ExecRanges()
	text := x.textSegments()
	if x.o.Kernel() { // whose code has symbols around it
		text = nil
	}
	in := func(addr uint64) bool {
		if _, ok := code.At(addr); ok {
			return true
		}
		return slices.ContainsFunc(text, func(p *reader.Segment) bool { return addr-p.Vaddr < p.Memsz })
	}
	if len(code) == 1 && x.s.StartsAscend() && in(x.s.FDE(0).Start()) && in(x.s.FDE(n-1).Start()) {
		return nil
	}
	for i := range n {
		if f := x.s.FDE(i); !in(f.Start()) {
			return inFDE(f, f.FieldSpan(model.FDEStart), "FDE %d starts at 0x%x, which is not executable", i, f.Start())
		}
	}
	return nil
}

func findShared(x *subject, _ Arg) *Verdict {
	end := int64(0)
	for f := range x.s.FDEs() {
		sp := f.DataSpan()
		if sp.Off < end && sp.Len > 0 {
			return inFDE(f, f.FieldSpan(model.FDEStartFREOff), "the FREs of FDE %d start inside those of another FDE", f.Index())
		}
		end = max(end, sp.End())
	}
	return nil
}
