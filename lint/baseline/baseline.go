// Package baseline records findings, so that later runs report only new ones. It
// records their identities, which do not change when a file is rebuilt, and the
// number of findings of each.
package baseline

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/internal/replace"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Schema is the name of the file's schema, which is in
// docs/schema/baseline.schema.json.
const Schema = "sframe-lint/baseline/1"

// maxFile bounds a baseline, in bytes: some 100,000 entries.
const maxFile = 16 << 20

// Entry is the number of findings of one identity.
type Entry struct {
	Identity
	Count int `json:"count"`
}

type file struct {
	Schema   string  `json:"schema"`
	Findings []Entry `json:"findings"`
}

// Baseline is a set of known findings. The zero value has none.
type Baseline struct {
	known map[Identity]int
	left  map[Identity]int // not found in this run
}

// Load reads a baseline from a regular file.
func Load(path string) (*Baseline, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// Read reads a baseline.
func Read(r io.Reader) (*Baseline, error) {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	dec := json.NewDecoder(limited)
	dec.DisallowUnknownFields()
	var in file
	err := dec.Decode(&in)
	switch {
	case limited.N == 0:
		return nil, fmt.Errorf("the baseline has more than %d bytes", maxFile)
	case err != nil && strings.Contains(err.Error(), "unknown field"):
		// The name is not shown: a configuration of someone else can name any file.
		return nil, errors.New("not a baseline: it has an unknown key")
	case err != nil:
		return nil, fmt.Errorf("not a baseline: %w", err)
	case in.Schema != Schema:
		return nil, fmt.Errorf("not a baseline: the schema is not %q", Schema)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a baseline: data after its end")
	}
	b := &Baseline{known: map[Identity]int{}, left: map[Identity]int{}}
	for i, e := range in.Findings {
		switch {
		case e.Count < 1:
			return nil, fmt.Errorf("entry %d: a count of %d", i, e.Count)
		case e.Rule == "" || e.File == "" || e.Place == "":
			return nil, fmt.Errorf("entry %d: no rule, file or place", i)
		case b.known[e.Identity] > 0:
			return nil, fmt.Errorf("entry %d: duplicate", i)
		}
		b.known[e.Identity], b.left[e.Identity] = e.Count, e.Count
	}
	return b, nil
}

// Has reports whether a finding is in the baseline, and uses one of its count:
// each recorded finding covers only one.
func (b *Baseline) Has(f *rules.Finding) bool {
	id := IdentityOf(f)
	if b.left[id] == 0 {
		return false
	}
	b.left[id]--
	return true
}

// Stale is an entry of which Gone findings were not found again.
type Stale struct {
	Entry
	Gone int
}

// Stale returns the entries whose findings a run did not find again, by
// identity. checked reports whether the run could find them.
func (b *Baseline) Stale(checked func(Identity) bool) []Stale {
	var out []Stale
	for id, n := range b.left {
		if n > 0 && checked(id) {
			out = append(out, Stale{Entry{id, b.known[id]}, n})
		}
	}
	slices.SortFunc(out, func(x, y Stale) int { return compare(x.Identity, y.Identity) })
	return out
}

func compare(a, b Identity) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Member, b.Member), cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Section, b.Section), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Place, b.Place))
}

// Recorder records findings for a baseline. The zero value is empty.
type Recorder struct{ found map[Identity]int }

// Add adds a finding.
func (r *Recorder) Add(f *rules.Finding) {
	if r.found == nil {
		r.found = map[Identity]int{}
	}
	r.found[IdentityOf(f)]++
}

// Carry adds entries of another baseline that this run could not find again.
func (r *Recorder) Carry(b *Baseline, unseen func(Identity) bool) {
	for id, n := range b.known {
		if unseen(id) && r.found[id] < n {
			if r.found == nil {
				r.found = map[Identity]int{}
			}
			r.found[id] = n
		}
	}
}

// Write writes the baseline, one entry on a line and ordered by identity, so that
// changes to it are easy to read.
func (r *Recorder) Write(w io.Writer) error {
	entries := make([]Entry, 0, len(r.found))
	for id, n := range r.found {
		entries = append(entries, Entry{id, n})
	}
	slices.SortFunc(entries, func(x, y Entry) int { return compare(x.Identity, y.Identity) })
	if _, err := fmt.Fprintf(w, "{\n  \"schema\": %q,\n  \"findings\": [", Schema); err != nil {
		return err
	}
	for i, e := range entries {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		sep := ","
		if i == 0 {
			sep = ""
		}
		if _, err := fmt.Fprintf(w, "%s\n    %s", sep, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(w, "\n  ]\n}\n")
	return err
}

// Save writes the baseline to a file. At any time the file has either the old
// contents or the new ones.
func (r *Recorder) Save(path string) error {
	return replace.File(path, func(f *os.File) error { return r.Write(f) })
}

// Identity distinguishes a finding from most others and does not change when the
// file is rebuilt: it depends on names and structure, never on offsets or
// addresses. Findings with the same identity differ only in their order.
type Identity struct {
	Rule     string `json:"rule"`
	File     string `json:"file"` // its name without directories, which change from build to build
	Member   string `json:"member,omitempty"`
	Section  string `json:"section,omitempty"`
	Function string `json:"function,omitempty"`
	Place    string `json:"place"` // the kind of place: a header field, an FDE, an FRE
}

// IdentityOf returns the identity of a finding.
func IdentityOf(f *rules.Finding) Identity {
	return Identity{
		Rule: f.Rule.ID, File: escape.UTF8(filepath.Base(f.Path)), Member: escape.UTF8(f.Member),
		Section: escape.UTF8(f.Section), Function: escape.UTF8(f.Function), Place: placeOf(f),
	}
}

// Hash returns a hash of the identity in hexadecimal.
func (id Identity) Hash() string {
	h := fnv.New64a()
	for _, s := range []string{id.Rule, id.File, id.Member, id.Section, id.Function, id.Place} {
		fmt.Fprintf(h, "%d:", len(s))
		_, _ = io.WriteString(h, s+",") // a hash returns no error
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
