package fuzzcmd

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// manifestName is the manifest's name in a directory of output.
const manifestName = "manifest.json"

// manifestEntry describes a file of output and how it was made. Empty fields do not apply.
type manifestEntry struct {
	File    string `json:"file"` // beside the manifest
	SHA256  string `json:"sha256"`
	Size    int    `json:"size"` // bytes
	Seed    int64  `json:"seed"` // of the section, or of the changes
	Version int    `json:"version,omitempty"`
	ABI     string `json:"abi,omitempty"`
	FDEs    *int   `json:"fdes,omitempty"`
	FREs    *int   `json:"fres,omitempty"`
	Address string `json:"address,omitempty"` // of a raw section's first byte
	Limit   int64  `json:"limit,omitempty"`   // largest section that a reader is to accept, in bytes
	Memory  int64  `json:"memory,omitempty"`  // a reader's budget, in bytes

	// Recipe makes the file, or the file that was mutated.
	Recipe *breaks.Recipe `json:"recipe,omitempty"`
	From   string         `json:"from,omitempty"` // file that was mutated

	Changes []string   `json:"changes,omitempty"` // of a mutation, in order
	Expect  []expected `json:"expect,omitempty"`  // findings of a linter
	Besides []string   `json:"besides,omitempty"` // rules that also find something without the breaks
}

// expected is a finding that a break must cause. Offsets are in bytes.
type expected struct {
	Rule       string   `json:"rule"`
	Break      string   `json:"break"`
	InSection  bool     `json:"in_section"` // the offset counts from the section's start, else from the object's
	Offset     int64    `json:"offset"`
	Length     int64    `json:"length"`
	FileOffset int64    `json:"file_offset"`
	Also       []string `json:"also,omitempty"` // rules that may also find something
}

// entry is a file of output with its row.
type entry struct {
	manifestEntry
	data []byte
}

// newEntry makes the entry of a subject, with the name of its file without its
// extension, and the rules that find something without the breaks.
func newEntry(name string, seed int64, r breaks.Recipe, s *breaks.Subject, besides []string) *entry {
	p := s.Plan()
	fdes, fres := len(p.Funcs), p.NumFREs()
	e := &entry{data: s.File(), manifestEntry: manifestEntry{
		File: name + suffix(s.Kind()), Seed: seed, Recipe: &r, Limit: s.Limit(), Memory: s.Memory(),
		Version: int(p.Version), ABI: abiName(p.ABI), FDEs: &fdes, FREs: &fres, Besides: besides,
	}}
	if s.Kind() == breaks.Raw {
		e.Address = fmt.Sprintf("0x%x", s.Addr())
	}
	for _, x := range s.Expectations() {
		e.Expect = append(e.Expect, expected{
			Rule: x.Rule, Break: x.Break, InSection: x.InSection, Offset: x.Off, Length: x.Len, FileOffset: x.FileOff, Also: x.Also,
		})
	}
	return e
}

// abiName returns the knob's name of an ABI.
func abiName(abi model.ABI) string { return generator.LookupKnob("abi").Format(int64(abi)) }

// complete sets the fields that depend on the bytes.
func (e *entry) complete() {
	e.SHA256, e.Size = checksum(e.data), len(e.data)
}
