package consumers

import (
	"bytes"

	"github.com/sframe-lint/sframe-lint/model"
)

// Demands on the places of the section's parts.
func regionTerms() map[Demand]term {
	return map[Demand]term{
		"offsets-ordered": {"`sfh_fdeoff` is at most `sfh_freoff`", onSection(func(s *model.Section, _ Arg) *Verdict {
			h := s.Header()
			return expect(h.FDEOff <= h.FREOff, model.HdrFDEOff, "sfh_fdeoff %d is larger than sfh_freoff %d", h.FDEOff, h.FREOff)
		})},
		"fdeoff-zero": {"`sfh_fdeoff` is 0{ if `sfp_flags` has FLAGS}", onSection(func(s *model.Section, a Arg) *Verdict {
			h := s.Header()
			return expect(h.FDEOff == 0 || h.NumFDEs == 0 || h.Flags&a.Flags != a.Flags, model.HdrFDEOff, "sfh_fdeoff is %d", h.FDEOff)
		})},
		"fres-follow-fdes": {"the FREs directly follow the last FDE", onSection(func(s *model.Section, _ Arg) *Verdict {
			h := s.Header()
			fdes, fres := s.FDESubsection(), s.FRESubsection()
			return expect(fdes.Len == 0 || h.FRELen == 0 || fres.Off == fdes.End(), model.HdrFREOff, "the FDEs end at 0x%x, but the FREs start at 0x%x", fdes.End(), fres.Off)
		})},
		"counts-agree": {"`sfh_num_fres` is the sum over all FDEs", onSection(func(s *model.Section, _ Arg) *Verdict {
			h := s.Header()
			return expect(s.NumFDEs() != int(h.NumFDEs) || uint64(h.NumFREs) == s.ClaimedFREs(), model.HdrNumFREs, "sfh_num_fres is %d, but the FDEs have %d FREs", h.NumFREs, s.ClaimedFREs())
		})},
		"bytes-add": {"the sizes of header, FDEs and FREs add up to the size of the section", onModel(findSum)},
		"zero-tail": {"the sizes of the FREs add up to at most `sfh_fre_len`, and only zeros follow as many bytes", onModel(findTail)},
	}
}

// onSection returns a demand on a section with a header.
func onSection(find func(*model.Section, Arg) *Verdict) finder {
	return func(x *subject, a Arg) *Verdict {
		if x.s == nil {
			return nil
		}
		return find(x.s, a)
	}
}

// onModel is onSection for a demand that needs more than the section, and has no parameter.
func onModel(find func(*subject) *Verdict) finder {
	return func(x *subject, _ Arg) *Verdict {
		if x.s == nil {
			return nil
		}
		return find(x)
	}
}

// rowBytes adds up the sizes of the FDEs' parts of the FRE sub-section. Bytes
// that FDEs share count several times.
func (x *subject) rowBytes() int64 {
	s, n := x.s, int64(0)
	if !x.f.Survey().Has(model.DataOverlaps) {
		fres := s.FRESubsection().Clip(s.Size())
		return fres.Len - free(s, fres)
	}
	for f := range s.FDEs() {
		n += f.DataSpan().Len
	}
	return n
}

func findSum(x *subject) *Verdict {
	s := x.s
	sum := s.HeaderEnd() + s.FDESubsection().Len + x.rowBytes()
	if sum == s.Size() {
		return nil
	}
	whole := model.Span{Off: 0, Len: s.Size()}
	return at(whole, "header, FDEs and FREs have %d bytes, but the section has %d", sum, s.Size())
}

// findTail acts like a reader that adds up the sizes of FREs and treats the
// bytes after that many as the tail, wherever the FREs are.
func findTail(x *subject) *Verdict {
	s := x.s
	fres, n := s.FRESubsection(), x.rowBytes()
	if n > fres.Len {
		return field(model.HdrFRELen, "the FREs have %d bytes, but sfh_fre_len is %d", n, fres.Len)
	}
	tail := model.Span{Off: fres.Off + n, Len: max(s.Size()-fres.Off-n, 0)}
	inRows := free(s, tail) < tail.Len // that have bytes there
	if !inRows && len(bytes.Trim(s.Bytes(tail), "\x00")) == 0 {
		return nil
	}
	h := at(tail, "%d bytes after the total size of the FREs are not all zero", tail.Len)
	h.Maybe = inRows // it sees them swapped
	return h
}

// free returns how many bytes of the span belong to nothing.
func free(s *model.Section, sp model.Span) (n int64) {
	for _, g := range s.Gaps() {
		if g.Overlaps(sp) {
			n += min(g.End(), sp.End()) - max(g.Off, sp.Off)
		}
	}
	return n
}
