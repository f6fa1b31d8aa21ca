// Package corpus reads and writes the manifest of the corpus, a collection of real and hand-made files for tests.
package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// Entry is a file of the corpus, as listed in manifest.json.
type Entry struct {
	File          string   `json:"file"` // path in the corpus
	Producer      string   `json:"producer"`
	Version       string   `json:"version"`
	Command       string   `json:"command"`
	Source        []string `json:"source"`
	SHA256        string   `json:"sha256"`
	Kind          string   `json:"kind"`
	ABI           string   `json:"abi"`
	SFrameVersion int      `json:"sframe_version"`
	ByteOrder     string   `json:"byte_order"`
	RawAddress    string   `json:"raw_address,omitempty"`
	Healthy       bool     `json:"healthy"` // the section is valid and correct
	KnownBug      []int    `json:"known_bug,omitempty"`
	About         string   `json:"about"`
	// Findings has the findings of all rules, in order. A finding has the archive member, the index of the section if
	// there are several, the rule, the offset and the length in bytes. The offset is in the section or, after
	// "file:", in the file.
	Findings []string `json:"findings"`
}

// ManifestName is the name of the manifest in the corpus.
const ManifestName = "manifest.json"

// Load reads the manifest of the corpus in dir.
func Load(dir string) ([]Entry, error) { return Read[[]Entry](dir, ManifestName) }

// Write writes a manifest. Each file and each further finding of a file has its own line.
func Write(path string, entries []Entry) error {
	var lines []string
	for _, e := range entries {
		line, err := marshal("", e)
		if err != nil {
			return err
		}
		head, findings, _ := strings.Cut(strings.TrimSpace(string(line)), `"findings":[`)
		lines = append(lines, head+`"findings":[`+strings.ReplaceAll(findings, `","`, "\",\n\""))
	}
	return os.WriteFile(path, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o666)
}

// Read reads a JSON file. The elements of path are joined.
func Read[T any](path ...string) (v T, err error) {
	data, err := os.ReadFile(filepath.Join(path...))
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	return v, err
}

// WriteJSON writes a JSON file.
func WriteJSON(path, indent string, v any) error {
	b, err := marshal(indent, v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}

// marshal returns the JSON of a value. Commands in it, which are joined by &&, stay readable.
func marshal(indent string, v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Source returns a source of the corpus, and the path of the file that contains it. Most sources of a folder are
// packed into one text.
func Source(dir, name string) (data []byte, file string, err error) {
	file = filepath.Join(dir, filepath.FromSlash(name))
	if data, err = os.ReadFile(file); !errors.Is(err, fs.ErrNotExist) {
		return data, file, err
	}
	folder, base := filepath.Split(file)
	file = filepath.Clean(folder) + ".txtar"
	pack, err := txtar.ParseFile(file)
	if err != nil {
		return nil, "", err
	}
	i := slices.IndexFunc(pack.Files, func(f txtar.File) bool { return f.Name == base })
	if i < 0 {
		return nil, "", &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return pack.Files[i].Data, file, nil
}
