package baseline

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Identity tells a finding from most others, and is the same when the file
// has been built again: it depends on names and on structure, never on
// offsets or addresses. Findings that share it are told apart by their order
// alone.
type Identity struct {
	Rule     string `json:"rule"`
	File     string `json:"file"` // its name without directories: builds often have a fresh one
	Member   string `json:"member,omitempty"`
	Section  string `json:"section,omitempty"`
	Function string `json:"function,omitempty"`
	Place    string `json:"place"` // what the finding is about: a field of the header, an FDE, an FRE
}

// IdentityOf returns the identity of a finding.
func IdentityOf(f *rules.Finding) Identity {
	return Identity{
		Rule: f.Rule.ID, File: escape.UTF8(filepath.Base(f.Path)), Member: escape.UTF8(f.Member),
		Section: escape.UTF8(f.Section), Function: escape.UTF8(f.Function), Place: placeOf(f),
	}
}

// Hash returns the identity as a number in hexadecimal.
func (id Identity) Hash() string {
	h := fnv.New64a()
	for _, s := range []string{id.Rule, id.File, id.Member, id.Section, id.Function, id.Place} {
		fmt.Fprintf(h, "%d:%s,", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// placeOf says what kind of thing the finding is about.
func placeOf(f *rules.Finding) string {
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
