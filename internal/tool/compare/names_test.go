package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNameTable: a name has one number, in whatever order names are met.
func TestNameTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var table nameTable
	known := map[string]uint32{}
	paid := int64(0)
	for i := range 20000 {
		name := fmt.Sprint("name", r.IntN(5000))
		if i%3 == 0 {
			name = fmt.Sprint("name", i%5000) // one after the other
		}
		id, err := table.id([]byte(name), func(n int64) error { paid += n; return nil })
		require.NoError(t, err)
		old, ok := known[name]
		require.Equal(t, !ok, int(id) == len(known), name)
		if ok {
			require.Equal(t, old, id, name)
		}
		known[name] = id
		require.Equal(t, name, table.name(id))
	}
	bytes := int64(0)
	for name := range known {
		bytes += int64(len(name)) + nameCost
	}
	assert.Equal(t, bytes, paid)
	_, err := table.id([]byte("one more"), func(int64) error { return assert.AnError })
	assert.ErrorIs(t, err, assert.AnError)
}
