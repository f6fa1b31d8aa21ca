package lookup

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStems(t *testing.T) {
	assert.Equal(t, []string{"fre", "repeat", "sam", "cfa"}, Stems("FREs that repeat the same CFA, repeated"))
	assert.Equal(t, 2, Shared(Stems("FREs that repeat"), "An FRE repeats"))
	assert.Zero(t, Shared(Stems("a PLT"), "plot"))
}
