package conformance

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// linkFault is a fault of an output, with what shows it.
type linkFault struct {
	Outcome
	detail string
}

// output is a linked file that is judged.
type output struct {
	link   *Link
	obj    *reader.Object
	faults []linkFault
}

func (o *output) add(f Outcome, format string, args ...any) {
	o.faults = append(o.faults, linkFault{f, fmt.Sprintf(format, args...)})
}

// JudgeLink returns the most severe fault of a linked file with the evidence for it, or Pass. partial is the
// relocatable file of an earlier step, or nil.
func JudgeLink(l *Link, linked, partial []byte) (Outcome, string) {
	o := &output{link: l}
	o.add(Damaged, "the output is not an ELF file")
	scan(linked, func(obj *reader.Object) {
		if o.obj = obj; obj.ELF != nil && obj.ELF.Relocatable() {
			o.faults[0].detail = "the output is a relocatable file"
		} else if obj.ELF != nil {
			o.faults = nil
			o.judge()
		}
	})
	if l.checks(StaleRelocs) {
		scan(partial, o.relocations)
	}
	if len(o.faults) == 0 {
		return Pass, ""
	}
	slices.SortStableFunc(o.faults, func(a, b linkFault) int {
		return cmp.Compare(slices.Index(LinkFaults, a.Outcome), slices.Index(LinkFaults, b.Outcome))
	})
	return o.faults[0].Outcome, o.faults[0].detail
}

// scan visits the only object of a file.
func scan(data []byte, visit func(*reader.Object)) {
	_ = reader.ScanReader("out", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		visit(o)
		return nil
	})
}

// judge looks for faults of the section, and of what it states.
func (o *output) judge() {
	full := slices.DeleteFunc(slices.Clone(o.obj.SFrames), func(f *reader.SFrame) bool { return len(f.Data) == 0 })
	want := o.present()
	switch {
	case o.link.checks(Kept):
		if len(full) > 0 {
			o.add(Kept, "the output has SFrame data, which was to be discarded")
		}
		return
	case len(full) == 0:
		if len(want) > 0 {
			o.add(Dropped, "the output has %d of the inputs' functions and no SFrame data", len(want))
		}
		return
	case len(full) > 1:
		o.add(Concatenated, "the output has %d SFrame sections", len(full))
	}
	f := full[0]
	s := f.Section
	switch {
	case s != nil && follows(f.Data, s):
		o.add(Concatenated, "after the first section, with an FDE count of %d, another one begins", s.NumFDEs())
		return
	case len(f.Faults) > 0:
		at := f.Faults[0].Span
		o.add(Damaged, "bytes 0x%x to 0x%x of the section cannot be decoded", at.Off, at.End())
		return
	case s == nil:
		o.add(Damaged, "the section cannot be decoded")
		return
	}
	o.sizes(s)
	o.functions(s, want)
	o.flags(s)
	o.plt(s)
	o.segment(f)
}

// follows reports whether another section begins at or after the end of the first one.
func follows(data []byte, s *model.Section) bool {
	magic := data[:3] // with the version
	for at := s.End(); at >= 0 && at+3 <= int64(len(data)); at++ {
		if bytes.Equal(data[at:at+3], magic) {
			return true
		}
	}
	return false
}

// sizes compares the header's counts and lengths with the content.
func (o *output) sizes(s *model.Section) {
	h := s.Header()
	end := s.FRESubsection().Off
	distinct, seen := 0, map[uint32]bool{} // FDEs may share their FREs, and these be counted once
	for f := range s.FDEs() {
		end = max(end, f.FRESpan().End(), f.AttrSpan().End())
		if at := f.StartFREOff(); f.NumFREs() > 0 && !seen[at] {
			seen[at] = true
			distinct += f.NumFREs()
		}
	}
	switch {
	case int(h.NumFREs) != s.NumFREs() && int(h.NumFREs) != distinct:
		o.add(StaleSizes, "the header counts %d FREs, there are %d", h.NumFREs, s.NumFREs())
	case end != s.FRESubsection().End():
		o.add(StaleSizes, "the header says %d bytes of FREs, there are %d", h.FRELen, end-s.FRESubsection().Off)
	case s.Size()-s.End() >= 8:
		o.add(StaleSizes, "the section has %d bytes, its parts %d", s.Size(), s.End())
	}
}

// present returns the functions of the inputs that the output has, by their addresses.
func (o *output) present() map[uint64][]*Linked {
	at := map[string]uint64{}
	sections := o.obj.ELF.Sections
	for i := range o.obj.ELF.Symbols.Len() {
		if y, ok := o.obj.ELF.Symbols.Symbol(i); ok && !y.Reserved && y.Section > 0 && y.Section < len(sections) && sections[y.Section].Flags&elf.SHF_EXECINSTR != 0 && y.Type != elf.STT_SECTION {
			at[y.Name] = y.Value
		}
	}
	all := map[uint64][]*Linked{}
	for i := range o.link.Functions {
		f := &o.link.Functions[i]
		if addr, ok := at[f.Symbol]; ok {
			all[addr] = append(all[addr], f)
		} else if !f.Discarded {
			o.add(Missing, "the output has no code with the symbol %q", f.Symbol)
		}
	}
	return all
}

// functions compares the FDEs with the functions that the output has.
func (o *output) functions(s *model.Section, want map[uint64][]*Linked) {
	by := map[uint64][]model.FDE{}
	var others []model.FDE
	for f := range s.FDEs() {
		switch {
		case want[f.Start()] != nil:
			by[f.Start()] = append(by[f.Start()], f)
		case !o.inPLT(f.Start()):
			others = append(others, f)
		}
	}
	for _, addr := range slices.Sorted(maps.Keys(want)) {
		all := want[addr]
		name := all[0].Symbol
		switch got := by[addr]; {
		case len(got) > 1:
			o.add(Duplicate, "%q has %d FDEs", name, len(got))
		case len(got) == 1:
			if d := Describe(got[0]); !slices.ContainsFunc(all, func(l *Linked) bool { return l.same(d) }) {
				o.add(WrongRows, "the FDE of %q states other FREs than its input", name)
			}
		default:
			i := slices.IndexFunc(others, func(f model.FDE) bool { return all[0].same(Describe(f)) })
			if i < 0 {
				o.add(Missing, "%q has no FDE", name)
				continue
			}
			o.add(WrongStart, "the FDE of %q is about 0x%x in place of 0x%x", name, others[i].Start(), addr)
			others = slices.Delete(others, i, i+1)
		}
	}
	for _, f := range others {
		o.add(Stray, "an FDE starts at 0x%x, where there is no function", f.Start())
	}
	if o.link.checks(Unsorted) && s.Header().Flags&model.SFRAME_F_FDE_SORTED == 0 {
		o.add(Unsorted, "SORTED is clear")
	} else if s.Header().Flags&model.SFRAME_F_FDE_SORTED != 0 && !s.StartsAscend() {
		o.add(Unsorted, "SORTED is set, and the FDEs are not sorted")
	}
}

func (o *output) flags(s *model.Section) {
	if s.Header().Flags&model.SFRAME_F_FRAME_POINTER != 0 && !o.link.FramePointer {
		o.add(WrongFlags, "FRAME_POINTER is set, but an input has it clear")
	}
}

// stubs returns the sections of the PLT.
func (o *output) stubs() (all []reader.Section) {
	for _, x := range o.obj.ELF.Sections {
		if strings.Contains(x.Name, "plt") && x.Flags&elf.SHF_EXECINSTR != 0 && x.Size > 0 {
			all = append(all, x)
		}
	}
	return all
}

func (o *output) inPLT(addr uint64) bool {
	return slices.ContainsFunc(o.stubs(), func(x reader.Section) bool { return addr >= x.Addr && addr-x.Addr < x.Size })
}

// plt looks for an FDE at the begin and at the end of each section of the PLT.
func (o *output) plt(s *model.Section) {
	if !o.link.checks(LostPLT) {
		return
	}
	if len(o.stubs()) == 0 {
		o.add(LostPLT, "the output has no PLT")
	}
	for _, x := range o.stubs() {
		for _, addr := range []uint64{x.Addr, x.Addr + x.Size - 1} {
			if !slices.ContainsFunc(slices.Collect(s.FDEs()), func(f model.FDE) bool { return addr >= f.Start() && addr < f.End() }) {
				o.add(LostPLT, "no FDE describes 0x%x in %s", addr, x.Name)
			}
		}
	}
}

// segment compares PT_GNU_SFRAME with the section.
func (o *output) segment(f *reader.SFrame) {
	if !o.link.checks(WrongSegment) {
		return
	}
	x := o.obj.ELF.Sections[f.Index]
	i := slices.IndexFunc(o.obj.ELF.Segments, func(p reader.Segment) bool { return p.Type == reader.PT_GNU_SFRAME })
	if i < 0 {
		o.add(WrongSegment, "there is no PT_GNU_SFRAME")
		return
	}
	if p := o.obj.ELF.Segments[i]; p.Vaddr != x.Addr || p.Offset != x.Offset || p.Filesz != x.Size || p.Memsz != x.Size {
		o.add(WrongSegment, "PT_GNU_SFRAME is 0x%x+%d, the section 0x%x+%d", p.Vaddr, p.Filesz, x.Addr, x.Size)
	}
}

// relocations compares the FDEs of a relocatable file with its relocations.
func (o *output) relocations(obj *reader.Object) {
	if len(obj.SFrames) == 0 {
		return // the final output shows what it lost
	}
	f := obj.SFrames[0]
	if f.Section == nil || follows(f.Data, f.Section) {
		return
	}
	for x := range f.Section.FDEs() {
		if !x.Resolved() {
			o.add(StaleRelocs, "after -r, FDE %d has no relocation", x.Index())
		}
	}
	if n := f.Section.NumFDEs(); len(f.Relocs) != n {
		o.add(StaleRelocs, "after -r, %d FDEs have %d relocations", n, len(f.Relocs))
	}
}
