// Package coverage measures how much of a file's code its SFrame data describe,
// and why they do not describe the rest.
//
// Functions come from three sources: the function symbols with a size, the call
// frame information (.eh_frame and .debug_frame), and the FDEs themselves. Bytes of
// executable sections that none of them covers are padding, or data in the code, and
// count neither as covered nor as missing. Nor do the stubs of a PLT, which the
// linker writes: they are listed if they are not covered.
package coverage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Schema is the name of the JSON schema of a [Report].
const Schema = "sframe-lint/coverage/1"

// Report is the coverage of some files.
type Report struct {
	Schema string  `json:"schema"`
	Files  []*File `json:"files"`
	// Packages are the packages and images that have files of the report, in order.
	Packages []*Package `json:"packages,omitempty"`
	Total    Share      `json:"total"`
}

// Share counts functions and their bytes. A function is covered if FDEs describe all
// of its bytes; bytes are counted one by one.
type Share struct {
	Functions        int    `json:"functions"`
	CoveredFunctions int    `json:"covered_functions"`
	Bytes            uint64 `json:"bytes"`
	CoveredBytes     uint64 `json:"covered_bytes"`
}

// Plus returns the sum of two shares.
func (s Share) Plus(t Share) Share {
	return Share{s.Functions + t.Functions, s.CoveredFunctions + t.CoveredFunctions, s.Bytes + t.Bytes, s.CoveredBytes + t.CoveredBytes}
}

// Percent returns the share of functions that are covered, 100 without functions.
func (s Share) Percent() float64 { return percent(uint64(s.CoveredFunctions), uint64(s.Functions)) }

// BytePercent returns the share of bytes that are covered.
func (s Share) BytePercent() float64 { return percent(s.CoveredBytes, s.Bytes) }

// Below reports whether the share of covered bytes is smaller than least.
func (s Share) Below(least Percent) bool { return s.BytePercent() < float64(least) }

func percent(part, of uint64) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(part) / float64(of)
}

// File is the coverage of an ELF file or an archive member.
type File struct {
	Path    string        `json:"path"`
	Member  string        `json:"member,omitempty"`
	Status  reader.Status `json:"status"`
	Sources []string      `json:"sources,omitempty"` // of functions: names of sections
	Share
	Code    uint64   `json:"code"`    // bytes of executable sections
	Outside uint64   `json:"outside"` // bytes of code that belong to no function and no PLT
	Missing []Reason `json:"missing"` // what is not covered, by reason: most bytes first
	// Sections are those with functions, those with most uncovered bytes first.
	Sections []Section `json:"sections"`
	Gaps     []Gap     `json:"gaps"` // functions that are not covered, those with most uncovered bytes first
	// Inputs are those of the link with functions that are not covered, those with most functions first.
	Inputs []Input `json:"inputs"`
	// Allowed counts functions that are not covered and that nothing else here counts: a pattern allows
	// that.
	Allowed Allowed `json:"allowed"`
	// Judged has of each section what decides whether its FREs are right, if the caller has set it.
	Judged []fmt.Stringer `json:"judged,omitempty"`
}

// Measured is the coverage of an object, or why it could not be measured.
type Measured struct {
	*File
	Err error
}

// Section is the coverage of a section.
type Section struct {
	Section string `json:"section"` // name
	Share
	Missing []Reason `json:"missing"` // as in File
}

// Reason counts what is not covered for one reason.
type Reason struct {
	Reason    Why    `json:"reason"`
	Functions int    `json:"functions"`
	Bytes     uint64 `json:"bytes"`
}

// Allowed counts functions whose gaps are allowed.
type Allowed struct {
	Functions int    `json:"functions"`
	Bytes     uint64 `json:"bytes"`
}

// Gap is a function that is not covered, or a part of it.
type Gap struct {
	Function string `json:"function,omitempty"`
	Section  string `json:"section"`
	Start    uint64 `json:"start"` // address of the function; in a relocatable file offset in the section
	Size     uint64 `json:"size"`  // bytes of the function
	Bytes    uint64 `json:"bytes"` // bytes that are not covered
	Reason   Why    `json:"reason"`
	Detail   string `json:"detail,omitempty"`
	Help     string `json:"-"`               // what gives the function an FDE, "" if that is not known
	CFI      bool   `json:"cfi"`             // CFI describes the function
	Input    string `json:"input,omitempty"` // as in Input.Name
}

// Why is the reason why a function is not covered.
type Why string

// Reasons.
const (
	NoSection     Why = "no-sframe"     // the file has no SFrame data that can be read
	Inexpressible Why = "inexpressible" // the assembler leaves out such CFI, or the version of the section cannot express it
	OnlyCFI       Why = "only-cfi"      // CFI describes the function, and no FDE does
	NoCFI         Why = "no-cfi"        // there is no CFI to make an FDE from
	Stub          Why = "stub"          // the function is in a PLT
)

// Text returns the reason in words.
func (w Why) Text() string {
	switch w {
	case NoSection:
		return "no SFrame data in the file"
	case Inexpressible:
		return "CFI of which no FDE is made"
	case OnlyCFI:
		return "CFI, but no FDE"
	case NoCFI:
		return "no CFI"
	case Stub:
		return "stubs of a PLT"
	}
	return string(w)
}

// Percent is a required share of code, from 0 to 100. It is the value of a flag:
// "99%" or "99.5".
type Percent float64

// Set reads a percentage, with or without a sign.
func (p *Percent) Set(s string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	switch {
	case err != nil || !(v >= 0 && v <= 100):
		return fmt.Errorf("expected a percentage from 0%% to 100%%, not %q", s)
	case v > 0 && v < 1 && !strings.HasSuffix(s, "%"):
		return fmt.Errorf("%q is not a percentage: write %s%% or, for less than one percent, %s%%", s, strconv.FormatFloat(100*v, 'g', 6, 64), s)
	}
	*p = Percent(v)
	return nil
}

// String writes the percentage with its sign, "" for 0.
func (p *Percent) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*p), 'f', -1, 64) + "%"
}

// Type returns the name of the flag's type.
func (*Percent) Type() string { return "percent" }
