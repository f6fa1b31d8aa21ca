// Package must stops a test if a precondition of the test fails.
package must

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Get returns the value of a call, or ends the test if the call returned an error: must.Get(os.ReadFile(path))(t).
func Get[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}
