package plain_test

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSharesNothing checks that the decoder uses the standard library alone.
func TestSharesNothing(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "plain.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, i := range f.Imports {
		assert.Contains(t, []string{`"encoding/binary"`, `"errors"`, `"fmt"`}, i.Path.Value)
	}
}
