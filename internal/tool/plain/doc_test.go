package plain_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/model"
)

// TestKnowsTheTables: the decoder reads each version and ABI of the tables, and refuses the version after them.
func TestKnowsTheTables(t *testing.T) {
	for _, v := range append(model.Versions(func(model.VersionInfo) bool { return true }), model.SFRAME_VERSION_3+1) {
		for _, a := range model.ABIs() {
			header := make([]byte, 28)
			header[0], header[1], header[2], header[4], header[6] = 0xe2, 0xde, byte(v), byte(a.ID), byte(a.FixedRA)
			if a.Big {
				header[0], header[1] = header[1], header[0]
			}
			s, err := plain.Decode(header, 0)
			if !v.Known() {
				assert.Error(t, err)
				continue
			}
			require.NoError(t, err, "%v, %s", v, a.Name)
			assert.Equal(t, fmt.Sprint(int(v), a.Short()), fmt.Sprint(s.Version, s.ABI))
		}
	}
}

// TestSharesNothing checks that the decoder uses the standard library alone.
func TestSharesNothing(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "plain.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, i := range f.Imports {
		assert.Contains(t, []string{`"encoding/binary"`, `"errors"`, `"fmt"`}, i.Path.Value)
	}
}
