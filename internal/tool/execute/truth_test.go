package execute

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const amd64 = "SFRAME_ABI_AMD64_ENDIAN_LITTLE"

// matches checks a value against a schema of docs/schema.
func matches(t *testing.T, name string, value any) {
	t.Helper()
	b, err := json.Marshal(value)
	require.NoError(t, err)
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "schema", name+".schema.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	require.NoError(t, err)
	assert.NoError(t, s.Validate(doc))
}

// TestMerge keeps what held in both of two runs.
func TestMerge(t *testing.T) {
	one := func(f Fact) *Truth {
		return &Truth{TruthSchema, amd64, []*FileTruth{{Name: "a", BuildID: "01", Facts: []Fact{f}, Runs: [][]uint64{{0x1000, 0, 1, 3}}}}}
	}
	a := one(Fact{CFA: [][2]int64{{7, 8}, {0, 40}}, RASlots: []int64{-8}, FP: []int64{3, 6}, FPSlots: []int64{-40}, Caller: true})
	b := one(Fact{CFA: [][2]int64{{7, 8}, {0, 48}}, RASlots: []int64{-8}, FP: []int64{6}, Caller: true, Not: [][3]int64{{2, 6, 0}}})
	require.NoError(t, a.Merge(b))
	want := Fact{CFA: [][2]int64{{7, 8}}, RASlots: []int64{-8}, FP: []int64{6}, Caller: true, Not: [][3]int64{{2, 6, 0}}}
	assert.Equal(t, []Fact{want}, a.Files[0].Facts)
	assert.Equal(t, [][]uint64{{0x1000, 0, 1, 3}}, a.Files[0].Runs)
	matches(t, "truth", a)

	// A run without a caller adds that alone.
	require.NoError(t, a.Merge(one(Fact{Bottom: true})))
	want.Bottom = true
	assert.Equal(t, []Fact{want}, a.Files[0].Facts)

	assert.ErrorContains(t, a.Merge(&Truth{ABI: "other"}), "not of")
}

// TestReadTruthDamaged rejects files that the rest of the package could not rely on.
func TestReadTruthDamaged(t *testing.T) {
	file := func(facts, runs string) string {
		return `{"schema":"` + TruthSchema + `","abi":"` + amd64 + `","files":[{"name":"a","facts":[` + facts + `],"runs":[` + runs + `]}]}`
	}
	for name, x := range map[string]struct{ text, want string }{
		"empty":        {"", "not a truth file"},
		"not JSON":     {"\x7fELF", "not a truth file"},
		"schema":       {`{"schema":"other"}`, "its schema is"},
		"null":         {`{"schema":"` + TruthSchema + `","files":[null]}`, "damaged"},
		"short run":    {file("{}", "[1,0]"), "a run without a fact"},
		"no such fact": {file("{}", "[1,1,4]"), "a run without a fact"},
		"length 0":     {file("{}", "[1,0,0]"), "an instruction of 0 bytes"},
		"length 17":    {file("{}", "[1,0,17]"), "an instruction of 17 bytes"},
		"negative":     {file("{}", "[-1,0,1]"), "not a truth file"},
		"many places":  {file(`{"ra":[`+strings.Repeat("1,", 256)+`1]}`, "[1,0,1]"), "too many places"},
	} {
		_, err := ReadTruth(strings.NewReader(x.text), int64(len(x.text)), nil)
		assert.ErrorContains(t, err, x.want, name)
	}
	x, err := ReadTruth(strings.NewReader(file("{}", "[18446744073709551615,0,15,15]")), 1<<10, nil)
	require.NoError(t, err)
	n := 0
	x.Files[0].each(func(uint64, uint64, *Fact) { n++ })
	assert.Equal(t, 2, n) // addresses may wrap
}
