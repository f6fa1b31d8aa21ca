package execute

import (
	"cmp"
	"fmt"
	"slices"
)

// Schema names the format of the JSON output.
const Schema = "sframe-lint/run/1"

// Report has the results of a checker. docs/schema/run.schema.json describes its JSON.
type Report struct {
	Schema     string      `json:"schema"`
	Program    []string    `json:"program,omitempty"`
	ABI        string      `json:"abi"`
	Exit       *Exit       `json:"exit,omitempty"`
	Stats      Stats       `json:"stats"`
	Files      []Exercise  `json:"files"`
	Mismatches []*Mismatch `json:"mismatches"`
}

// Exercise states how much of an ELF file was executed.
type Exercise struct {
	Path      string `json:"path"`
	BuildID   string `json:"buildID,omitempty"`
	Functions int    `json:"functions"` // executed functions with FDEs
	OfFDEs    int    `json:"ofFDEs"`    // all FDEs
	Rows      int    `json:"rows"`      // FREs at which the caller was compared
	OfFREs    int    `json:"ofFREs"`
}

// Wrong reports whether SFrame data gave a wrong caller, other than by a known quirk of a producer.
func (r *Report) Wrong() bool {
	return slices.ContainsFunc(r.Mismatches, func(m *Mismatch) bool { return m.Cause != CauseCFI && m.Quirk == "" })
}

// Report returns the results so far, with the mismatches by file, address and row.
func (c *Checker) Report() *Report {
	r := &Report{Schema: Schema, ABI: c.abi.Spec, Stats: c.stats, Files: []Exercise{}, Mismatches: slices.Clone(c.list)}
	if r.Mismatches == nil {
		r.Mismatches = []*Mismatch{}
	}
	for _, f := range c.order {
		x := Exercise{Path: f.path, BuildID: fmt.Sprintf("%x", f.image.BuildID()), Functions: len(f.funcs), OfFDEs: f.nfuncs, OfFREs: f.nrows}
		for k, row := range f.rows {
			if k.fre >= 0 && row.steps > 0 {
				x.Rows++
			}
		}
		r.Files = append(r.Files, x)
	}
	slices.SortFunc(r.Files, func(a, b Exercise) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(r.Mismatches, func(a, b *Mismatch) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start), cmp.Compare(a.PC, b.PC), cmp.Compare(a.What, b.What))
	})
	return r
}
