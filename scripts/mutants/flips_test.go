package main

import (
	"fmt"
	"math/rand"
	"slices"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
)

// structure has the fast rules, which need nothing but the section.
var structure = NewLinter("SF1", "SF2", "SF3", "SF4")

// flipped counts flips of one bit.
type flipped struct{ flips, flagged, equivalent, neither int }

func (f *flipped) add(g *flipped) {
	f.flips += g.flips
	f.flagged += g.flagged
	f.equivalent += g.equivalent
	f.neither += g.neither
}

// flips flips the bits of one section: all of them, or as many as the options say.
func (in *input) flips(o *flags, fields map[string]*flipped) (sum flipped, err error) {
	data := slices.Clone(in.Data)
	intact, err := in.decode(in.original)
	if err != nil {
		return sum, err
	}
	x := variant{data: data}
	if x.base, err = in.Lint(Linter, data, intact); err != nil {
		return sum, err
	}
	names := fieldNames(intact)
	points := in.Points(in.everywhere())
	steps := make([]Step, len(points))
	p := stoppedProgram{ABI: in.ABI, Section: intact}
	for i, pc := range points {
		steps[i] = p.Recover(pc)
	}
	bits := make([]int, 8*len(in.original))
	for i := range bits {
		bits[i] = i
	}
	if o.Count > 0 && o.Count < len(bits) {
		bits = rand.New(rand.NewSource(o.Seed)).Perm(len(bits))[:o.Count]
		slices.Sort(bits)
	}
	for _, bit := range bits {
		one, err := in.flip(&x, bit, points, steps)
		if err != nil {
			return sum, err
		}
		name := names[int64(bit/8)]
		if fields[name] == nil {
			fields[name] = &flipped{}
		}
		fields[name].add(&one)
		sum.add(&one)
		if o.Verbose && one.neither > 0 {
			fmt.Printf("neither: %s: bit %d of byte 0x%x, %s\n", in.Path, bit%8, bit/8, name)
		}
	}
	return sum, nil
}

// everywhere returns the addresses of all functions.
func (in *input) everywhere() (out Ranges) {
	for i := range in.plan.Funcs {
		out = append(out, Span(in.plan.Funcs[i].Start, in.plan.Funcs[i].Size))
	}
	return out
}

// flip flips a bit of the section, and judges what comes out.
func (in *input) flip(x *variant, bit int, points []uint64, steps []Step) (flipped, error) {
	section := slices.Clone(in.original)
	section[bit/8] ^= 1 << (bit % 8)
	at := x.data[in.section.Off+int64(bit/8):]
	at[0] ^= 1 << (bit % 8)
	defer func() { at[0] ^= 1 << (bit % 8) }()
	now, err := in.decode(section)
	if err != nil {
		return flipped{flips: 1, flagged: 1}, nil // no header
	}
	if flagged, err := in.flagged(x, now); err != nil {
		return flipped{}, err
	} else if flagged {
		return flipped{flips: 1, flagged: 1}, nil
	}
	q := stoppedProgram{ABI: in.ABI, Section: now}
	for i, pc := range points {
		if q.Recover(pc) != steps[i] {
			return flipped{flips: 1, neither: 1}, nil
		}
	}
	return flipped{flips: 1, equivalent: 1}, nil
}

// fieldNames returns the field of each byte of a section.
func fieldNames(s *model.Section) map[int64]string {
	names := map[int64]string{}
	put := func(sp model.Span, name string) {
		for off := sp.Off; off < sp.End(); off++ {
			names[off] = name
		}
	}
	put(model.Span{Len: s.Size()}, "none")
	for f := range s.Version().Info().HeaderFields() {
		put(f.Span(), "header "+f.String())
	}
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		for field := model.FDEStart; field <= model.FDEPadding; field++ {
			put(f.FieldSpan(field), "FDE "+model.FieldName(s.Version(), field))
		}
		for r := range f.FREs() {
			put(r.StartSpan(), "FRE start")
			put(r.InfoSpan(), "FRE info")
			for k := range r.NumWords() {
				put(r.WordSpan(k), fmt.Sprintf("FRE word %d", k+1))
			}
		}
	}
	return names
}

// flagged reports whether there is an error or a warning that the intact file does
// not have. Most faults break the structure, and do not need the slower rules.
func (in *input) flagged(x *variant, s *model.Section) (bool, error) {
	for _, l := range []*lint.Linter{structure, Linter} {
		now, err := in.Lint(l, x.data, s)
		if err != nil {
			return false, err
		}
		if len(New(now, x.base)) > 0 {
			return true, nil
		}
	}
	return false, nil
}
