package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSkipped: a row fails if a rule did not run whose time it claims.
func TestSkipped(t *testing.T) {
	const report = `{"skipped": [{"rule": "SF3114", "path": "a.out", "reason": "the file is large"}], "summary": {"checked": 1}}`
	require.EqualError(t, skipped([]byte(report), []string{"SF60", "SF31"}), "a.out: SF3114 was skipped: the file is large")
	require.Error(t, skipped([]byte(report), []string{"SF"}))
	require.NoError(t, skipped([]byte(report), []string{"SF60"}))
	require.Error(t, skipped([]byte(`{"summary": {"checked": 0}}`), []string{"SF60"}))
	require.Error(t, skipped([]byte(`no report`), []string{"SF60"}))
}
