// Package conformance tests decoders of SFrame sections: small named cases, each with the
// required answer and the clauses of the manual that require it. docs/conformance.md describes the
// protocol, for decoders in any language.
package conformance

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// Duty is what a decoder must do with a section.
type Duty string

// Duties.
const (
	// Accept means that the section is valid: the answer must be the expected one.
	Accept Duty = "accept"
	// Reject means that the section cannot be decoded: the answer must be an error.
	Reject Duty = "reject"
	// Either means that the section breaks a rule and can be decoded: a decoder may
	// give any answer, but must not crash.
	Either Duty = "either"
)

// Case is a section to decode, or a PC to look up in it.
type Case struct {
	Name    string   `json:"name"`
	Clauses []string `json:"clauses"`
	Duty    Duty     `json:"verdict"`
	Rules   []string `json:"rules,omitempty"` // that report an error in the section
	// Section has the section's bytes in hexadecimal, Address its address.
	Section string `json:"section,omitempty"`
	// Recipe makes the bytes of a large section, which has none in the file.
	Recipe  []Part `json:"recipe,omitempty"`
	Address string `json:"address"`
	PC      string `json:"pc,omitempty"`
	// Points has the points on which the manual is silent and an answer rests, by the member of the answer.
	Points map[string][]string `json:"points,omitempty"`
	// Expect is the answer to a valid section. Of another one that can be decoded, it has what all decoders must read alike.
	Expect json.RawMessage `json:"expect,omitempty"`
}

// Part is bytes that are repeated, with little-endian numbers in them that grow each time.
type Part struct {
	Hex   string  `json:"hex"`
	Times int     `json:"times,omitempty"` // 0 means once
	Steps []Steps `json:"steps,omitempty"`
}

// Steps is a number in a part: where it is and how large, in bytes, and what each repetition adds to it.
type Steps struct {
	At   int   `json:"at"`
	Size int   `json:"size"`
	Add  int64 `json:"add"`
}

// Expand returns the bytes of a recipe.
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

// Line returns the case as the files of the suite have it: a line, and the recipe of a large section without its bytes.
func (c *Case) Line() ([]byte, error) {
	x := *c
	if x.Recipe != nil {
		x.Section = ""
	}
	line, err := json.Marshal(&x)
	return append(line, '\n'), err
}

// Select returns the cases whose names match a pattern as in package path, and those below
// it; all for "".
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
