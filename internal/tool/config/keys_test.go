package config

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The structures that are decoded and the published schema have the same keys.
func TestKeysAreTheSchemas(t *testing.T) {
	s, err := jsonschema.NewCompiler().Compile("../../../docs/schema/config.schema.json")
	require.NoError(t, err)
	for _, x := range []struct {
		t reflect.Type
		s *jsonschema.Schema
	}{{reflect.TypeFor[written](), s}, {reflect.TypeFor[writtenException](), s.Properties["exceptions"].Items2020}} {
		assert.ElementsMatch(t, keysOf(x.t), slices.Collect(maps.Keys(x.s.Properties)))
		assert.Equal(t, false, x.s.AdditionalProperties)
	}
}
