package generator_test

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// corpusFile is what these tests need of a manifest entry.
type corpusFile struct {
	File    string `json:"file"`
	Kind    string `json:"kind"`
	Version int    `json:"sframe_version"`
	Healthy bool   `json:"healthy"`
}

const corpusDir = "../corpus"

func corpusFiles(t *testing.T) []corpusFile {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(corpusDir, "manifest.json"))
	require.NoError(t, err)
	var files []corpusFile
	require.NoError(t, json.Unmarshal(b, &files))
	require.NotEmpty(t, files)
	return files
}

// sections returns the .sframe sections of a corpus file.
func sections(t *testing.T, f corpusFile) [][]byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(corpusDir, f.File))
	require.NoError(t, err)
	switch {
	case f.Kind == "raw":
		return [][]byte{b}
	case bytes.HasPrefix(b, []byte("!<arch>\n")):
		var all [][]byte
		for _, m := range members(t, b) {
			all = append(all, elfSections(m)...)
		}
		return all
	}
	return elfSections(b)
}

func elfSections(b []byte) (all [][]byte) {
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	for _, s := range f.Sections {
		if s.Name != ".sframe" {
			continue
		}
		if d, err := s.Data(); err == nil && len(d) > 0 {
			all = append(all, d)
		}
	}
	return all
}

// members cuts an archive into its members.
func members(t *testing.T, b []byte) (all [][]byte) {
	t.Helper()
	for b = b[8:]; len(b) >= 60; {
		n, err := strconv.Atoi(strings.TrimSpace(string(b[48:58])))
		if err != nil {
			return all // one of the archives is damaged
		}
		all = append(all, b[60:60+n])
		b = b[min(60+n+n%2, len(b)):]
	}
	return all
}

// TestCorpusExact writes every section of real tools anew: it must come out
// byte for byte.
func TestCorpusExact(t *testing.T) {
	n := 0
	for _, f := range corpusFiles(t) {
		for _, b := range sections(t, f) {
			s, _ := reader.DecodeSection(b, reader.SectionOptions{})
			if !f.Healthy {
				exactOrRefused(t, f, b)
				continue
			}
			require.NotNil(t, s, f.File)
			exact(t, f, s, b)
			// As an object file's section, whose fields mean nothing.
			s, _ = reader.DecodeSection(b, reader.SectionOptions{Relocatable: true})
			exact(t, f, s, b)
			n++
		}
	}
	t.Logf("%d sections", n)
	assert.Greater(t, n, 100)
}

func exact(t *testing.T, f corpusFile, s *model.Section, want []byte) {
	t.Helper()
	again, err := encodeModel(s)
	if assert.NoError(t, err, f.File) {
		assert.Equal(t, want, again, f.File)
	}
}

// exactOrRefused checks that a damaged section is never written differently.
func exactOrRefused(t *testing.T, f corpusFile, b []byte) {
	t.Helper()
	s, _ := reader.DecodeSection(b, reader.SectionOptions{})
	if s == nil {
		return
	}
	if again, err := encodeModel(s); err == nil {
		assert.Equal(t, b, again, f.File)
	}
}
