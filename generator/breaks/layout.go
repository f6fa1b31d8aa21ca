package breaks

import (
	"math"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

var layoutBreaks = []Break{
	fault("fdes-beyond", "SF1012", "Sets a number of FDEs that does not fit in the section.", sections, layout,
		setHeader(model.HdrNumFDEs, func(d *draft) uint64 {
			return uint64(d.upTo((d.size-d.ix.fdeOff)/d.ix.fdeSize+1, pick[int64](d, 1000, 1<<20, math.MaxUint32)))
		})),
	fault("fdeoff-beyond", "SF1012", "Sets an offset of the FDEs beyond the section.", sections, layout,
		// none can be anywhere
		sitesWhere(func(s *Subject) bool { return len(s.plan.Funcs) > 0 }, setHeader(model.HdrFDEOff, func(d *draft) uint64 {
			return uint64(d.upTo(d.size-d.ix.headerEnd+1, pick[int64](d, 1000, math.MaxUint32)))
		}))),
	fault("fres-beyond", "SF1013", "Makes the FREs longer than the section.", sections, layout|rows,
		// the bytes after them would become theirs
		sitesWhere(func(s *Subject) bool { return s.size <= s.ix.freEnd }, setHeader(model.HdrFRELen, func(d *draft) uint64 {
			return uint64(d.upTo(d.size-d.ix.freOff+1, pick[int64](d, d.size+1000, math.MaxUint32)))
		}))),
	fault("freoff-beyond", "SF1013", "Sets an offset of the FREs beyond the section.", sections, layout|rows,
		setHeader(model.HdrFREOff, func(d *draft) uint64 {
			return uint64(d.upTo(d.size-d.ix.headerEnd+1, pick[int64](d, 1000, math.MaxUint32)))
		})),
	fault("overlap", "SF1014", "Starts the FREs inside the FDEs, with matching offsets.", sections, layout,
		onlySite(func(s *Subject) bool { return len(s.plan.Funcs) > 0 }, func(d *draft) anchor {
			fdes := int64(len(d.plan.Funcs)) * d.ix.fdeSize
			by := uint64(d.ix.freOff - d.ix.fdeOff - fdes + d.upTo(1, fdes))
			d.set(model.HdrFREOff.Span(), d.get(model.HdrFREOff.Span())-by)
			d.set(model.HdrFRELen.Span(), d.get(model.HdrFRELen.Span())+by)
			for i := range d.plan.Funcs {
				off := d.field(i, model.FDEStartFREOff)
				d.set(off, d.get(off)+by)
			}
			return ofHeader(model.HdrFREOff)
		}, model.HdrFREOff.String())),
	fault("gap", "SF1015 SF1024", "Inserts zero bytes before the FDEs or the FREs.", sections, 0,
		gaps(func(d *draft, sp model.Span) {})),
	fault("stray-gap", "SF1016 SF1024", "Inserts bytes that are not zero before the FDEs or the FREs.", sections, layout,
		gaps(func(d *draft, sp model.Span) { d.put(sp.Off, d.noise(sp.Len)) })),
	fault("lost-fde", "SF1016", "Sets a number of FDEs that is one too low.", sections, layout,
		onlySite(func(s *Subject) bool { return len(s.plan.Funcs) > 1 && !s.rel() && s.plan.Style.FREGap == 0 }, func(d *draft) anchor {
			last := len(d.plan.Funcs) - 1
			d.set(model.HdrNumFDEs.Span(), uint64(last))
			d.set(model.HdrNumFREs.Span(), uint64(d.plan.NumFREs()-len(d.fn(last).Rows)))
			return ofEntry(last)
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String())),
	fault("zeros", "SF1017", "Adds zero bytes at the end.", sections, 0,
		tail(func(d *draft) []byte { return make([]byte, d.upTo(8, 64)) })),
	fault("tail", "SF1018", "Adds bytes that are not zero at the end.", sections, 0,
		tail(func(d *draft) []byte { return d.noise(d.upTo(1, 64)) })),
	fault("concatenate", "SF1019", "Appends a copy of the section.", sections, end,
		tail(func(d *draft) []byte {
			b := append([]byte(nil), d.Section()...)
			if d.size%8 == 0 {
				return b
			}
			return append(make([]byte, 8-d.size%8), b...)
		})),
}

// gaps has sites before both sub-sections that have no gap yet.
func gaps(fill func(*draft, model.Span)) func(*Subject) []site {
	return func(s *Subject) []site {
		var all []site
		gap := func(style func(*generator.Plan) *uint32, off func(s *Subject) int64, claim string) {
			p := s.plan
			if *style(p) != 0 {
				return
			}
			all = append(all, site{[]string{claim}, func(d *draft) anchor {
				n := d.upTo(1, 40)
				at := ofSection(func(s *Subject) model.Span { return model.Span{Off: off(s) - n, Len: n} })
				d.replan(func(p *generator.Plan) { *style(p) = uint32(n) })
				fill(d, at.span(d.Subject))
				return at
			}})
		}
		gap(func(p *generator.Plan) *uint32 { return &p.Style.FDEGap }, func(s *Subject) int64 { return s.ix.fdeOff }, "gap of FDEs")
		gap(func(p *generator.Plan) *uint32 { return &p.Style.FREGap }, func(s *Subject) int64 { return s.ix.freOff }, "gap of FREs")
		return all
	}
}

// tail has a site after the FREs if nothing follows them yet.
func tail(more func(*draft) []byte) func(*Subject) []site {
	return onlySite(func(s *Subject) bool { return s.plan.Style.Tail == 0 && s.size == s.ix.freEnd }, func(d *draft) anchor {
		b := more(d)
		d.replan(func(p *generator.Plan) { p.Style.Tail = uint32(len(b)) }).put(d.ix.freEnd, b)
		return ofSection(func(s *Subject) model.Span { return model.Span{Off: s.ix.freEnd, Len: int64(len(b))} })
	}, "tail")
}
