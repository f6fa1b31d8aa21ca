package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/reader"
)

//go:generate go test . -run ^TestFiles$ -update
//go:generate go test . -run ^TestDigests$ -update

var update = flag.Bool("update", false, "write the cases of the corpus, and the digests")

const suiteDir = "../../../../conformance/"

// corpus adds the hand-made sections, and small ones of linked files that real tools wrote.
func (b *builder) corpus(root string) error {
	dir := filepath.Join(root, "corpus")
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return err
	}
	var manifest []struct {
		File, Kind string
		RawAddress string `json:"raw_address"`
		Findings   []string
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return err
	}
	for _, e := range manifest {
		path := filepath.Join(dir, filepath.FromSlash(e.File))
		name := strings.TrimSuffix(strings.TrimPrefix(e.File, "files/"), filepath.Ext(e.File))
		switch e.Kind {
		case "raw":
			section, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			addr, _ := strconv.ParseUint(e.RawAddress, 0, 64)
			var ids []string
			for _, f := range e.Findings {
				id, _, _ := strings.Cut(f, " ")
				ids = append(ids, id)
			}
			b.add(name, section, addr, ofRules(0, ids))
		case "exec", "shared":
			err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
				for k, s := range o.SFrames {
					if s.Section == nil || len(s.Data) == 0 {
						continue
					}
					b.add(fmt.Sprintf("corpus/%s-%d", name, k), s.Data, s.Section.Addr(), nil)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return b.err
}

// TestFiles makes the cases of the corpus again.
func TestFiles(t *testing.T) {
	b := &builder{seen: map[string]bool{}}
	require.NoError(t, b.corpus("../../../.."))
	text := map[string]string{}
	for i := range b.cases {
		line, err := b.cases[i].Line()
		require.NoError(t, err)
		text[b.cases[i].Kind()] += string(line)
	}
	for kind, want := range text {
		path := filepath.Join(suiteDir, "cases", kind+".jsonl")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, want == string(got), "%s is stale: run go generate ./internal/tool/conformance/build", path)
	}
}

// TestDigests makes all cases, of which a release has the files, and compares their digests: a case that changes is seen.
func TestDigests(t *testing.T) {
	all, err := Cases("")
	require.NoError(t, err)
	links, err := Links()
	require.NoError(t, err)
	files, seen := map[string]*bytes.Buffer{}, map[string]bool{}
	add := func(file, name string, line []byte, err error) {
		require.NoError(t, err)
		require.False(t, seen[name], name)
		seen[name] = true
		if files[file] == nil {
			files[file] = &bytes.Buffer{}
		}
		files[file].Write(line)
	}
	for i := range all {
		line, err := all[i].Line()
		add("cases/"+all[i].Kind()+".jsonl", all[i].Name, line, err)
	}
	for i := range links {
		line, err := json.Marshal(&links[i])
		add("links/cases.jsonl", links[i].Name, append(line, '\n'), err)
	}
	var want strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(files[file].Bytes()), file)
	}
	path := suiteDir + "SHA256SUMS"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want.String()), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, want.String(), string(got), "cases have changed: read them, and run go generate ./internal/tool/conformance/build")
}

// TestPattern: with a pattern, the same cases are made as without.
func TestPattern(t *testing.T) {
	all, err := Cases("")
	require.NoError(t, err)
	for _, pattern := range []string{"lookup/*/stubs", "corner", "l*", "large/v3-rows/fre*"} {
		want, err := conformance.Select(all, pattern, func(c *conformance.Case) string { return c.Name })
		require.NoError(t, err)
		require.NotEmpty(t, want, pattern)
		got, err := Cases(pattern)
		require.NoError(t, err)
		assert.Equal(t, want, got, pattern)
	}
	_, err = Cases("[")
	require.Error(t, err)
}
