package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Guard protects inputs and other files that could be inputs.
func TestGuard(t *testing.T) {
	dir := t.TempDir()
	object, section, plain := filepath.Join(dir, "o"), filepath.Join(dir, "s"), filepath.Join(dir, "p")
	require.NoError(t, os.WriteFile(object, []byte("\x7fELF1234"), 0o600))
	require.NoError(t, os.WriteFile(section, []byte{0xe2, 0xde, 2, 0, 3, 0, 0, 0}, 0o600))
	require.NoError(t, os.WriteFile(plain, []byte("text"), 0o600))
	assert.Error(t, Guard("--x", object, nil, nil))
	assert.Error(t, Guard("--x", object, nil, Head(section)))
	assert.NoError(t, Guard("--x", object, nil, Head(object)))
	assert.Error(t, Guard("--x", object, []string{object}, Head(object)))
	assert.NoError(t, Guard("--x", section, nil, []byte{0xde, 0xe2}))
	assert.Error(t, Guard("--x", section, nil, nil))
	assert.NoError(t, Guard("--x", plain, nil, nil))
}
