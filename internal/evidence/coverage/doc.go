// Package coverage measures how much of a file's code is covered by SFrame data, and finds out why the rest is not.
//
// Functions come from function symbols with a size, from CFI (.eh_frame and .debug_frame) and from the FDEs. Code
// bytes outside all functions are padding or data and are not counted. PLT stubs, which the linker writes, are not
// counted either, but they are listed if they are not covered.
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
	// Packages lists the packages and images that contain files of the report, in order.
	Packages []*Package `json:"packages,omitempty"`
	Total    Share      `json:"total"`
}

// Share counts functions and bytes. A function is covered if FDEs cover all of its bytes. Each byte is counted
// separately.
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

// Percent returns the percentage of functions that are covered. It returns 100 if there are no functions.
func (s Share) Percent() float64 { return percent(uint64(s.CoveredFunctions), uint64(s.Functions)) }

// BytePercent returns the percentage of bytes that are covered.
func (s Share) BytePercent() float64 { return percent(s.CoveredBytes, s.Bytes) }

// Below reports whether the percentage of covered bytes is less than least.
func (s Share) Below(least Percent) bool { return s.BytePercent() < float64(least) }

func percent(part, of uint64) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(part) / float64(of)
}

// File is the coverage of an ELF file or of an archive member.
type File struct {
	Path    string        `json:"path"`
	Member  string        `json:"member,omitempty"`
	Status  reader.Status `json:"status"`
	Sources []string      `json:"sources,omitempty"` // names of the sections that list the functions
	Share
	Code    uint64   `json:"code"`    // bytes of executable sections
	Outside uint64   `json:"outside"` // bytes of code outside all functions and PLTs
	Missing []Reason `json:"missing"` // counts of uncovered functions by reason; most bytes first
	// Sections lists the sections that contain functions. The section with the most uncovered bytes is first.
	Sections []Section `json:"sections"`
	Gaps     []Gap     `json:"gaps"` // uncovered functions; most uncovered bytes first
	// Inputs lists the inputs of the link with uncovered functions. The input with the most such functions is first.
	Inputs []Input `json:"inputs"`
	// Allowed counts the uncovered functions that a pattern allows. The other counts leave these functions out.
	Allowed Allowed `json:"allowed"`
	// Judged has, for each section, the evidence that decides whether its FREs are right. It is empty unless the
	// caller sets it.
	Judged []fmt.Stringer `json:"judged,omitempty"`
}

// Measured is the coverage of an object, or the error that prevented the measurement.
type Measured struct {
	*File
	Err error
}

// Section is the coverage of a section.
type Section struct {
	Section string `json:"section"` // the section's name
	Share
	Missing []Reason `json:"missing"` // see File.Missing
}

// Reason counts the uncovered functions and bytes with one reason.
type Reason struct {
	Reason    Why    `json:"reason"`
	Functions int    `json:"functions"`
	Bytes     uint64 `json:"bytes"`
}

// Allowed counts the functions and bytes whose gaps are allowed.
type Allowed struct {
	Functions int    `json:"functions"`
	Bytes     uint64 `json:"bytes"`
}

// Gap is a function with uncovered bytes.
type Gap struct {
	Function string `json:"function,omitempty"`
	Section  string `json:"section"`
	Start    uint64 `json:"start"` // address of the function; in a relocatable file, its offset in the section
	Size     uint64 `json:"size"`  // size of the function in bytes
	Bytes    uint64 `json:"bytes"` // number of uncovered bytes
	Reason   Why    `json:"reason"`
	Detail   string `json:"detail,omitempty"`
	Help     string `json:"-"`               // how to get an FDE for the function; "" if not known
	CFI      bool   `json:"cfi"`             // the function has CFI
	Input    string `json:"input,omitempty"` // see Input.Name
}

// Why is the reason for which a function is not covered.
type Why string

// The reasons.
const (
	NoSection     Why = "no-sframe"     // the file has no readable SFrame data
	Inexpressible Why = "inexpressible" // the assembler drops functions with such CFI, or the section's version cannot express the CFI
	OnlyCFI       Why = "only-cfi"      // the function has CFI, but no FDE
	NoCFI         Why = "no-cfi"        // the function has no CFI from which to make an FDE
	Stub          Why = "stub"          // the function is in a PLT
)

// Text returns the reason in words.
func (w Why) Text() string {
	switch w {
	case NoSection:
		return "no SFrame data in the file"
	case Inexpressible:
		return "CFI from which no FDE is made"
	case OnlyCFI:
		return "CFI, but no FDE"
	case NoCFI:
		return "no CFI"
	case Stub:
		return "stubs of a PLT"
	}
	return string(w)
}

// Percent is a required percentage of code, from 0 to 100. It is the value of a flag, such as "99%" or "99.5".
type Percent float64

// Set parses a percentage, with or without a percent sign.
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

// String returns the percentage with a percent sign, or "" for 0.
func (p *Percent) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*p), 'f', -1, 64) + "%"
}

// Type returns the type of the flag's value.
func (*Percent) Type() string { return "percent" }
