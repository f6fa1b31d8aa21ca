package program_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

func TestParse(t *testing.T) {
	for line, want := range map[string][]string{
		`prog @@`:                    {"prog", "@@"},
		`prog '$x' "a b" c\ d '' @@`: {"prog", "$x", "a b", "c d", "", "@@"},
		`prog --file=@@`:             {"prog", "--file=@@"},
		`prog *.go {a,b} ~ '~'`:      {"prog", "*.go", "{a,b}", "~", "~"},
		`prog "a\"b\c\$d" e"f"'g'`:   {"prog", `a"b\c$d`, "efg"},
		"prog\n\t-a":                 {"prog", "-a"},
	} {
		got, err := program.Parse(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, got, line)
	}
	for _, line := range []string{``, ` `, `a | b`, `a; b`, `a && b`, `a > b`, `a < b`, `a &`, "a `b`", `a $(b)`, `a $b`, `a "$b"`, `a "b`, `a 'b`, `a b\`, `a $((1))`, `(a)`, `a <(b)`} {
		_, err := program.Parse(line)
		assert.Error(t, err, line)
	}
}

// TestRun: streams, statuses, signals, limits of time and of output files.
func TestRun(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no shell")
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	require.NoError(t, os.WriteFile(in, []byte("content"), 0o600))
	run := func(script string, c program.External) *program.Outcome {
		c.Args, c.Split = []string{"/bin/sh", "-c", script, "sh", "@@", "@out"}, true
		c.Timeout = max(c.Timeout, 300*time.Millisecond)
		o := must.Get(c.Run(t.Context(), in, filepath.Join(dir, "out")))(t)
		return o
	}
	o := run(`cat "$1"; echo wrong >&2; exit 3`, program.External{Timeout: time.Minute})
	assert.Equal(t, "content", string(o.Stdout))
	assert.Equal(t, "wrong\n", string(o.Stderr))
	assert.Equal(t, "exit status 3", o.String())
	assert.Positive(t, o.RSS)
	assert.Equal(t, 6, run(`kill -ABRT $$`, program.External{Timeout: time.Minute}).Signal)
	assert.True(t, run(`sleep 100 & sleep 100`, program.External{}).Timeout)
	o = run(`sleep 0.1; head -c 100000 /dev/zero >"$2" || exit 9`, program.External{FileSize: 1000, Timeout: time.Minute})
	assert.NotZero(t, o.Exit)
	info := must.Get(os.Stat(filepath.Join(dir, "out")))(t)
	assert.EqualValues(t, 1024, info.Size(), "whole blocks")
	o = run(`yes`, program.External{})
	assert.Len(t, o.Stdout, 1<<20)
	assert.True(t, strings.HasPrefix(string(o.Stdout), "y\ny\n"))
}

// TestLimits: a command has its limits from the start, and no core file.
func TestLimits(t *testing.T) {
	c := program.External{Args: []string{"/bin/sh", "-c", "ulimit -c; ulimit -v; ulimit -f", program.Input}, Timeout: time.Minute, Memory: 1 << 30, FileSize: 1 << 20}
	o := must.Get(c.Run(t.Context(), os.DevNull, ""))(t)
	assert.Equal(t, "0\n1048576\n2048\n", string(o.Stdout))
}

// TestInterrupted: the context's cause is the error.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	c := program.External{Args: []string{"/bin/sh", "-c", "sleep 100"}, Timeout: time.Minute}
	_, err := c.Run(ctx, os.DevNull, "")
	assert.ErrorIs(t, err, cause)
}

// TestFixedAddresses: the memory of a command is at the same addresses in each run, on request.
func TestFixedAddresses(t *testing.T) {
	if _, err := os.Stat("/proc/self/maps"); err != nil {
		t.Skip("there is no /proc")
	}
	layouts := func(fixed bool) map[string]bool {
		c := &program.External{Args: []string{"cat", "/proc/self/maps", program.Input}, Timeout: time.Minute, FixedAddresses: fixed}
		all := map[string]bool{}
		for range 8 {
			o := must.Get(c.Run(t.Context(), os.DevNull, ""))(t)
			all[string(o.Stdout)] = true
		}
		return all
	}
	if len(layouts(false)) == 1 {
		t.Skip("the system does not vary addresses")
	}
	if o, err := (&program.External{Args: []string{"setarch", "-R", "true", program.Input}, Timeout: time.Minute}).Run(t.Context(), os.DevNull, ""); err != nil || o.Exit != 0 {
		t.Skip("the system does not let a process fix its addresses")
	}
	assert.Len(t, layouts(true), 1)
}
