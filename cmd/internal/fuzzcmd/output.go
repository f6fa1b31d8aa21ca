package fuzzcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/model"
)

// output writes entries into a new directory. Nothing is written outside of it.
type output struct {
	dir  *os.Root
	rows []manifestEntry
}

// newOutput creates the directory. One that exists must be empty: nothing is replaced.
func newOutput(dir string) (*output, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s: not empty; name a new directory", dir)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &output{dir: root, rows: []manifestEntry{}}, nil
}

func (o *output) add(e *entry) error {
	e.complete()
	if err := o.write(e.File, e.data); err != nil {
		return err
	}
	o.rows = append(o.rows, e.manifestEntry)
	return nil
}

// write writes a file without a row in the manifest. A file that can't be written whole is removed.
func (o *output) write(name string, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := o.dir.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	f, err := o.dir.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, o.dir.Remove(name))
	}
	return nil
}

// close writes the manifest.
func (o *output) close() error {
	defer o.dir.Close()
	b, err := campaign.Indent(o.rows)
	if err != nil {
		return err
	}
	return o.write(manifestName, b)
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// manifestName is the manifest's name in a directory of output.
const manifestName = "manifest.json"

// manifestEntry describes a file of output and how it was made. Empty fields do not apply.
type manifestEntry struct {
	File    string `json:"file"` // beside the manifest
	SHA256  string `json:"sha256"`
	Size    int    `json:"size"` // bytes
	Seed    int64  `json:"seed"` // of the section, or of the changes
	Version int    `json:"version,omitempty"`
	ABI     string `json:"abi,omitempty"`
	FDEs    *int   `json:"fdes,omitempty"`
	FREs    *int   `json:"fres,omitempty"`
	Address string `json:"address,omitempty"` // of a raw section's first byte
	Limit   int64  `json:"limit,omitempty"`   // largest section that a reader is to accept, in bytes
	Memory  int64  `json:"memory,omitempty"`  // a reader's budget, in bytes

	// Recipe makes the file, or the file that was mutated.
	Recipe *breaks.Recipe `json:"recipe,omitempty"`
	From   string         `json:"from,omitempty"` // file that was mutated

	Changes []string   `json:"changes,omitempty"` // of a mutation, in order
	Expect  []expected `json:"expect,omitempty"`  // findings of a linter
	Besides []string   `json:"besides,omitempty"` // rules that also find something without the breaks
}

// expected is a finding that a break must cause. Offsets are in bytes.
type expected struct {
	Rule       string   `json:"rule"`
	Break      string   `json:"break"`
	InSection  bool     `json:"in_section"` // the offset counts from the section's start, else from the object's
	Offset     int64    `json:"offset"`
	Length     int64    `json:"length"`
	FileOffset int64    `json:"file_offset"`
	Also       []string `json:"also,omitempty"` // rules that may also find something
}

// entry is a file of output with its row.
type entry struct {
	manifestEntry
	data []byte
}

// newEntry makes the entry of a subject, with the name of its file without its
// extension, and the rules that find something without the breaks.
func newEntry(name string, seed int64, r breaks.Recipe, s *breaks.Subject, besides []string) *entry {
	p := s.Plan()
	fdes, fres := len(p.Funcs), p.NumFREs()
	e := &entry{data: s.File(), manifestEntry: manifestEntry{
		File: name + suffix(s.Kind()), Seed: seed, Recipe: &r, Limit: s.Limit(), Memory: s.Memory(),
		Version: int(p.Version), ABI: abiName(p.ABI), FDEs: &fdes, FREs: &fres, Besides: besides,
	}}
	if s.Kind() == breaks.Raw {
		e.Address = fmt.Sprintf("0x%x", s.Addr())
	}
	for _, x := range s.Expectations() {
		e.Expect = append(e.Expect, expected{
			Rule: x.Rule, Break: x.Break, InSection: x.InSection, Offset: x.Off, Length: x.Len, FileOffset: x.FileOff, Also: x.Also,
		})
	}
	return e
}

// abiName returns the knob's name of an ABI.
func abiName(abi model.ABI) string { return generator.LookupKnob("abi").Format(int64(abi)) }

// complete sets the fields that depend on the bytes.
func (e *entry) complete() {
	e.SHA256, e.Size = checksum(e.data), len(e.data)
}

// readRecipes reads the recipes of a file: one, an array of them, one row of
// a manifest, or a whole manifest.
func readRecipes(file string) ([]breaks.Recipe, error) {
	b, err := regular.Read(file, 0)
	if err != nil {
		return nil, err
	}
	all, err := parseRecipes(b)
	if err == nil && len(all) == 0 {
		err = errors.New("no recipe found")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

func parseRecipes(b []byte) (all []breaks.Recipe, err error) {
	var list []json.RawMessage
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '[' {
		if err := json.Unmarshal(b, &list); err != nil {
			return nil, err
		}
	} else {
		list = []json.RawMessage{b}
	}
	for i, one := range list {
		r, err := parseRecipe(one)
		if err != nil {
			return nil, fmt.Errorf("recipe %d: %w", i, err)
		}
		if r != nil {
			all = append(all, *r)
		}
	}
	return all, nil
}

// parseRecipe reads a recipe or the row of a manifest that has one. It returns
// nil for the row of a file that no recipe makes.
func parseRecipe(b []byte) (*breaks.Recipe, error) {
	var row struct {
		File    string          `json:"file"`
		Recipe  json.RawMessage `json:"recipe"`
		Changes []string        `json:"changes"`
	}
	if err := json.Unmarshal(b, &row); err != nil {
		return nil, err
	}
	switch {
	case row.Recipe != nil && len(row.Changes) > 0:
		return nil, fmt.Errorf("%s was mutated; a recipe does not describe how", row.File)
	case row.Recipe != nil:
		b = row.Recipe
	case row.File != "":
		return nil, nil
	}
	r := &breaks.Recipe{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, err
	}
	for _, step := range r.Breaks {
		if breaks.Lookup(step.Name) == nil {
			return nil, fmt.Errorf("unknown break %q", step.Name)
		}
	}
	return r, nil
}
