package fuzzcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// manifestName is the manifest's name in a directory of output.
const manifestName = "manifest.json"

// row tells of one file how it was made and what is in it. What is empty
// does not apply.
type row struct {
	File    string `json:"file"` // beside the manifest
	SHA256  string `json:"sha256"`
	Size    int    `json:"size"` // bytes
	Seed    int64  `json:"seed"` // with the command's other flags, it makes the file again
	Version int    `json:"version,omitempty"`
	ABI     string `json:"abi,omitempty"`
	FDEs    *int   `json:"fdes,omitempty"`
	FREs    *int   `json:"fres,omitempty"`
	Address string `json:"address,omitempty"` // of a raw section's first byte
	Limit   int64  `json:"limit,omitempty"`   // largest section that a reader is to accept, bytes

	// Recipe makes the file again, or what was mutated.
	Recipe *breaks.Recipe `json:"recipe,omitempty"`
	From   string         `json:"from,omitempty"` // file that was mutated

	Changes []string   `json:"changes,omitempty"` // of a mutation, one after the other
	Expect  []expected `json:"expect,omitempty"`  // findings of a linter
}

// expected is a finding that a break must cause. Offsets are in bytes.
type expected struct {
	Rule       string   `json:"rule"`
	Break      string   `json:"break"`
	InSection  bool     `json:"in_section"` // the offset counts from the section's start, else from the object's
	Offset     int64    `json:"offset"`
	Length     int64    `json:"length"`
	FileOffset int64    `json:"file_offset"`
	Also       []string `json:"also,omitempty"` // rules that may find something besides
}

// entry is a file of output with its row.
type entry struct {
	row
	data []byte
}

// newEntry makes the entry of a subject, with a name for its file.
func newEntry(name string, seed int64, r breaks.Recipe, s *breaks.Subject) *entry {
	p := s.Plan()
	fdes, fres := len(p.Funcs), p.NumFREs()
	e := &entry{data: s.File(), row: row{
		File: name + suffix(s.Kind()), Seed: seed, Recipe: &r, Limit: s.Limit(),
		Version: int(p.Version), ABI: abiName(p.ABI), FDEs: &fdes, FREs: &fres,
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

// abiName is how the knob calls an ABI.
func abiName(abi model.ABI) string { return generator.LookupKnob("abi").Format(int64(abi)) }

// complete fills in what the bytes tell.
func (e *entry) complete() {
	e.SHA256, e.Size = checksum(e.data), len(e.data)
}

// output writes entries into a directory, which it makes.
type output struct {
	dir  string
	rows []row
	old  map[string]string // files of an earlier run that are not written anew, with their SHA-256
}

func newOutput(dir string) (*output, error) {
	o := &output{dir: dir, rows: []row{}, old: map[string]string{}}
	var rows []row
	if b, err := os.ReadFile(filepath.Join(dir, manifestName)); err == nil && json.Unmarshal(b, &rows) == nil {
		for _, r := range rows {
			if filepath.Base(r.File) == r.File {
				o.old[r.File] = r.SHA256
			}
		}
	}
	return o, os.MkdirAll(dir, 0o777)
}

func (o *output) add(e *entry) error {
	e.complete()
	o.rows = append(o.rows, e.row)
	delete(o.old, e.File)
	return os.WriteFile(filepath.Join(o.dir, e.File), e.data, 0o666)
}

// close removes what an earlier run has left and writes the manifest: files in
// the directory would be taken for this run's. Those that somebody has changed
// since stay.
func (o *output) close() error {
	for name, sum := range o.old {
		path := filepath.Join(o.dir, name)
		if b, err := os.ReadFile(path); err == nil && checksum(b) == sum {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	b, err := indented(o.rows)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, manifestName), b, 0o666)
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
