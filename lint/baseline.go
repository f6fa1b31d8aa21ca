package lint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/rules"
)

// BaselineSchema is the name of the file's schema: docs/schema/baseline.schema.json.
const BaselineSchema = "sframe-lint/baseline/1"

// maxBaseline bounds a baseline, in bytes: some 100,000 entries. That of a distribution may be larger.
const maxBaseline = 16 << 20

// baselineEntrySize is the smallest size of an entry of a real baseline, in bytes. It bounds their number, as an entry takes
// some 500 bytes of memory.
const baselineEntrySize = 96

// BaselineEntry is an identity with the number of its findings.
type BaselineEntry struct {
	Identity
	Count int `json:"count"`
}

// Baseline is a set of known findings that later runs do not report. It identifies them by names and structure, which
// survive a rebuild. Paths are relative to its directory. The zero value is empty.
type Baseline struct {
	Reason string // why the findings are accepted, "" if not stated
	dir    string // absolute
	known  map[Identity]baselineCount
	named  map[Identity][]Identity // entries by their identities with names without directories; nil before it is needed
	gone   map[string]bool         // whether there is no such file
}

// baselineCount counts the findings of an entry.
type baselineCount struct {
	all  int
	left int // not found in this run
}

// LoadBaseline reads a baseline from a regular file of at most limit bytes, and never more than 16 MiB.
func LoadBaseline(name string, limit int64) (*Baseline, error) {
	f, _, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readBaseline(f, filepath.Dir(name), max(limit, maxBaseline))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// notJSON returns the error for a file that is not the JSON of a baseline. at is where it was found, and field the last name
// before it.
func notJSON(err error, at int64, field string) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Offset <= 1:
		return errors.New("not a baseline: it has no JSON; --write-baseline writes one")
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		return fmt.Errorf("not a baseline: the value of %q has another type", cmp.Or(kind.Field, field))
	case strings.Contains(err.Error(), "unknown field"): // encoding/json has no type for this error
		return errUnknownKey
	case errors.Is(err, io.EOF):
		return errors.New("not a baseline: it is empty; --write-baseline writes one")
	}
	return fmt.Errorf("not a baseline: its JSON is wrong at byte %d", at)
}

// ReadBaseline reads a baseline whose paths are relative to the working directory.
func ReadBaseline(r io.Reader) (*Baseline, error) { return readBaseline(r, ".", maxBaseline) }

func readBaseline(r io.Reader, dir string, most int64) (*Baseline, error) {
	limited := &io.LimitedReader{R: r, N: most + 1}
	dec := json.NewDecoder(limited)
	dec.DisallowUnknownFields()
	b := &Baseline{dir: edit.Absolute(dir), known: map[Identity]baselineCount{}, gone: map[string]bool{}}
	err := b.decode(dec, most/baselineEntrySize)
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
	switch {
	case err != nil:
		return notJSON(err, dec.InputOffset(), last)
	case schema != BaselineSchema:
		return fmt.Errorf("not a baseline: the schema is not %q", BaselineSchema)
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
		var e BaselineEntry
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
		b.known[id] = baselineCount{e.Count, e.Count}
	}
	if err == nil {
		_, err = dec.Token()
	}
	if err != nil {
		return notJSON(err, dec.InputOffset(), "findings")
	}
	return nil
}

// Has reports whether the baseline contains a finding. Each true result uses up one of the recorded
// findings.
func (b *Baseline) Has(f *rules.Finding) bool {
	if len(b.known) == 0 {
		return false
	}
	name := IdentityOf(f)
	id := name
	id.File = baselineFile(f.Path)
	if b.known[id].left == 0 {
		var ok bool
		if id, ok = b.moved(name, id.File); !ok {
			return false
		}
	}
	n := b.known[id]
	b.known[id] = baselineCount{n.all, n.left - 1}
	return true
}

// moved returns an entry with the same identity for a file of the same name that is gone: its
// directory was moved. A file deeper in the same directory is another one. Without a function to
// compareIdentities, the directories are as deep, or no other entry is for a file of this name.
func (b *Baseline) moved(name Identity, file string) (Identity, bool) {
	if b.named == nil {
		b.named = map[Identity][]Identity{}
		for id := range b.known {
			n := id
			n.File = path.Base(id.File)
			b.named[n] = append(b.named[n], id)
		}
		for _, all := range b.named {
			slices.SortFunc(all, compareIdentities)
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

// baselineFile returns the name of a file in the identities of a baseline: its absolute path, with slashes.
func baselineFile(path string) string {
	if path == standardInput {
		return path
	}
	return escape.UTF8(filepath.ToSlash(edit.Absolute(path)))
}

// standardInput is the name of standard input among files.
const standardInput = "<stdin>"

// Stale is an entry of a baseline. Gone is the number of its findings that the run did not find.
type Stale struct {
	BaselineEntry
	Gone int
}

// Stale returns the entries with findings that a run did not find again, sorted by identity. checked reports whether
// the run could have found them.
func (b *Baseline) Stale(checked func(Identity) bool) []Stale {
	var out []Stale
	for id, n := range b.known {
		if n.left > 0 && checked(id) {
			e := BaselineEntry{id, n.all}
			e.File = b.relative(id.File)
			out = append(out, Stale{e, n.left})
		}
	}
	slices.SortFunc(out, func(x, y Stale) int { return compareIdentities(x.Identity, y.Identity) })
	return out
}

func compareIdentities(a, b Identity) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Member, b.Member), cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Section, b.Section), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Place, b.Place))
}
