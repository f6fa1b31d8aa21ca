// Package must has what tests need before they can check anything.
package must

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Get returns what a call has returned, or ends the test with its error: must.Get(os.ReadFile(path))(t).
func Get[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}
