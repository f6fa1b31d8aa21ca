// Package conformance tests decoders of SFrame sections with small named cases. Each has the required answer and the
// clauses of the manual that require it. docs/conformance.md describes the protocol, for decoders in any language.
package conformance

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// Duty is the required behaviour of a decoder for a section.
type Duty string

// Duties.
const (
	// Accept means that the section is valid: the answer must be the expected one.
	Accept Duty = "accept"
	// Reject means that the section cannot be decoded: the answer must be an error.
	Reject Duty = "reject"
	// Either means that the section breaks a rule but can be decoded. A decoder may give any answer, but must not
	// crash.
	Either Duty = "either"
)

// Case is a section to decode, or a PC to look up in it.
type Case struct {
	Name    string   `json:"name"`
	Clauses []string `json:"clauses"`
	Duty    Duty     `json:"verdict"`
	Rules   []string `json:"rules,omitempty"` // the rules that report an error in the section
	// Section is the bytes of the section in hexadecimal. Address is its address.
	Section string `json:"section,omitempty"`
	// Recipe describes the bytes of a large section. Then the file has no Section.
	Recipe  []Part `json:"recipe,omitempty"`
	Address string `json:"address"`
	PC      string `json:"pc,omitempty"`
	// For each member of the answer, Points lists the points that this member rests on and that the manual leaves open.
	Points map[string][]string `json:"points,omitempty"`
	// Expect is the answer to a valid section. For an invalid section that can be decoded, it has the values that all
	// decoders must read.
	Expect json.RawMessage `json:"expect,omitempty"`
}

// Part is a sequence of repeated bytes. Little-endian numbers in it increase with each repetition.
type Part struct {
	Hex   string  `json:"hex"`
	Times int     `json:"times,omitempty"` // 0 means once
	Steps []Steps `json:"steps,omitempty"`
}

// Steps is a number in a part: its offset and size in bytes, and the increment for each repetition.
type Steps struct {
	At   int   `json:"at"`
	Size int   `json:"size"`
	Add  int64 `json:"add"`
}

// Expand returns the bytes that a recipe describes.
func Expand(recipe []Part) (all []byte) {
	for _, p := range recipe {
		b, err := hex.DecodeString(p.Hex)
		if err != nil {
			panic(err) // the recipes are a part of the program
		}
		for range max(p.Times, 1) {
			all = append(all, b...)
			for _, s := range p.Steps {
				var v [8]byte
				copy(v[:], b[s.At:s.At+s.Size])
				binary.LittleEndian.PutUint64(v[:], binary.LittleEndian.Uint64(v[:])+uint64(s.Add))
				copy(b[s.At:s.At+s.Size], v[:])
			}
		}
	}
	return all
}

// Request is a request to a decoder.
type Request struct {
	Section string `json:"section"`
	Address string `json:"address"`
	PC      string `json:"pc,omitempty"`
}

// Line returns the case as a line of the suite's files. A large section has its recipe instead of its bytes.
func (c *Case) Line() ([]byte, error) {
	x := *c
	if x.Recipe != nil {
		x.Section = ""
	}
	line, err := json.Marshal(&x)
	return append(line, '\n'), err
}

// Select returns the cases whose names match a pattern of package path, and the cases below them. "" selects all.
func Select[T any](all []T, pattern string, name func(*T) string) ([]T, error) {
	if pattern == "" {
		return all, nil
	}
	var out []T
	for i := range all {
		for name := name(&all[i]); name != "."; name = path.Dir(name) {
			ok, err := path.Match(pattern, name)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", pattern, err)
			}
			if ok {
				out = append(out, all[i])
				break
			}
		}
	}
	return out, nil
}

// Kind returns the first part of a case's name.
func (c *Case) Kind() string {
	kind, _, _ := strings.Cut(c.Name, "/")
	return kind
}
