package sarif

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fingerprint tells a finding from others, and is the same when the file has
// been built again: it depends on names and on structure, never on offsets
// or addresses.
type fingerprint struct {
	hash    string
	ordinal int // among the findings with the same hash, from 1
}

func (p fingerprint) String() string { return fmt.Sprintf("%s:%d", p.hash, p.ordinal) }

// partial returns the fingerprint under the name that code scanning services
// look for, and under our own, which changes when what is hashed does.
func (p fingerprint) partial() map[string]string {
	return map[string]string{"primaryLocationLineHash": p.String(), "sframeLint/v1": p.String()}
}

// ordinals counts the findings of an input that nothing but their order
// tells apart.
type ordinals map[string]int

// fingerprint returns the fingerprint of an input's next finding. The
// directory of the file is left out: builds often have a fresh one.
func (o ordinals) fingerprint(f *rules.Finding) fingerprint {
	h := fnv.New64a()
	for _, s := range []string{f.Rule.ID, filepath.Base(f.Path), f.Member, f.Section, f.Function, role(f)} {
		fmt.Fprintf(h, "%d:%s,", len(s), s)
	}
	p := fingerprint{hash: hex.EncodeToString(h.Sum(nil))}
	o[p.hash]++
	p.ordinal = o[p.hash]
	return p
}

// role says what kind of thing the finding is about.
func role(f *rules.Finding) string {
	switch {
	case f.FRE >= 0:
		return "FRE"
	case f.FDE >= 0:
		return "FDE"
	case !f.InSection:
		return "container"
	}
	for i := range model.NumHeaderFields {
		if field := model.HeaderField(i); field.Span().Contains(f.Span.Off) {
			return field.String()
		}
	}
	return "section"
}
