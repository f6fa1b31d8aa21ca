package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// tracked has what the tracker claims of the code of files.
type tracked map[string]map[uint64][]unwind.Rules

// known is what was tracked.
var known = tracked{}

// of returns what is claimed for an address in a file.
func (t tracked) of(im *execute.Image, addr uint64) []unwind.Rules {
	all, ok := t[im.Path]
	if !ok && len(im.Sections) > 0 {
		all = map[uint64][]unwind.Rules{}
		err := reader.Scan(im.Path, reader.Options{NoSurvey: true}, func(o *reader.Object) error { return claim(o, all) })
		if err != nil {
			fmt.Fprintf(os.Stderr, "proof: %s: %v\n", im.Path, err)
		}
	}
	t[im.Path] = all
	return all[addr]
}

// claim tracks the functions of an object with FDEs, and adds what that proves.
func claim(o *reader.Object, all map[uint64][]unwind.Rules) error {
	var ranges []proof.Range
	for _, s := range o.SFrames {
		for i := range s.Section.NumFDEs() {
			f := s.Section.FDE(i)
			ranges = append(ranges, proof.RangeOf(&f))
		}
	}
	slices.SortFunc(ranges, func(a, b proof.Range) int { return int(int64(a.Start - b.Start)) })
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return err
	}
	t, err := proof.New(o, ranges, proof.LSDAs(frames), nil)
	if err != nil {
		return err
	}
	abi := o.ELF.ABI()
	return t.Run(1, func(f *proof.Function) { claims(f, abi, all) })
}

// claims adds what the tracker claims at the instructions of a function: the rules that it would advise, those
// that find RA and FP in memory, and the CFA from FP.
func claims(f *proof.Function, abi model.ABIInfo, all map[uint64][]unwind.Rules) {
	r := f.Range()
	memory := model.Recovery{Kind: model.FromCFA, Deref: true}
	base := model.Recovery{Kind: model.InRegister, Reg: abi.SP}
	for _, rows := range [][]proof.Row{nil, {{Row: model.Row{CFA: base, RA: memory, FP: memory}, Start: r.Start, End: r.End}}} {
		f.Points(rows, func(p *proof.Point) {
			x := unwind.Rules{Row: p.Row, Mangled: p.Signed}
			if p.Reason == proof.Known && p.Row != (model.Row{}) && !slices.Contains(all[p.PC], x) {
				all[p.PC] = append(all[p.PC], x)
			}
		})
	}
	f.Insns(func(pc uint64, _ int, s *proof.State) bool {
		if s.Reason == proof.Known && s.SP.Base == proof.CFA && s.FP.Base == proof.CFA {
			cfa := model.Recovery{Kind: model.InRegister, Reg: abi.FP, Offset: -s.FP.Off}
			all[pc] = append(all[pc], unwind.Rules{Row: model.Row{CFA: cfa}})
		}
		return true
	})
}
