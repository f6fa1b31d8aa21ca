package config

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table of keys and the published schema describe the same file.
func TestFormIsSchema(t *testing.T) {
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/config.schema.json")
	require.NoError(t, err)
	f := (&reading{c: &Config{}}).file()
	same(t, "the file", &f, s)
}

// same compares a form with the schema of the same value.
func same(t *testing.T, at string, f *form, s *jsonschema.Schema) {
	for s.Ref != nil {
		s = s.Ref
	}
	if f.words != nil {
		want := []any{}
		for _, word := range f.words {
			want = append(want, word)
		}
		if slices.Contains(f.words, "off") {
			want = append(want, false)
		}
		if !f.needed {
			want = append(want, nil)
		}
		require.NotNil(t, s.Enum, at)
		assert.Equal(t, want, s.Enum.Values, at)
		return
	}
	require.NotNil(t, s.Types, at)
	assert.ElementsMatch(t, types(f), s.Types.ToStrings(), at)
	assert.True(t, f.blank == "" || s.MinLength != nil || s.Pattern != nil, "%s: the schema allows an empty text", at)
	if f.list != nil {
		require.NotNil(t, s.Items2020, at)
		same(t, at+"[]", f.list, s.Items2020)
	}
	if f.each != nil {
		require.IsType(t, &jsonschema.Schema{}, s.AdditionalProperties, at)
		each := f.each("SF1", nil)
		same(t, at+".*", &each, s.AdditionalProperties.(*jsonschema.Schema))
	}
	if f.keys != nil {
		assert.Equal(t, false, s.AdditionalProperties, at)
		assert.ElementsMatch(t, slices.Collect(maps.Keys(f.keys)), slices.Collect(maps.Keys(s.Properties)), at)
	}
	for key, f := range f.keys {
		if s := s.Properties[key]; s != nil {
			same(t, fmt.Sprintf("%s.%s", at, key), &f, s)
		}
	}
}

// types returns the types of a form as the schema writes them.
func types(f *form) (all []string) {
	for name, is := range map[string]bool{
		"object": f.keys != nil || f.each != nil, "array": f.list != nil,
		"integer": f.number, "string": f.text, "boolean": f.truth, "null": !f.needed,
	} {
		if is {
			all = append(all, name)
		}
	}
	return all
}
