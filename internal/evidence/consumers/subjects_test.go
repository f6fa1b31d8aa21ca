package consumers_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

// subject is one file of the corpus, or a member of one, in the form in
// which tools are shown it.
type subject struct {
	name string // of the file or member, for messages
	file []byte // an ELF file
	raw  bool   // file was wrapped around a raw section
}

type manifestEntry struct {
	File       string
	Kind       string
	RawAddress string `json:"raw_address"`
	Healthy    bool
}

// corpus returns all files of the corpus; raw sections as they are.
func corpus(t *testing.T) []manifestEntry {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../..", "corpus", "manifest.json"))
	require.NoError(t, err)
	var all []manifestEntry
	require.NoError(t, json.Unmarshal(data, &all))
	require.NotEmpty(t, all)
	return all
}

func (e manifestEntry) path() string {
	return filepath.Join("../../..", "corpus", filepath.FromSlash(e.File))
}

func (e manifestEntry) address(t *testing.T) uint64 {
	if e.RawAddress == "" {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(e.RawAddress, "0x"), 16, 64)
	require.NoError(t, err)
	return n
}

// rawSection decodes a raw file of the corpus, whatever its first bytes are.
func (e manifestEntry) rawSection(t *testing.T) *reader.SFrame {
	data, err := os.ReadFile(e.path())
	require.NoError(t, err)
	return decode(data, e.address(t))
}

func decode(data []byte, addr uint64) *reader.SFrame {
	return reader.DecodeSFrame(data, reader.SectionOptions{Addr: addr})
}

// subjects returns what tools are shown of a corpus file. Raw sections are
// wrapped: into a program, or for a linker into an object.
func (e manifestEntry) subjects(t *testing.T, forLinker bool) []subject {
	if e.Kind == "raw" {
		f := e.rawSection(t)
		if forLinker {
			return []subject{{e.File, hostOf(f.Section).object(f, reader.SHT_GNU_SFRAME), true}}
		}
		return []subject{{e.File, hostOf(f.Section).exec(f, e.address(t)), true}}
	}
	data, err := os.ReadFile(e.path())
	require.NoError(t, err)
	var out []subject
	err = reader.Scan(e.path(), reader.Options{}, func(o *reader.Object) error {
		switch {
		case o.Member == "":
			out = append(out, subject{e.File, data, false})
		case e.Kind == "archive" && o.Size > 0:
			out = append(out, subject{e.File + "(" + o.Member + ")", data[o.Base : o.Base+o.Size], false})
		}
		return nil
	})
	require.NoError(t, err)
	return out
}

// read returns the object that a subject's file is.
func (s subject) read(t *testing.T) *reader.Object {
	var obj *reader.Object
	err := reader.ScanReader(s.name, bytes.NewReader(s.file), int64(len(s.file)), reader.Options{}, func(o *reader.Object) error {
		obj = o
		return nil
	})
	require.NoError(t, err)
	return obj
}

// archOf returns the architecture of the tools for an object. Raw sections are
// put into files for AMD64.
func archOf(o *reader.Object) string {
	if o.ELF == nil {
		return "x86_64"
	}
	return cmp.Or(o.ELF.ABI().Arch, "x86_64")
}
