package breaks

import (
	"math"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// setHeader has a site at a field of the header of sections that satisfy ok, which it sets to a drawn value.
func setHeader(f model.HeaderField, ok func(*Subject) bool, value func(d *draft) uint64) func(*Subject) []site {
	return onlySite(ok, func(d *draft) anchor { return d.write(ofHeader(f), value(d)) }, f.String())
}

// unknown draws a number of which the first n are defined.
func unknown(n int) func(*draft) uint64 {
	return func(d *draft) uint64 { return pick(d, 0, uint64(d.upTo(int64(n+1), 255))) }
}

func fixedFP(d *draft) uint64 { return uint64(d.upTo(1, 255)) }

var headerBreaks = []Break{
	spoiling("magic", "SF1001", "Changes a bit of the magic number.", header, head,
		setHeader(model.HdrMagic, always, func(d *draft) uint64 { return model.SFRAME_MAGIC ^ 1<<d.rnd.IntN(16) })),
	spoiling("cut-header", "SF1002", "Truncates the section inside its header.", header, head,
		onlySite(always, func(d *draft) anchor {
			n := d.upTo(1, int64(d.version().Info().HeaderSize)-1)
			d.shrink(n)
			return ofSection(func(*Subject) model.Span { return model.Span{Len: n} })
		}, "size")),
	spoiling("version", "SF1003", "Sets a version that does not exist.", header, head,
		setHeader(model.HdrVersion, always, unknown(len(model.Versions(nil))))),
	fault("old-version", "SF1004 SF2101", "Writes the same functions in version 1.", header,
		onlySite(func(s *Subject) bool { return s.version() > 1 }, func(d *draft) anchor {
			p, err := generator.Convert(d.base, model.SFRAME_VERSION_1)
			d.failed = err != nil
			return d.structure(func(q *generator.Plan) { *q = *p }).blame(ofHeader(model.HdrVersion))
		}, model.HdrVersion.String())),
	fault("flag", "SF1005", "Sets a flag that the version does not define.", header,
		setHeader(model.HdrFlags, always, func(d *draft) uint64 {
			// 4 would change how readers decode the starts of version 1.
			undefined := []uint64{0x8, 0x10, 0x20, 0x40, 0x80}
			if model.DefinedFlags(d.version())&model.SFRAME_F_FRAME_POINTER == 0 {
				undefined = append(undefined, uint64(model.SFRAME_F_FRAME_POINTER))
			}
			return uint64(d.plan.Flags) | pick(d, undefined...)
		})),
	spoiling("abi", "SF1006", "Sets an ABI identifier that does not exist.", header|machine, machine,
		setHeader(model.HdrABI, always, unknown(len(model.ABIs())))),
	spoiling("abi-order", "SF1007", "Sets the AArch64 ABI of the other byte order.", header|machine, machine,
		setHeader(model.HdrABI, pauth, func(d *draft) uint64 { return 3 - uint64(d.plan.ABI) })),
	spoiling("fixed-ra", "SF1008", "Sets a fixed offset of RA that is not the ABI's.", header|machine, machine,
		setHeader(model.HdrFixedRA, always, func(d *draft) uint64 { return uint64(uint8(d.plan.FixedRA)) ^ uint64(d.upTo(1, 255)) })),
	spoiling("fixed-fp", "SF1009", "Sets a fixed offset of FP on an ABI that has none.", header|machine, machine,
		setHeader(model.HdrFixedFP, tracksRA, fixedFP)),
	spoiling("fixed-fp-amd64", "SF1023", "Sets a fixed offset of FP on AMD64.", header|machine, machine,
		setHeader(model.HdrFixedFP, func(s *Subject) bool { return !tracksRA(s) }, fixedFP)),
	fault("aux", "SF1010", "Adds an auxiliary header.", header,
		onlySite(func(s *Subject) bool { return len(s.plan.Aux) == 0 }, func(d *draft) anchor {
			return d.replan(func(p *generator.Plan) { p.Aux = d.noise(4 * d.upTo(1, 12)) }).blame(ofHeader(model.HdrAuxLen))
		}, model.HdrAuxLen.String())),
	fault("unaligned", "SF1024 SF1010", "Adds an auxiliary header that leaves the FDEs unaligned.", sections,
		onlySite(func(s *Subject) bool { return len(s.plan.Aux) == 0 && hasFuncs(s) && s.version() > 1 }, func(d *draft) anchor {
			n := d.upTo(1, 48)
			d.failed = (n+d.ix.fdeOff)%4 == 0 || n%4 == 0
			return d.replan(func(p *generator.Plan) { p.Aux = d.noise(n) }).blame(ofHeader(model.HdrAuxLen))
		}, model.HdrAuxLen.String(), "gap of FDEs")),
	spoiling("aux-beyond", "SF1011", "Makes the auxiliary header longer than the section.", header, layout,
		setHeader(model.HdrAuxLen, func(s *Subject) bool { return s.bodySize() < 255 },
			func(d *draft) uint64 { return uint64(d.upTo(d.bodySize()+1, 255)) })),
	fault("num-fres", "SF1021", "Sets a number of FREs that is not the sum of the FDEs' counts.", decoded,
		setHeader(model.HdrNumFREs, always, func(d *draft) uint64 {
			n := uint64(d.ix.layout.NumFREs)
			return pick(d, n+1, (n-1)&(1<<32-1), n^1<<d.rnd.IntN(32))
		})),
	fault("no-functions", "SF1022", "Removes all functions.", sections,
		onlySite(hasFuncs, func(d *draft) anchor {
			return d.structure(func(p *generator.Plan) { p.Funcs = nil }).blame(ofHeader(model.HdrNumFDEs))
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String())),
}

// bodySize is the number of bytes that follow the header.
func (s *Subject) bodySize() int64 { return s.size - int64(s.version().Info().HeaderSize) }

var layoutBreaks = []Break{
	spoiling("fdes-beyond", "SF1012", "Sets a number of FDEs that does not fit in the section.", sections, layout,
		setHeader(model.HdrNumFDEs, always, func(d *draft) uint64 {
			return uint64(d.upTo((d.size-d.ix.fdeOff)/d.ix.fdeSize+1, pick[int64](d, 1000, 1<<20, math.MaxUint32)))
		})),
	spoiling("fdeoff-beyond", "SF1012", "Sets an offset of the FDEs beyond the section.", sections, layout,
		setHeader(model.HdrFDEOff, hasFuncs, beyondSection)), // none can be anywhere
	spoiling("fres-beyond", "SF1013", "Makes the FREs longer than the section.", sections, layout|rows,
		setHeader(model.HdrFRELen, func(s *Subject) bool { return s.size <= s.ix.freEnd }, func(d *draft) uint64 {
			return uint64(d.upTo(d.size-d.ix.freOff+1, pick[int64](d, d.size+1000, math.MaxUint32)))
		})), // the bytes after them would become theirs
	spoiling("freoff-beyond", "SF1013", "Sets an offset of the FREs beyond the section.", sections, layout|rows,
		setHeader(model.HdrFREOff, always, beyondSection)),
	spoiling("overlap", "SF1014", "Starts the FREs inside the FDEs, with matching offsets.", sections, layout,
		onlySite(hasFuncs, func(d *draft) anchor {
			fdes := int64(len(d.plan.Funcs)) * d.ix.fdeSize
			by := uint64(d.ix.freOff - d.ix.fdeOff - fdes + d.upTo(1, fdes))
			d.add(ofHeader(model.HdrFRELen), by)
			for i := range d.plan.Funcs {
				d.add(ofField(i, model.FDEStartFREOff), by)
			}
			return d.add(ofHeader(model.HdrFREOff), -by)
		}, model.HdrFREOff.String())),
	fault("gap", "SF1015 SF1024", "Inserts zero bytes before the FDEs or the FREs.", sections,
		gaps(func(d *draft, sp model.Span) {})),
	spoiling("stray-gap", "SF1016 SF1024", "Inserts bytes that are not zero before the FDEs or the FREs.", sections, layout,
		gaps(func(d *draft, sp model.Span) { d.put(sp.Off, d.noise(sp.Len)) })),
	spoiling("lost-fde", "SF1016", "Sets a number of FDEs that is one too low.", sections, layout,
		onlySite(func(s *Subject) bool { return len(s.plan.Funcs) > 1 && !s.rel() && s.plan.Style.FREGap == 0 }, func(d *draft) anchor {
			last := len(d.plan.Funcs) - 1
			d.write(ofHeader(model.HdrNumFDEs), uint64(last))
			d.write(ofHeader(model.HdrNumFREs), uint64(d.plan.NumFREs()-len(d.fn(last).Rows)))
			return ofEntry(last)
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String())),
	fault("zeros", "SF1017", "Adds zero bytes at the end.", sections,
		tail(func(d *draft) []byte { return make([]byte, d.upTo(8, 64)) })),
	fault("tail", "SF1018", "Adds bytes that are not zero at the end.", sections,
		tail(func(d *draft) []byte { return d.noise(d.upTo(1, 64)) })),
	spoiling("concatenate", "SF1019", "Appends a copy of the section.", sections, end,
		tail(func(d *draft) []byte { return append(make([]byte, -d.size&7), d.Section()...) })),
}

// beyondSection draws an offset of a sub-section.
func beyondSection(d *draft) uint64 {
	return uint64(d.upTo(d.size-d.ix.headerEnd+1, pick[int64](d, 1000, math.MaxUint32)))
}

// gaps has sites before both sub-sections that have no gap yet.
func gaps(fill func(*draft, model.Span)) func(*Subject) []site {
	return func(s *Subject) (all []site) {
		gap := func(style func(*generator.Plan) *uint32, off func(s *Subject) int64, claim string) {
			if *style(s.plan) != 0 {
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
