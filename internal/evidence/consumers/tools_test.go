package consumers_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
)

// result is what became of a tool's run.
type result struct {
	out, err string
	exit     int
	killed   bool // by a signal
}

// run runs a tool. One that does not come to an end counts as killed.
func run(t *testing.T, tool string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	r := result{out: out.String(), err: errs.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		r.exit = exit.ExitCode()
		r.killed = exit.Sys().(syscall.WaitStatus).Signaled()
		return r
	}
	require.NoError(t, err)
	return r
}

// outcome is what a tool was seen to do with a section.
type outcome struct {
	kind   consumers.Outcome
	detail string
}
