package sarif

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/lint/baseline"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fingerprint identifies a finding, and stays the same when the file is built
// again.
type fingerprint struct {
	hash    string
	ordinal int // among the findings with the same hash, from 1
}

func (p fingerprint) String() string { return fmt.Sprintf("%s:%d", p.hash, p.ordinal) }

// partial returns the fingerprint under the name that code scanning services use,
// and under one of its own, which changes when what is hashed does.
func (p fingerprint) partial() map[string]string {
	return map[string]string{"primaryLocationLineHash": p.String(), "sframeLint/v1": p.String()}
}

// ordinals counts the findings of a run that differ only in their order.
type ordinals map[string]int

// fingerprint returns the fingerprint of the next finding.
func (o ordinals) fingerprint(f *rules.Finding) fingerprint {
	p := fingerprint{hash: baseline.IdentityOf(f).Hash()}
	o[p.hash]++
	p.ordinal = o[p.hash]
	return p
}
