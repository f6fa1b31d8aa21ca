package fuzzcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
)

// manifestName is the manifest's name in a directory of output.
const manifestName = "manifest.json"

// row tells of one file how it was made and what is in it. What is empty
// does not apply.
type row struct {
	File      string            `json:"file"` // beside the manifest
	SHA256    string            `json:"sha256"`
	Size      int               `json:"size"` // bytes
	Container string            `json:"container,omitempty"`
	Address   string            `json:"address,omitempty"` // of a raw section's first byte
	Seed      int64             `json:"seed"`
	Knobs     map[string]string `json:"knobs,omitempty"` // those that are not as by default
	Version   int               `json:"version,omitempty"`
	ABI       string            `json:"abi,omitempty"`
	FDEs      *int              `json:"fdes,omitempty"`
	FREs      *int              `json:"fres,omitempty"`
	From      string            `json:"from,omitempty"`    // file that was mutated
	Changes   []string          `json:"changes,omitempty"` // of a mutation, one after the other
}

// entry is a file of output with its row.
type entry struct {
	row
	data []byte
}

// complete fills in what the bytes tell.
func (e *entry) complete() {
	sum := sha256.Sum256(e.data)
	e.SHA256, e.Size = hex.EncodeToString(sum[:]), len(e.data)
}

// output writes entries into a directory, which it makes.
type output struct {
	dir  string
	rows []row
}

func newOutput(dir string) (*output, error) {
	return &output{dir: dir, rows: []row{}}, os.MkdirAll(dir, 0o777)
}

func (o *output) add(e *entry) error {
	e.complete()
	o.rows = append(o.rows, e.row)
	return os.WriteFile(filepath.Join(o.dir, e.File), e.data, 0o666)
}

// close writes the manifest.
func (o *output) close() error {
	b, err := indented(o.rows)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, manifestName), b, 0o666)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
