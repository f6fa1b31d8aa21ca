package breaks

import (
	"math"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// setHeader has a site at a field of the header of sections that satisfy ok, which it sets to a drawn value.
func setHeader(f model.HeaderField, ok test, value drawn) sites {
	return onlySite(ok, func(x spot) anchor { return x.write(ofHeader(f), value(x)) }, f.String())
}

// unknown draws a number of which the first n are defined.
func unknown(n int) drawn {
	return func(x spot) uint64 { return pick(x, 0, uint64(x.upTo(int64(n+1), 255))) }
}

func fixedFP(x spot) uint64 { return uint64(x.upTo(1, 255)) }

var headerBreaks = []Break{
	spoiling("magic", "SF1001", "Changes a bit of the magic number.", header, head,
		setHeader(model.HdrMagic, always, func(x spot) uint64 { return model.SFRAME_MAGIC ^ 1<<x.rnd.IntN(16) })),
	spoiling("cut-header", "SF1002", "Truncates the section inside its header.", header, head,
		onlySite(always, func(x spot) anchor {
			n := x.upTo(1, int64(x.format().HeaderSize)-1)
			x.shrink(n)
			return ofSection(func(spot) model.Span { return model.Span{Len: n} })
		}, "size")),
	spoiling("version", "SF1003", "Sets a version that does not exist.", header, head,
		setHeader(model.HdrVersion, always, unknown(len(model.Versions(nil))))),
	fault("old-version", "SF1004 SF2101", "Writes the same functions in version 1.", header,
		onlySite(func(x spot) bool { return x.version() > 1 }, func(x spot) anchor {
			p, err := generator.Convert(x.base, model.SFRAME_VERSION_1)
			x.failed = err != nil
			return x.structure(func(q *generator.Plan) { *q = *p }).blame(ofHeader(model.HdrVersion))
		}, model.HdrVersion.String())),
	fault("flag", "SF1005", "Sets a flag that the version does not define.", header,
		setHeader(model.HdrFlags, always, func(x spot) uint64 {
			// 4 would change how readers decode the starts of version 1.
			undefined := []uint64{0x8, 0x10, 0x20, 0x40, 0x80}
			if model.DefinedFlags(x.version())&model.SFRAME_F_FRAME_POINTER == 0 {
				undefined = append(undefined, uint64(model.SFRAME_F_FRAME_POINTER))
			}
			return uint64(x.plan.Flags) | pick(x, undefined...)
		})),
	spoiling("abi", "SF1006", "Sets an ABI identifier that does not exist.", header|machine, machine,
		setHeader(model.HdrABI, always, unknown(len(model.ABIs())))),
	spoiling("abi-order", "SF1007", "Sets the AArch64 ABI of the other byte order.", header|machine, machine,
		setHeader(model.HdrABI, pauth, func(x spot) uint64 { return 3 - uint64(x.plan.ABI) })),
	spoiling("fixed-ra", "SF1008", "Sets a fixed offset of RA that is not the ABI's.", header|machine, machine,
		setHeader(model.HdrFixedRA, always, func(x spot) uint64 { return uint64(uint8(x.plan.FixedRA)) ^ uint64(x.upTo(1, 255)) })),
	spoiling("fixed-fp", "SF1009", "Sets a fixed offset of FP on an ABI that has none.", header|machine, machine,
		setHeader(model.HdrFixedFP, tracksRA, fixedFP)),
	spoiling("fixed-fp-amd64", "SF1023", "Sets a fixed offset of FP on AMD64.", header|machine, machine,
		setHeader(model.HdrFixedFP, func(x spot) bool { return !tracksRA(x) }, fixedFP)),
	fault("aux", "SF1010", "Adds an auxiliary header.", header,
		onlySite(func(x spot) bool { return len(x.plan.Aux) == 0 }, func(x spot) anchor {
			return x.replan(func(p *generator.Plan) { p.Aux = x.noise(4 * x.upTo(1, 12)) }).blame(ofHeader(model.HdrAuxLen))
		}, model.HdrAuxLen.String())),
	fault("unaligned", "SF1024 SF1010", "Adds an auxiliary header that leaves the FDEs unaligned.", sections,
		onlySite(func(x spot) bool { return len(x.plan.Aux) == 0 && hasFuncs(x) && x.version() > 1 }, func(x spot) anchor {
			n := x.upTo(1, 48)
			x.failed = (n+x.ix.fdeOff)%4 == 0 || n%4 == 0
			return x.replan(func(p *generator.Plan) { p.Aux = x.noise(n) }).blame(ofHeader(model.HdrAuxLen))
		}, model.HdrAuxLen.String(), "gap of FDEs")),
	spoiling("aux-beyond", "SF1011", "Makes the auxiliary header longer than the section.", header, layout,
		setHeader(model.HdrAuxLen, func(x spot) bool { return x.bodySize() < 255 },
			func(x spot) uint64 { return uint64(x.upTo(x.bodySize()+1, 255)) })),
	fault("num-fres", "SF1021", "Sets a number of FREs that is not the sum of the FDEs' counts.", decoded,
		setHeader(model.HdrNumFREs, always, func(x spot) uint64 {
			n := uint64(x.ix.layout.NumFREs)
			return pick(x, n+1, (n-1)&(1<<32-1), n^1<<x.rnd.IntN(32))
		})),
	fault("no-functions", "SF1022", "Removes all functions.", sections,
		onlySite(hasFuncs, func(x spot) anchor {
			return x.structure(func(p *generator.Plan) { p.Funcs = nil }).blame(ofHeader(model.HdrNumFDEs))
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String())),
}

// bodySize is the number of bytes that follow the header.
func (s *Subject) bodySize() int64 { return s.size - int64(s.format().HeaderSize) }

var layoutBreaks = []Break{
	spoiling("fdes-beyond", "SF1012", "Sets a number of FDEs that does not fit in the section.", sections, layout,
		setHeader(model.HdrNumFDEs, always, func(x spot) uint64 {
			return uint64(x.upTo((x.size-x.ix.fdeOff)/x.ix.fdeSize+1, pick[int64](x, 1000, 1<<20, math.MaxUint32)))
		})),
	spoiling("fdeoff-beyond", "SF1012", "Sets an offset of the FDEs beyond the section.", sections, layout,
		setHeader(model.HdrFDEOff, hasFuncs, beyondSection)), // none can be anywhere
	spoiling("fres-beyond", "SF1013", "Makes the FREs longer than the section.", sections, layout|rows,
		setHeader(model.HdrFRELen, func(x spot) bool { return x.size <= x.ix.freEnd }, func(x spot) uint64 {
			return uint64(x.upTo(x.size-x.ix.freOff+1, pick[int64](x, x.size+1000, math.MaxUint32)))
		})), // the bytes after them would become theirs
	spoiling("freoff-beyond", "SF1013", "Sets an offset of the FREs beyond the section.", sections, layout|rows,
		setHeader(model.HdrFREOff, always, beyondSection)),
	spoiling("overlap", "SF1014", "Starts the FREs inside the FDEs, with matching offsets.", sections, layout,
		onlySite(hasFuncs, func(x spot) anchor {
			fdes := int64(len(x.plan.Funcs)) * x.ix.fdeSize
			by := uint64(x.ix.freOff - x.ix.fdeOff - fdes + x.upTo(1, fdes))
			x.add(ofHeader(model.HdrFRELen), by)
			for i := range x.plan.Funcs {
				x.add(x.fde(i).ofField(model.FDEStartFREOff), by)
			}
			return x.add(ofHeader(model.HdrFREOff), -by)
		}, model.HdrFREOff.String())),
	fault("gap", "SF1015 SF1024", "Inserts zero bytes before the FDEs or the FREs.", sections,
		gaps(func(_ spot, sp model.Span) {})),
	spoiling("stray-gap", "SF1016 SF1024", "Inserts bytes that are not zero before the FDEs or the FREs.", sections, layout,
		gaps(func(x spot, sp model.Span) { x.put(sp.Off, x.noise(sp.Len)) })),
	spoiling("lost-fde", "SF1016", "Sets a number of FDEs that is one too low.", sections, layout,
		onlySite(func(x spot) bool { return len(x.plan.Funcs) > 1 && !x.rel() && x.plan.Style.FREGap == 0 }, func(x spot) anchor {
			last := len(x.plan.Funcs) - 1
			x.write(ofHeader(model.HdrNumFDEs), uint64(last))
			x.write(ofHeader(model.HdrNumFREs), uint64(x.plan.NumFREs()-len(x.fde(last).fn().Rows)))
			return x.fde(last).ofEntry()
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String())),
	fault("zeros", "SF1017", "Adds zero bytes at the end.", sections,
		tail(func(x spot) []byte { return make([]byte, x.upTo(8, 64)) })),
	fault("tail", "SF1018", "Adds bytes that are not zero at the end.", sections,
		tail(func(x spot) []byte { return x.noise(x.upTo(1, 64)) })),
	spoiling("concatenate", "SF1019", "Appends a copy of the section.", sections, end,
		tail(func(x spot) []byte { return append(make([]byte, -x.size&7), x.Section()...) })),
}

// beyondSection draws an offset of a sub-section.
func beyondSection(x spot) uint64 {
	return uint64(x.upTo(x.size-x.ix.headerEnd+1, pick[int64](x, 1000, math.MaxUint32)))
}

// gaps has sites before both sub-sections that have no gap yet.
func gaps(fill func(spot, model.Span)) sites {
	return func(x spot) (all []site) {
		gap := func(style func(*generator.Plan) *uint32, off func(spot) int64, claim string) {
			if *style(x.plan) != 0 {
				return
			}
			all = append(all, site{x, []string{claim}, func(x spot) anchor {
				n := x.upTo(1, 40)
				at := ofSection(func(x spot) model.Span { return model.Span{Off: off(x) - n, Len: n} })
				x.replan(func(p *generator.Plan) { *style(p) = uint32(n) })
				fill(x, at.of(x.Subject))
				return at
			}})
		}
		gap(func(p *generator.Plan) *uint32 { return &p.Style.FDEGap }, func(x spot) int64 { return x.ix.fdeOff }, "gap of FDEs")
		gap(func(p *generator.Plan) *uint32 { return &p.Style.FREGap }, func(x spot) int64 { return x.ix.freOff }, "gap of FREs")
		return all
	}
}

// tail has a site after the FREs if nothing follows them yet.
func tail(more func(spot) []byte) sites {
	return onlySite(func(x spot) bool { return x.plan.Style.Tail == 0 && x.size == x.ix.freEnd }, func(x spot) anchor {
		b := more(x)
		x.replan(func(p *generator.Plan) { p.Style.Tail = uint32(len(b)) }).put(x.ix.freEnd, b)
		return ofSection(func(x spot) model.Span { return model.Span{Off: x.ix.freEnd, Len: int64(len(b))} })
	}, "tail")
}
