package conformance

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/model"
)

// Section is a section in the protocol. Its fields have the order and the names of an answer.
type Section struct {
	Version   int        `json:"version"`
	ABI       string     `json:"abi"`
	Flags     int        `json:"flags"`
	FixedFP   int        `json:"fixed_fp"`
	FixedRA   int        `json:"fixed_ra"`
	Functions []Function `json:"functions"`
}

// Function is an FDE in the protocol. Its fields have the order and the names of an answer.
type Function struct {
	Start   string `json:"start"`
	Size    uint32 `json:"size"`
	PCType  string `json:"pc_type"`
	RepSize *int   `json:"rep_size,omitempty"`
	Type    string `json:"fde_type,omitempty"`
	Signal  *bool  `json:"signal,omitempty"`
	Key     string `json:"pauth_key,omitempty"`
	Rows    []Row  `json:"rows"`
}

// Row is an FRE in the protocol.
type Row struct {
	Start   uint32 `json:"start"`
	CFA     string `json:"cfa"`
	RA      string `json:"ra"`
	FP      string `json:"fp"`
	Mangled *bool  `json:"mangled_ra,omitempty"`
}

// DescribeSection returns the content of a section.
func DescribeSection(s *model.Section) Section {
	h := s.Header()
	out := Section{
		Version: int(h.Version), ABI: generator.LookupKnob("abi").Format(int64(h.ABI)), Flags: int(h.Flags),
		FixedFP: int(h.FixedFPOffset), FixedRA: int(h.FixedRAOffset), Functions: []Function{},
	}
	for f := range s.FDEs() {
		out.Functions = append(out.Functions, Describe(f))
	}
	return out
}

// Describe returns the content of an FDE.
func Describe(f model.FDE) Function {
	v := f.Section().Version().Info()
	out := Function{Start: fmt.Sprintf("0x%x", f.Start()), Size: f.Size(), PCType: "inc", Rows: []Row{}}
	if f.Mask() {
		out.PCType = "mask"
	}
	if v.Stubs {
		rep := int(f.RepSize())
		out.RepSize = &rep
	}
	if v.Flex {
		if out.Type = "default"; f.Flex() {
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
		out.Rows = append(out.Rows, DescribeRow(r))
	}
	return out
}

// DescribeRow returns the content of an FRE.
func DescribeRow(r model.FRE) Row {
	rules := r.Row()
	out := Row{Start: r.Start(), CFA: campaign.RecoveryText(rules.CFA), RA: campaign.RecoveryText(rules.RA), FP: campaign.RecoveryText(rules.FP)}
	if r.FDE().Section().ABI().Pauth {
		m := r.MangledRA()
		out.Mangled = &m
	}
	return out
}

// found is the answer to a look-up, in the order and with the names of the protocol.
type found struct {
	Function *string `json:"function"`
	Row      *Row    `json:"row"`
}

// lookUp returns what a look-up of a PC finds.
func lookUp(s *model.Section, pc uint64) found {
	var out found
	if f, ok := s.Find(pc); ok {
		start := fmt.Sprintf("0x%x", f.Start())
		out.Function = &start
	}
	if _, r, ok := s.At(pc); ok {
		d := DescribeRow(r)
		out.Row = &d
	}
	return out
}
