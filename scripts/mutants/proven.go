package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/track"
)

// claim is a mutant whose rows at some addresses of a function are to be proven.
type claim struct {
	m    *mutant
	rows []track.Row // one for each address
	left map[uint64]int
}

// prove marks the mutants that are equivalent, and those of which the code proves that what they
// state otherwise than the file is true as well, so that no consumer is misled.
func (in *input) prove(all []*mutant) error {
	claims := map[int][]*claim{}
	open := map[*mutant]int{}
	for _, m := range all {
		points := in.differing(m.section, m.touched)
		if m.equivalent = len(points) == 0; m.equivalent {
			continue
		}
		byFunc, ok := in.claims(m, points)
		if !ok {
			continue
		}
		open[m] = len(points)
		for i, c := range byFunc {
			claims[i] = append(claims[i], c...)
		}
	}
	if len(claims) == 0 {
		return nil
	}
	ranges := make([]track.Range, len(in.plan.Funcs))
	for i := range in.plan.Funcs {
		f := &in.plan.Funcs[i]
		ranges[i] = track.Range{Start: f.Start, End: f.Start + uint64(f.Size)}
		if f.PCType == model.SFRAME_FDE_PCTYPE_MASK {
			ranges[i].Block = uint64(f.RepSize)
		}
	}
	err := in.scan(in.data, func(o *reader.Object) error {
		frames, err := ehframe.Load(o, 0)
		if err != nil {
			return err
		}
		t, err := track.New(o, ranges, track.LSDAs(frames), nil)
		if err != nil {
			return err
		}
		return t.Run(1, func(f *track.Function) {
			reached := map[uint64]bool{}
			if len(claims[f.Index()]) > 0 {
				f.Insns(func(pc uint64, _ int, _ *track.State) bool {
					reached[pc] = true
					return true
				})
			}
			for _, c := range claims[f.Index()] {
				for pc, n := range c.left {
					if !reached[pc] && f.Anchored() && !f.Opaque() && in.first(pc).Pad {
						open[c.m] -= n // nothing leads there
						c.left[pc] = 0
					}
				}
				f.Confirm(c.rows, func(pc uint64, _ int, right bool) {
					if right {
						open[c.m] -= c.left[pc]
						c.left[pc] = 0
					}
				})
			}
		})
	})
	for m, n := range open {
		m.proven = n == 0
	}
	return err
}

// claims returns what a mutant states at addresses where it differs from the file, by function
// of the file. It reports false if it states nothing at one of them, or the file has no function
// there.
func (in *input) claims(m *mutant, points []uint64) (map[int][]*claim, bool) {
	out := map[int][]*claim{}
	for _, pc := range points {
		fde, ok := m.section.Find(pc)
		if !ok {
			return nil, false
		}
		r, ok := fde.At(pc - fde.Start())
		i := slices.IndexFunc(in.plan.Funcs, func(f generator.Func) bool { return pc-f.Start < uint64(f.Size) })
		if !ok || i < 0 || r.NumWords() == 0 {
			return nil, false
		}
		f := &in.plan.Funcs[i]
		insns, _ := in.instructions(f.Start, uint64(f.Size))
		k, exact := slices.BinarySearch(insns, int64(pc-f.Start))
		if !exact {
			k--
		}
		row := track.Row{Row: r.Row(), Start: f.Start + uint64(insns[k]), End: pc + 1, Signed: r.MangledRA(),
			KeyB: fde.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B, Signal: fde.Signal()}
		all := out[i]
		// The first and the last byte of an instruction may have different rows.
		if n := len(all); n == 0 || all[n-1].left[row.Start] > 0 {
			all = append(all, &claim{m: m, left: map[uint64]int{}})
		}
		last := all[len(all)-1]
		last.rows = append(last.rows, row)
		last.left[row.Start]++
		out[i] = all
	}
	for _, all := range out {
		for _, c := range all {
			slices.SortFunc(c.rows, func(a, b track.Row) int { return int(int64(a.Start - b.Start)) })
		}
	}
	return out, true
}
