package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseRecord(t *testing.T) {
	e, err := parseRecord(strings.Split("files/a.o\tgas\t2.47\tas a.s -o files/a.o\tsrc/a.s src/b.s \tfaulty\t2 9\t0x2000\tamd64\t3\tAbout it.", "\t"))
	require.NoError(t, err)
	assert.Equal(t, entry{
		File: "files/a.o", Producer: "gas", Version: "2.47", Command: "as a.s -o files/a.o",
		Source: []string{"src/a.s", "src/b.s"}, ABI: "amd64", SFrameVersion: 3,
		RawAddress: "0x2000", KnownBug: []int{2, 9}, About: "About it.",
	}, e)

	_, err = parseRecord([]string{"files/a.o", "gas"})
	assert.ErrorContains(t, err, "2 columns")
}

func TestDescribe(t *testing.T) {
	files := map[string]struct {
		data string
		want entry
	}{
		"a.a":      {"!<arch>\n", entry{Kind: "archive"}},
		"b.a":      {"!<thin>\n", entry{Kind: "thin-archive"}},
		"c.sframe": {"\xe2\xde\x03\x05\x03", entry{Kind: "raw", ABI: "amd64", SFrameVersion: 3, ByteOrder: "little"}},
		"d.sframe": {"\xde\xe2\x02\x05\x04", entry{Kind: "raw", ABI: "s390x", SFrameVersion: 2, ByteOrder: "big"}},
		"e.sframe": {"\xde\xe2", entry{Kind: "raw"}},
	}
	dir := t.TempDir()
	for name, file := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(file.data), 0o644))
		got := entry{File: name}
		require.NoError(t, describe(dir, &got), name)
		assert.Len(t, got.SHA256, 64)
		file.want.File, file.want.SHA256 = name, got.SHA256
		assert.Equal(t, file.want, got)
	}
}

func TestDescribeDamagedELF(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.o"), []byte("\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 9)+"\x01\x00"), 0o644))
	e := entry{File: "a.o", ABI: "amd64"}
	require.NoError(t, describe(dir, &e))
	assert.Equal(t, "object", e.Kind)
	assert.Equal(t, "little", e.ByteOrder)
	assert.Error(t, describe(dir, &entry{File: "a.o", ABI: "amd64", Healthy: true}), "a healthy file can be read")
	assert.Error(t, describe(dir, &entry{File: "a.o"}))
}

func TestFindingsOutliveARebuildUnlessTheFileChanged(t *testing.T) {
	manifest := filepath.Join(t.TempDir(), "manifest.json")
	require.NoError(t, corpus.Write(manifest, []entry{
		{File: "same", SHA256: "1", Findings: []string{"found"}},
		{File: "changed", SHA256: "2", Findings: []string{"found"}},
	}))
	entries := []entry{{File: "same", SHA256: "1"}, {File: "changed", SHA256: "3"}, {File: "new", SHA256: "1"}}
	require.NoError(t, keepFindings(manifest, entries))
	assert.Equal(t, []string{"found"}, entries[0].Findings)
	assert.Empty(t, entries[1].Findings)
	assert.Empty(t, entries[2].Findings)
}

func TestEveryFileNeedsARecord(t *testing.T) {
	root := filepath.Join(t.TempDir(), "files")
	require.NoError(t, os.Mkdir(root, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.o"), nil, 0o644))
	assert.NoError(t, allListed(root, []entry{{File: "files/a.o"}}))
	assert.ErrorContains(t, allListed(root, nil), "no record")
	assert.ErrorContains(t, allListed(root, []entry{{File: "files/a.o"}, {File: "files/a.o"}}), "twice")
}
