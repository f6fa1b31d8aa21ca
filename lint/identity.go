package lint

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Identity distinguishes a finding from most others and does not change when the
// file is rebuilt: it depends on names and structure, never on offsets or
// addresses. Findings with the same identity differ only in their order.
type Identity struct {
	Rule     string `json:"rule"`
	File     string `json:"file"` // in a baseline its path, otherwise its name without directories
	Member   string `json:"member,omitempty"`
	Section  string `json:"section,omitempty"`
	Function string `json:"function,omitempty"`
	Place    string `json:"place"` // the kind of place: a header field, an FDE, an FRE
}

// IdentityOf returns the identity of a finding, with the name of its file without directories, which change from
// build to build.
func IdentityOf(f *rules.Finding) Identity {
	return Identity{
		Rule: f.Rule.ID, File: escape.UTF8(filepath.Base(f.Path)), Member: escape.UTF8(f.Member),
		Section: escape.UTF8(f.Section), Function: escape.UTF8(f.Function), Place: placeOf(f),
	}
}

// Hash returns a hash of the identity in hexadecimal.
func (id Identity) Hash() string {
	h := fnv.New64a()
	var b [256]byte // names may be long, and many findings have them
	for _, s := range []string{id.Rule, id.File, id.Member, id.Section, id.Function, id.Place} {
		fmt.Fprintf(h, "%d:", len(s)) // a hash returns no error
		for s != "" {
			n := copy(b[:], s)
			_, _ = h.Write(b[:n])
			s = s[n:]
		}
		_, _ = h.Write([]byte{','})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// placeOf returns the kind of place that the finding is about.
func placeOf(f *rules.Finding) string {
	switch {
	case f.FRE >= 0:
		return "FRE"
	case f.FDE >= 0:
		return "FDE"
	case !f.InSection:
		return "container"
	}
	for field := range model.NumHeaderFields {
		if field.Span().Contains(f.Span.Off) {
			return field.String()
		}
	}
	return "section"
}
