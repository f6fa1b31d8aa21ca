package lint

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
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

// Len returns the number of findings.
func (r *Recorder) Len() (n int) {
	for _, count := range r.found {
		n += count
	}
	return n
}

// Carry adds the entries of another baseline that this run could not have found again.
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

// Write writes the baseline with paths relative to the working directory. Each entry has its own line, and entries
// are sorted by identity, so diffs are easy to read.
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

// Save writes the baseline to a file atomically: at any time, the file has either the old or the new contents.
func (r *Recorder) Save(path string) error {
	dir := edit.Absolute(filepath.Dir(path))
	return edit.File(path, func(f *os.File) error { return r.write(f, dir) })
}

// Identity distinguishes a finding from most others and survives a rebuild of the file. It depends on names and
// structure, not on offsets or addresses. Findings with the same identity differ only in their order.
type Identity struct {
	Rule     string `json:"rule"`
	File     string `json:"file"` // in a baseline its path, otherwise its base name
	Member   string `json:"member,omitempty"`
	Section  string `json:"section,omitempty"`
	Function string `json:"function,omitempty"`
	Place    string `json:"place"` // the kind of place: a header field, an FDE, an FRE
}

// IdentityOf returns the identity of a finding, with the base name of its file: directories change between builds.
func IdentityOf(f *rules.Finding) Identity {
	return Identity{
		Rule: f.Rule.ID, File: escape.UTF8(filepath.Base(f.Path)), Member: escape.UTF8(f.Member),
		Section: escape.UTF8(f.Section), Function: escape.UTF8(f.Function), Place: placeOf(f),
	}
}

// Hash returns a hash of the identity, in hexadecimal.
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
