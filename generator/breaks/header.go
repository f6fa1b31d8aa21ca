package breaks

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// setHeader has a site at a field of the header, which it sets to a drawn value.
func setHeader(f model.HeaderField, value func(d *draft) uint64) func(*Subject) []site {
	return onlySite(always, func(d *draft) (anchor, error) {
		d.set(f.Span(), value(d))
		return ofHeader(f), nil
	}, f.String())
}

// fixedFP has a site in the sections of ABIs that fix the offset of RA, or in
// all others.
func fixedFP(fixedRA bool) func(*Subject) []site {
	return sitesWhere(func(s *Subject) bool { return fixedRA != s.abi().TracksRA() },
		setHeader(model.HdrFixedFP, func(d *draft) uint64 { return uint64(d.upTo(1, 255)) }))
}

var headerBreaks = []Break{
	{
		Name: "magic", Rule: "SF1001",
		Doc:   "Changes a bit of the magic number.",
		needs: header, spoils: head,
		sites: setHeader(model.HdrMagic, func(d *draft) uint64 { return model.SFRAME_MAGIC ^ 1<<d.rnd.IntN(16) }),
	},
	{
		Name: "cut-header", Rule: "SF1002",
		Doc:   "Truncates the section inside its header.",
		needs: header, spoils: head,
		sites: onlySite(always, func(d *draft) (anchor, error) {
			n := d.upTo(1, int64(d.version().Info().HeaderSize)-1)
			d.shrink(n)
			return ofSection(func(*Subject) model.Span { return model.Span{Len: n} }), nil
		}, "size"),
	},
	{
		Name: "version", Rule: "SF1003",
		Doc:   "Sets a version that does not exist.",
		needs: header, spoils: head,
		sites: setHeader(model.HdrVersion, func(d *draft) uint64 { return pick(d, 0, uint64(d.upTo(int64(len(model.Versions(nil))+1), 255))) }),
	},
	{
		Name: "old-version", Rule: "SF1004", Also: []string{"SF2101"},
		Doc:   "Writes the same functions in version 1.",
		needs: header,
		sites: onlySite(func(s *Subject) bool { return s.version() != model.SFRAME_VERSION_1 }, func(d *draft) (anchor, error) {
			p, err := generator.Convert(d.base, model.SFRAME_VERSION_1)
			if err != nil {
				return anchor{}, err
			}
			return ofHeader(model.HdrVersion), d.structure(func(q *generator.Plan) { *q = *p })
		}, model.HdrVersion.String()),
	},
	{
		Name: "flag", Rule: "SF1005",
		Doc:   "Sets a flag that the version does not define.",
		needs: header,
		sites: setHeader(model.HdrFlags, func(d *draft) uint64 {
			// 4 would change how readers decode the starts of version 1.
			undefined := []uint64{0x8, 0x10, 0x20, 0x40, 0x80}
			if model.DefinedFlags(d.version())&model.SFRAME_F_FRAME_POINTER == 0 {
				undefined = append(undefined, uint64(model.SFRAME_F_FRAME_POINTER))
			}
			return uint64(d.plan.Flags) | pick(d, undefined...)
		}),
	},
	{
		Name: "abi", Rule: "SF1006",
		Doc:   "Sets an ABI identifier that does not exist.",
		needs: header | machine, spoils: machine,
		sites: setHeader(model.HdrABI, func(d *draft) uint64 { return pick(d, 0, uint64(d.upTo(int64(len(model.ABIs())+1), 255))) }),
	},
	{
		Name: "abi-order", Rule: "SF1007",
		Doc:   "Sets the AArch64 ABI of the other byte order.",
		needs: header | machine, spoils: machine,
		sites: sitesWhere(func(s *Subject) bool { return s.abi().Pauth }, setHeader(model.HdrABI, func(d *draft) uint64 { return 3 - uint64(d.plan.ABI) })),
	},
	{
		Name: "fixed-ra", Rule: "SF1008",
		Doc:   "Sets a fixed offset of RA that is not the ABI's.",
		needs: header | machine, spoils: machine,
		sites: setHeader(model.HdrFixedRA, func(d *draft) uint64 { return uint64(uint8(d.plan.FixedRA)) ^ uint64(d.upTo(1, 255)) }),
	},
	{
		Name: "fixed-fp", Rule: "SF1009",
		Doc:   "Sets a fixed offset of FP on an ABI that has none.",
		needs: header | machine, spoils: machine,
		sites: fixedFP(false),
	},
	{
		Name: "fixed-fp-amd64", Rule: "SF1023",
		Doc:   "Sets a fixed offset of FP on AMD64.",
		needs: header | machine, spoils: machine,
		sites: fixedFP(true),
	},
	{
		Name: "aux", Rule: "SF1010",
		Doc:   "Adds an auxiliary header.",
		needs: header,
		sites: onlySite(func(s *Subject) bool { return len(s.plan.Aux) == 0 }, func(d *draft) (anchor, error) {
			return ofHeader(model.HdrAuxLen), d.replan(func(p *generator.Plan) { p.Aux = d.noise(4 * d.upTo(1, 12)) })
		}, model.HdrAuxLen.String()),
	},
	{
		Name: "unaligned", Rule: "SF1024", Also: []string{"SF1010"},
		Doc:   "Adds an auxiliary header that leaves the FDEs unaligned.",
		needs: sections,
		sites: onlySite(func(s *Subject) bool {
			return len(s.plan.Aux) == 0 && len(s.plan.Funcs) > 0 && s.version() != model.SFRAME_VERSION_1
		}, func(d *draft) (anchor, error) {
			n := d.upTo(1, 48)
			if (n+d.ix.fdeOff)%4 == 0 || n%4 == 0 {
				return anchor{}, errNoRoom
			}
			return ofHeader(model.HdrAuxLen), d.replan(func(p *generator.Plan) { p.Aux = d.noise(n) })
		}, model.HdrAuxLen.String(), "gap of FDEs"),
	},
	{
		Name: "aux-beyond", Rule: "SF1011",
		Doc:   "Makes the auxiliary header longer than the section.",
		needs: header, spoils: layout,
		sites: sitesWhere(func(s *Subject) bool { return s.bodySize() < 255 },
			setHeader(model.HdrAuxLen, func(d *draft) uint64 { return uint64(d.upTo(d.bodySize()+1, 255)) })),
	},
	{
		Name: "num-fres", Rule: "SF1021",
		Doc:   "Sets a number of FREs that is not the sum of the FDEs' counts.",
		needs: sections | rows,
		sites: setHeader(model.HdrNumFREs, func(d *draft) uint64 {
			n := uint64(d.ix.layout.NumFREs)
			return pick(d, n+1, (n-1)&(1<<32-1), n^1<<d.rnd.IntN(32))
		}),
	},
	{
		Name: "no-functions", Rule: "SF1022",
		Doc:   "Removes all functions.",
		needs: sections,
		sites: onlySite(func(s *Subject) bool { return len(s.plan.Funcs) > 0 }, func(d *draft) (anchor, error) {
			return ofHeader(model.HdrNumFDEs), d.structure(func(p *generator.Plan) { p.Funcs = nil })
		}, model.HdrNumFDEs.String(), model.HdrNumFREs.String()),
	},
}

// bodySize is the number of bytes that follow the header.
func (s *Subject) bodySize() int64 { return s.size - int64(s.version().Info().HeaderSize) }
