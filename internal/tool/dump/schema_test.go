package dump_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestSchema holds the JSON of all sections of the corpus, and of sections cut short, against
// the published schema.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/dump.schema.json")
	require.NoError(t, err)
	valid := func(o *reader.Object, s *reader.SFrame) {
		var b strings.Builder
		require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(b.String()))
		require.NoError(t, err, o.Path)
		require.NoError(t, schema.Validate(v), o.Path)
	}
	const dir = "../../../corpus/files"
	sections := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") {
			return err
		}
		return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				valid(o, s)
				sections++
			}
			return nil
		})
	}))
	require.Greater(t, sections, 300)
	for _, c := range sectionsCut(t) {
		o, s := rawSection("cut", c, 0x1000)
		valid(o, s)
	}
}

// sectionsCut returns a section cut at each of its bytes.
func sectionsCut(t *testing.T) (all [][]byte) {
	data := unhex(t, first)
	for n := range data {
		all = append(all, data[:n])
	}
	return all
}

// TestStubAddresses: from and to are addresses, also of the FREs of a MASK FDE, and absent
// where the start is not known.
func TestStubAddresses(t *testing.T) {
	type object struct {
		FDEs []struct {
			PCType string `json:"pc_type"`
			FREs   []struct {
				Start, End uint32
				From, To   string
			}
		}
	}
	visitCorpus(t, "binutils-2.47/amd64/pltgot.elf", func(o *reader.Object, s *reader.SFrame) {
		var b strings.Builder
		require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
		var got object
		require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
		require.Equal(t, "MASK", got.FDEs[1].PCType)
		r := got.FDEs[1].FREs[1]
		require.Equal(t, []any{uint32(0xb), uint32(0x10), "0x2eb", "0x2f0"}, []any{r.Start, r.End, r.From, r.To})
		r = got.FDEs[3].FREs[1]
		require.Equal(t, []any{uint32(0x1), uint32(0x15), "0x2f9", "0x30d"}, []any{r.Start, r.End, r.From, r.To})
	})
}
