// Package baseline records findings, so that later runs report only new ones. It
// records their identities, which do not change when a file is rebuilt, and the
// number of findings of each. The paths of files are relative to the directory of the baseline. An entry whose
// file is gone also covers findings in a file of the same name in a directory that took the place of the former one.
package baseline

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
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

// maxFile bounds a baseline, in bytes: some 100,000 entries. That of a distribution may be larger.
const maxFile = 16 << 20

// entrySize is the smallest size of an entry of a real baseline, in bytes. It bounds their number, as an entry takes
// some 500 bytes of memory.
const entrySize = 96

// Entry is the number of findings of one identity.
type Entry struct {
	Identity
	Count int `json:"count"`
}

// Baseline is a set of known findings. The zero value has none.
type Baseline struct {
	Reason string // why the findings are accepted, "" if the baseline does not say
	dir    string // absolute
	known  map[Identity]counts
	named  map[Identity][]Identity // entries by their identities with names without directories; nil before it is needed
	gone   map[string]bool         // whether there is no such file
}

// counts are the findings of an entry.
type counts struct {
	all  int
	left int // not found in this run
}

// Load reads a baseline from a regular file that may have most bytes, and 16 MiB in any case.
func Load(name string, most int64) (*Baseline, error) {
	f, _, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := read(f, filepath.Dir(name), max(most, maxFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// notJSON returns the error for a file that is not the JSON of a baseline.
func notJSON(err error, at int64) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Offset <= 1:
		return errors.New("not a baseline: it has no JSON; --write-baseline writes one")
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		return fmt.Errorf("not a baseline: the value of %q has another type", kind.Field)
	case errors.Is(err, io.EOF):
		return errors.New("not a baseline: it is empty; --write-baseline writes one")
	}
	return fmt.Errorf("not a baseline: its JSON is wrong at byte %d", at)
}

// Read reads a baseline whose paths are relative to the working directory.
func Read(r io.Reader) (*Baseline, error) { return read(r, ".", maxFile) }

func read(r io.Reader, dir string, most int64) (*Baseline, error) {
	limited := &io.LimitedReader{R: r, N: most + 1}
	dec := json.NewDecoder(limited)
	dec.DisallowUnknownFields()
	b := &Baseline{dir: replace.Absolute(dir), known: map[Identity]counts{}, gone: map[string]bool{}}
	err := b.decode(dec, most/entrySize)
	if err == nil {
		if _, end := dec.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("not a baseline: data after its end")
		}
	}
	switch {
	case limited.N == 0:
		return nil, fmt.Errorf("the baseline has more than %d bytes", most)
	case err != nil:
		return nil, err
	}
	return b, nil
}

// decode reads the object of a baseline, one entry after the other.
func (b *Baseline) decode(dec *json.Decoder, most int64) error {
	schema, err := "", opening(dec, '{', "the file")
	last := "" // key
	for err == nil && dec.More() {
		var key json.Token
		if key, err = dec.Token(); err != nil {
			break
		}
		switch last, _ = key.(string); last {
		case "schema":
			err = dec.Decode(&schema)
		case "reason":
			err = dec.Decode(&b.Reason)
		case "findings":
			if err := b.entries(dec, most); err != nil {
				return err
			}
		default:
			return errUnknownKey
		}
	}
	if err == nil {
		_, err = dec.Token()
	}
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("not a baseline: the value of %q has another type", cmp.Or(kind.Field, last))
	case err != nil:
		return notJSON(err, dec.InputOffset())
	case schema != Schema:
		return fmt.Errorf("not a baseline: the schema is not %q", Schema)
	}
	return nil
}

// errUnknownKey does not show the name: a configuration of someone else can name any file.
var errUnknownKey = errors.New("not a baseline: it has an unknown key")

// opening reads the start of an object or a list.
func opening(dec *json.Decoder, want json.Delim, field string) error {
	t, err := dec.Token()
	if err == nil && t != want {
		err = &json.UnmarshalTypeError{Field: field}
	}
	return err
}

// entries reads the list of at most most entries. Strings that many of them have are kept once.
func (b *Baseline) entries(dec *json.Decoder, most int64) error {
	kept, files := map[string]string{}, map[string]string{}
	keep := func(s string) string {
		if _, ok := kept[s]; !ok {
			kept[s] = s
		}
		return kept[s]
	}
	err := opening(dec, '[', "findings")
	for i := int64(0); err == nil && dec.More(); i++ {
		if i == most {
			return fmt.Errorf("the baseline has more than %d entries", most)
		}
		var e Entry
		if err = dec.Decode(&e); err != nil {
			break
		}
		switch {
		case e.Count < 1:
			return fmt.Errorf("entry %d: a count of %d", i, e.Count)
		case e.Rule == "" || e.File == "" || e.Place == "":
			return fmt.Errorf("entry %d: no rule, file or place", i)
		}
		if files[e.File] == "" {
			files[e.File] = within(b.dir, e.File)
		}
		id := Identity{keep(e.Rule), files[e.File], keep(e.Member), keep(e.Section), keep(e.Function), keep(e.Place)}
		if b.known[id].all > 0 {
			return fmt.Errorf("entry %d: duplicate", i)
		}
		b.known[id] = counts{e.Count, e.Count}
	}
	if err == nil {
		_, err = dec.Token()
	}
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return fmt.Errorf("not a baseline: the value of %q has another type", cmp.Or(kind.Field, "findings"))
	case strings.Contains(err.Error(), "unknown field"):
		return errUnknownKey
	}
	return notJSON(err, dec.InputOffset())
}

// Has reports whether a finding is in the baseline, and uses one of its count:
// each recorded finding covers only one.
func (b *Baseline) Has(f *rules.Finding) bool {
	if len(b.known) == 0 {
		return false
	}
	name := IdentityOf(f)
	id := name
	id.File = File(f.Path)
	if b.known[id].left == 0 {
		var ok bool
		if id, ok = b.moved(name, id.File); !ok {
			return false
		}
	}
	n := b.known[id]
	b.known[id] = counts{n.all, n.left - 1}
	return true
}

// moved returns an entry with the same identity for a file of the same name that is gone: its
// directory was moved. A file deeper in the same directory is another one. Without a function to
// compare, the directories are as deep, or no other entry is for a file of this name.
func (b *Baseline) moved(name Identity, file string) (Identity, bool) {
	if b.named == nil {
		b.named = map[Identity][]Identity{}
		for id := range b.known {
			n := id
			n.File = path.Base(id.File)
			b.named[n] = append(b.named[n], id)
		}
		for _, all := range b.named {
			slices.SortFunc(all, compare)
		}
	}
	now := path.Dir(b.relative(file))
	for _, id := range b.named[name] {
		if b.known[id].left == 0 || !b.isGone(id.File) {
			continue
		}
		old := path.Dir(b.relative(id.File))
		deeper := !strings.HasPrefix(now, "..") && (old == "." || strings.HasSuffix(now, "/"+old))
		alike := id.Function != "" || len(b.named[name]) == 1 || strings.Count(old, "/") == strings.Count(now, "/")
		if !deeper && alike {
			return id, true
		}
	}
	return Identity{}, false
}

func (b *Baseline) isGone(file string) bool {
	gone, ok := b.gone[file]
	if !ok {
		_, err := os.Lstat(filepath.FromSlash(file))
		gone = errors.Is(err, fs.ErrNotExist)
		b.gone[file] = gone
	}
	return gone
}

// relative returns a path as the baseline has it.
func (b *Baseline) relative(file string) string { return relative(b.dir, file) }

// relative returns the path of a file, with slashes, from a directory on, or an absolute one where there is none.
func relative(dir, file string) string {
	if file == standardInput {
		return file
	}
	if rel, err := filepath.Rel(dir, filepath.FromSlash(file)); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

// within returns the absolute path, with slashes, of a file of a baseline in a directory.
func within(dir, file string) string {
	if file == standardInput {
		return file
	}
	name := filepath.FromSlash(file)
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return filepath.ToSlash(filepath.Clean(name))
}

// File returns the name of a file in the identities of a baseline: its absolute path, with slashes.
func File(path string) string {
	if path == standardInput {
		return path
	}
	return escape.UTF8(filepath.ToSlash(replace.Absolute(path)))
}

// standardInput is the name of standard input among files.
const standardInput = "<stdin>"

// Stale is an entry of which Gone findings were not found again.
type Stale struct {
	Entry
	Gone int
}

// Stale returns the entries whose findings a run did not find again, by
// identity. checked reports whether the run could find them.
func (b *Baseline) Stale(checked func(Identity) bool) []Stale {
	var out []Stale
	for id, n := range b.known {
		if n.left > 0 && checked(id) {
			e := Entry{id, n.all}
			e.File = b.relative(id.File)
			out = append(out, Stale{e, n.left})
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
	id.File = File(f.Path)
	r.found[id]++
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
func (r *Recorder) Write(w io.Writer) error { return r.write(w, replace.Absolute(".")) }

func (r *Recorder) write(w io.Writer, dir string) error {
	entries := make([]Entry, 0, len(r.found))
	for id, n := range r.found {
		id.File = relative(dir, id.File)
		entries = append(entries, Entry{id, n})
	}
	slices.SortFunc(entries, func(x, y Entry) int { return compare(x.Identity, y.Identity) })
	reason := ""
	if r.Reason != "" {
		text, err := json.Marshal(r.Reason)
		if err != nil {
			return err
		}
		reason = fmt.Sprintf("  \"reason\": %s,\n", text)
	}
	if _, err := fmt.Fprintf(w, "{\n  \"schema\": %q,\n%s  \"findings\": [", Schema, reason); err != nil {
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
	dir := replace.Absolute(filepath.Dir(path))
	return replace.File(path, func(f *os.File) error { return r.write(f, dir) })
}

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
