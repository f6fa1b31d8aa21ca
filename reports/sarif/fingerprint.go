package sarif

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/lint/baseline"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fingerprint tells a finding from others, and is the same when the file has
// been built again.
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

// ordinals counts the findings of a run that nothing but their order tells
// apart.
type ordinals map[string]int

// fingerprint returns the fingerprint of the next finding.
func (o ordinals) fingerprint(f *rules.Finding) fingerprint {
	p := fingerprint{hash: baseline.IdentityOf(f).Hash()}
	o[p.hash]++
	p.ordinal = o[p.hash]
	return p
}
