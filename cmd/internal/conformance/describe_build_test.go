// Package build makes the cases of the conformance suite, from the corpus' hand-made
// sections, the breaks and the generator.
package conformance_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// section, function, row and found are the answers that are expected, in the order and with
// the names of the protocol.
type section struct {
	Version   int        `json:"version"`
	ABI       string     `json:"abi"`
	Flags     int        `json:"flags"`
	FixedFP   int        `json:"fixed_fp"`
	FixedRA   int        `json:"fixed_ra"`
	Functions []function `json:"functions"`
}

type function struct {
	Start   string `json:"start"`
	Size    uint32 `json:"size"`
	PCType  string `json:"pc_type"`
	RepSize *int   `json:"rep_size,omitempty"`
	Type    string `json:"fde_type,omitempty"`
	Signal  *bool  `json:"signal,omitempty"`
	Key     string `json:"pauth_key,omitempty"`
	Rows    []row  `json:"rows"`
}

type row struct {
	Start   uint32 `json:"start"`
	CFA     string `json:"cfa"`
	RA      string `json:"ra"`
	FP      string `json:"fp"`
	Mangled *bool  `json:"mangled_ra,omitempty"`
}

type found struct {
	Function *string `json:"function"`
	Row      *row    `json:"row"`
}

// describe returns the content of a section.
func describe(s *model.Section) section {
	h := s.Header()
	out := section{
		Version: int(h.Version), ABI: generator.LookupKnob("abi").Format(int64(h.ABI)), Flags: int(h.Flags),
		FixedFP: int(h.FixedFPOffset), FixedRA: int(h.FixedRAOffset), Functions: []function{},
	}
	for f := range s.FDEs() {
		out.Functions = append(out.Functions, describeFDE(f))
	}
	return out
}

func describeFDE(f model.FDE) function {
	v := f.Section().Version().Info()
	out := function{Start: fmt.Sprintf("0x%x", f.Start()), Size: f.Size(), PCType: "inc", Rows: []row{}}
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK {
		out.PCType = "mask"
	}
	if v.Stubs {
		rep := int(f.RepSize())
		out.RepSize = &rep
	}
	if v.Flex {
		if out.Type = "default"; f.Type() == model.SFRAME_FDE_TYPE_FLEX {
			out.Type = "flexible"
		}
		signal := f.Signal()
		out.Signal = &signal
	}
	if f.Section().ABI().Pauth {
		if out.Key = "a"; f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
			out.Key = "b"
		}
	}
	for r := range f.FREs() {
		out.Rows = append(out.Rows, describeFRE(r))
	}
	return out
}

func describeFRE(r model.FRE) row {
	rules := r.Row()
	out := row{Start: r.Start(), CFA: value(rules.CFA), RA: value(rules.RA), FP: value(rules.FP)}
	if r.FDE().Section().ABI().Pauth {
		m := r.MangledRA()
		out.Mangled = &m
	}
	return out
}

// value writes a rule as the protocol does.
func value(v model.Recovery) string {
	var base string
	switch v.Kind {
	case model.Undefined:
		return "undefined"
	case model.Unchanged:
		return "unchanged"
	case model.FromCFA:
		base = "cfa"
	case model.InRegister:
		base = fmt.Sprint("r", v.Reg)
	default:
		return "invalid"
	}
	s := fmt.Sprintf("%s%+d", base, v.Offset)
	if v.Deref {
		return "*(" + s + ")"
	}
	return s
}

// lookUp returns what a look-up of a PC finds.
func lookUp(s *model.Section, pc uint64) found {
	var out found
	if f, ok := s.Find(pc); ok {
		start := fmt.Sprintf("0x%x", f.Start())
		out.Function = &start
	}
	if _, r, ok := s.At(pc); ok {
		d := describeFRE(r)
		out.Row = &d
	}
	return out
}
