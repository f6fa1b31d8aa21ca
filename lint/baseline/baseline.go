// Package baseline keeps the findings that are known already, so that a run
// reports the new ones alone. A known finding is kept by its identity, which
// holds through a rebuild; of findings that share one, their number is kept.
package baseline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/replace"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Schema names the form of the file, docs/schema/baseline.schema.json.
const Schema = "sframe-lint/baseline/1"

// maxFile bounds a baseline, in bytes: some 100,000 entries.
const maxFile = 16 << 20

// Entry is a number of findings of one identity.
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
	left  map[Identity]int // not met in this run
}

// Load reads a baseline. Errors: I/O, and what is wrong with the file.
func Load(path string) (*Baseline, error) {
	f, err := os.Open(path)
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
		return nil, fmt.Errorf("a baseline of more than %d bytes", maxFile)
	case err != nil:
		return nil, fmt.Errorf("not a baseline: %w", err)
	case in.Schema != Schema:
		return nil, fmt.Errorf("not a baseline of this version: schema %q, want %q", in.Schema, Schema)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a baseline: something follows its end")
	}
	b := &Baseline{known: map[Identity]int{}, left: map[Identity]int{}}
	for i, e := range in.Findings {
		switch {
		case e.Count < 1:
			return nil, fmt.Errorf("entry %d: a count of %d", i, e.Count)
		case e.Rule == "" || e.File == "" || e.Place == "":
			return nil, fmt.Errorf("entry %d: without a rule, file or place", i)
		case b.known[e.Identity] > 0:
			return nil, fmt.Errorf("entry %d: there already", i)
		}
		b.known[e.Identity], b.left[e.Identity] = e.Count, e.Count
	}
	return b, nil
}

// Has tells whether a finding is known, and counts it: the next one of the
// same identity is known only if there were two.
func (b *Baseline) Has(f *rules.Finding) bool {
	id := IdentityOf(f)
	if b.left[id] == 0 {
		return false
	}
	b.left[id]--
	return true
}

// Stale is an entry of which less was found than it says.
type Stale struct {
	Entry
	Gone int
}

// Stale returns the entries that a run should have met again and did not, by
// identity. looked tells whether the run has looked for such findings.
func (b *Baseline) Stale(looked func(Identity) bool) []Stale {
	var out []Stale
	for id, n := range b.left {
		if n > 0 && looked(id) {
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

// Recorder gathers findings for a baseline. The zero value is empty.
type Recorder struct{ found map[Identity]int }

// Add adds a finding.
func (r *Recorder) Add(f *rules.Finding) {
	if r.found == nil {
		r.found = map[Identity]int{}
	}
	r.found[IdentityOf(f)]++
}

// Carry adds what another baseline has of findings that nobody has looked for in
// this run.
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

// Write writes the baseline, an entry a line and in an order of its own, so
// that changes to it are easy to read.
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

// Save writes the baseline to a file, which has the old contents or the new
// ones at any time.
func (r *Recorder) Save(path string) error {
	return replace.File(path, func(f *os.File) error { return r.Write(f) })
}
