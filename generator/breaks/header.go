package breaks

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// setHeader has a site at a field of the header, which it sets to a drawn value.
func setHeader(f model.HeaderField, value func(d *draft) uint64) func(*Subject) []site {
	return onlySite(always, func(d *draft) anchor {
		d.set(f.Span(), value(d))
		return ofHeader(f)
	}, f.String())
}

// fixedFP has a site in the sections of ABIs that fix the offset of RA, or in
// all others.
func fixedFP(fixedRA bool) func(*Subject) []site {
	return sitesWhere(func(s *Subject) bool { return fixedRA != s.abi().TracksRA() },
		setHeader(model.HdrFixedFP, func(d *draft) uint64 { return uint64(d.upTo(1, 255)) }))
}

var headerBreaks = []Break{
	fault("magic", "SF1001", "Changes a bit of the magic number.", header, head,
		setHeader(model.HdrMagic, func(d *draft) uint64 { return model.SFRAME_MAGIC ^ 1<<d.rnd.IntN(16) })),
	fault("cut-header", "SF1002", "Truncates the section inside its header.", header, head,
		onlySite(always, func(d *draft) anchor {
			n := d.upTo(1, int64(d.version().Info().HeaderSize)-1)
			d.shrink(n)
			return ofSection(func(*Subject) model.Span { return model.Span{Len: n} })
		}, "size")),
	fault("version", "SF1003", "Sets a version that does not exist.", header, head,
		setHeader(model.HdrVersion, func(d *draft) uint64 { return pick(d, 0, uint64(d.upTo(int64(len(model.Versions(nil))+1), 255))) })),
	fault("old-version", "SF1004 SF2101", "Writes the same functions in version 1.", header, 0,
		onlySite(func(s *Subject) bool { return s.version() != model.SFRAME_VERSION_1 }, func(d *draft) anchor {
			p, err := generator.Convert(d.base, model.SFRAME_VERSION_1)
			d.failed = err != nil
			return d.structure(func(q *generator.Plan) { *q = *p }).blame(ofHeader(model.HdrVersion))
		}, model.HdrVersion.String())),
	fault("flag", "SF1005", "Sets a flag that the version does not define.", header, 0,
		setHeader(model.HdrFlags, func(d *draft) uint64 {
			// 4 would change how readers decode the starts of version 1.
			undefined := []uint64{0x8, 0x10, 0x20, 0x40, 0x80}
			if model.DefinedFlags(d.version())&model.SFRAME_F_FRAME_POINTER == 0 {
				undefined = append(undefined, uint64(model.SFRAME_F_FRAME_POINTER))
			}
			return uint64(d.plan.Flags) | pick(d, undefined...)
		})),
	fault("abi", "SF1006", "Sets an ABI identifier that does not exist.", header|machine, machine,
		setHeader(model.HdrABI, func(d *draft) uint64 { return pick(d, 0, uint64(d.upTo(int64(len(model.ABIs())+1), 255))) })),
	fault("abi-order", "SF1007", "Sets the AArch64 ABI of the other byte order.", header|machine, machine,
		sitesWhere(func(s *Subject) bool { return s.abi().Pauth }, setHeader(model.HdrABI, func(d *draft) uint64 { return 3 - uint64(d.plan.ABI) }))),
	fault("fixed-ra", "SF1008", "Sets a fixed offset of RA that is not the ABI's.", header|machine, machine,
		setHeader(model.HdrFixedRA, func(d *draft) uint64 { return uint64(uint8(d.plan.FixedRA)) ^ uint64(d.upTo(1, 255)) })),
	fault("fixed-fp", "SF1009", "Sets a fixed offset of FP on an ABI that has none.", header|machine, machine,
		fixedFP(false)),
	fault("fixed-fp-amd64", "SF1023", "Sets a fixed offset of FP on AMD64.", header|machine, machine,
		fixedFP(true)),
	fault("aux", "SF1010", "Adds an auxiliary header.", header, 0,
		onlySite(func(s *Subject) bool { return len(s.plan.Aux) == 0 }, func(d *draft) anchor {
			return d.replan(func(p *generator.Plan) { p.Aux = d.noise(4 * d.upTo(1, 12)) }).blame(ofHeader(model.HdrAuxLen))
		}, model.HdrAuxLen.String())),
	fault("unaligned", "SF1024 SF1010", "Adds an auxiliary header that leaves the FDEs unaligned.", sections, 0,
		onlySite(func(s *Subject) bool {
			return len(s.plan.Aux) == 0 && len(s.plan.Funcs) > 0 && s.version() != model.SFRAME_VERSION_1
		}, func(d *draft) anchor {
			n := d.upTo(1, 48)
			if (n+d.ix.fdeOff)%4 == 0 || n%4 == 0 {
				return d.fail()
			}
			return d.replan(func(p *generator.Plan) { p.Aux = d.noise(n) }).blame(ofHeader(model.HdrAuxLen))
		}, model.HdrAuxLen.String(), "gap of FDEs")),
	fault("aux-beyond", "SF1011", "Makes the auxiliary header longer than the section.", header, layout,
		sitesWhere(func(s *Subject) bool { return s.bodySize() < 255 },
			setHeader(model.HdrAuxLen, func(d *draft) uint64 { return uint64(d.upTo(d.bodySize()+1, 255)) }))),
	fault("num-fres", "SF1021", "Sets a number of FREs that is not the sum of the FDEs' counts.", sections|rows, 0,
		setHeader(model.HdrNumFREs, func(d *draft) uint64 {
			n := uint64(d.ix.layout.NumFREs)
			return pick(d, n+1, (n-1)&(1<<32-1), n^1<<d.rnd.IntN(32))
		})),
	fault("no-functions", "SF1022", "Removes all functions.", sections, 0,
		onlySite(func(s *Subject) bool { return len(s.plan.Funcs) > 0 }, func(d *draft) anchor {
			return d.structure(func(p *generator.Plan) { p.Funcs = nil }).blame(ofHeader(model.HdrNumFDEs))
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String())),
}

// bodySize is the number of bytes that follow the header.
func (s *Subject) bodySize() int64 { return s.size - int64(s.version().Info().HeaderSize) }
