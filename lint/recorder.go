package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Recorder records findings for a baseline. The zero value is empty.
type Recorder struct {
	Reason string // why the findings are accepted
	found  map[Identity]int
}

// Add adds a finding.
func (r *Recorder) Add(f *rules.Finding) {
	if r.found == nil {
		r.found = map[Identity]int{}
	}
	id := IdentityOf(f)
	id.File = baselineFile(f.Path)
	r.found[id]++
}

// Len is the number of findings.
func (r *Recorder) Len() (n int) {
	for _, count := range r.found {
		n += count
	}
	return n
}

// Carry adds entries of another baseline that this run could not find again.
func (r *Recorder) Carry(b *Baseline, unseen func(Identity) bool) {
	for id, n := range b.known {
		if unseen(id) && r.found[id] < n.all {
			if r.found == nil {
				r.found = map[Identity]int{}
			}
			r.found[id] = n.all
		}
	}
}

// Write writes the baseline, with paths from the working directory on: one entry on a line and ordered by
// identity, so that changes to it are easy to read.
func (r *Recorder) Write(w io.Writer) error { return r.write(w, edit.Absolute(".")) }

func (r *Recorder) write(w io.Writer, dir string) error {
	entries := make([]BaselineEntry, 0, len(r.found))
	for id, n := range r.found {
		id.File = relative(dir, id.File)
		entries = append(entries, BaselineEntry{id, n})
	}
	slices.SortFunc(entries, func(x, y BaselineEntry) int { return compareIdentities(x.Identity, y.Identity) })
	reason := ""
	if r.Reason != "" {
		text, err := json.Marshal(r.Reason)
		if err != nil {
			return err
		}
		reason = fmt.Sprintf("  \"reason\": %s,\n", text)
	}
	if _, err := fmt.Fprintf(w, "{\n  \"schema\": %q,\n%s  \"findings\": [", BaselineSchema, reason); err != nil {
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
	dir := edit.Absolute(filepath.Dir(path))
	return edit.File(path, func(f *os.File) error { return r.write(f, dir) })
}
