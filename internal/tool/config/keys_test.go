package config

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
)

// The structures that are decoded and the published schema have the same keys.
func TestKeysAreTheSchemas(t *testing.T) {
	s := must.Get(jsonschema.NewCompiler().Compile("../../../docs/schema/config.schema.json"))(t)
	for _, x := range []struct {
		t reflect.Type
		s *jsonschema.Schema
	}{{reflect.TypeFor[written](), s}, {reflect.TypeFor[writtenException](), s.Properties["exceptions"].Items2020}} {
		assert.ElementsMatch(t, keysOf(x.t), slices.Collect(maps.Keys(x.s.Properties)))
		assert.Equal(t, false, x.s.AdditionalProperties)
	}
}
