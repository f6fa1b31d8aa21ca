package lintcmd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestExpectMemory: differences are listed as long as memory is left for them.
func TestExpectMemory(t *testing.T) {
	var l compare.Loader
	var want, have []*compare.Unit
	require.NoError(t, reader.Scan("../../../corpus/files/binutils-2.47/amd64/program.elf", reader.Options{}, func(o *reader.Object) error {
		u, err := l.UnitOf(o)
		require.NoError(t, err)
		v, err := l.UnitOf(&reader.Object{Path: o.Path, Status: reader.StatusOK, ELF: o.ELF})
		want, have = append(want, u), append(have, v)
		return err
	}))
	var r expectReport
	var over *budget.Exceeded
	require.ErrorAs(t, r.compare(want, have, budget.New(t.Context(), budget.Limits{budget.Memory: 4*differenceCost - 1})), &over)
	assert.Len(t, r.Different, 3)
}
