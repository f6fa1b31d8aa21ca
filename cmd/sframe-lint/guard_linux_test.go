//go:build amd64 || arm64

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// victim is the variable that has the test binary be a program that is traced, and says what
// it does.
const victim = "SFRAME_LINT_TEST_VICTIM"

func init() {
	if what := os.Getenv(victim); what != "" {
		beVictim(what)
		os.Exit(0)
	}
}

// beVictim does what the variable says.
func beVictim(what string) {
	what, file, _ := strings.Cut(what, "=")
	start := func(what string, attr *syscall.SysProcAttr) {
		exe, _ := os.Executable()
		cmd := exec.Command(exe)
		cmd.Env, cmd.SysProcAttr = []string{victim + "=" + what + "=" + file}, attr
		_ = cmd.Start()
	}
	switch what {
	case "end":
		return
	case "term":
		_ = syscall.Kill(os.Getppid(), syscall.SIGTERM)
	case "stop":
		_ = syscall.Kill(os.Getppid(), syscall.SIGSTOP)
	case "kill":
		_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
	case "stop group":
		_ = syscall.Kill(0, syscall.SIGSTOP)
	case "children":
		for range 3 {
			start("child", nil)
			start("daemon", &syscall.SysProcAttr{Setsid: true})
		}
	case "daemon":
		start("child", nil)
		return
	case "child":
		_ = os.WriteFile(filepath.Join(file, strconv.Itoa(os.Getpid())), nil, 0o666)
	case "spin":
		for n := 0; n >= 0; n ^= 1 {
		}
	}
	time.Sleep(time.Minute)
}

// traced runs the command on a victim, and returns its exit status and what it wrote.
func traced(t *testing.T, what string, started func(*os.Process), flags ...string) (int, string) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := append([]string{"trace", "--run", "--env", victim + "=" + what}, flags...)
	cmd := exec.CommandContext(ctx, exe, append(args, "--", exe)...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	require.NoError(t, cmd.Start())
	if started != nil {
		started(cmd.Process)
	}
	err = cmd.Wait()
	require.NoError(t, ctx.Err(), "%s: the command did not end", what)
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	if strings.Contains(out.String(), "not permitted") {
		t.Skip(out.String())
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// A program that interrupts, stops or kills its tracer does not make the run a success, nor
// does one in which nothing was checked.
func TestTracedProgramEndsTracer(t *testing.T) {
	for what, said := range map[string]string{
		"term": "interrupted", "stop": "the tracer was stopped", "stop group": "the tracer was stopped",
		"kill": "the tracer was ended by signal 9", "end": "no step was checked",
	} {
		t.Run(what, func(t *testing.T) {
			status, out := traced(t, what, nil)
			assert.Equal(t, 3, status)
			assert.Contains(t, out, said)
		})
	}
}

// Steps are counted where no code has SFrame data.
func TestTracedStepsWithoutData(t *testing.T) {
	status, out := traced(t, "spin", nil, "--steps", "3000")
	assert.Equal(t, 3, status)
	assert.Contains(t, out, "3000 steps, 0 checked")
	assert.Contains(t, out, "ended by the limit: steps")
}

// No process of the program outlives the command, however that is ended.
func TestTracedChildrenEnd(t *testing.T) {
	dir := func(t *testing.T) string { return filepath.Clean(t.TempDir()) }
	pids := func(t *testing.T, dir string) []string {
		all := must.Get(os.ReadDir(dir))(t)
		var names []string
		for _, e := range all {
			names = append(names, e.Name())
		}
		return names
	}
	ended := func(t *testing.T, dir string) {
		all := pids(t, dir)
		require.NotEmpty(t, all)
		for _, name := range all {
			pid := must.Get(strconv.Atoi(name))(t)
			assert.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
		}
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			d := dir(t)
			_, out := traced(t, "children="+d, func(p *os.Process) {
				for range 600 {
					if len(pids(t, d)) == 6 {
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				require.NoError(t, p.Signal(sig))
			})
			assert.Contains(t, out, "interrupted")
			ended(t, d)
		})
	}
	t.Run("time", func(t *testing.T) {
		d := dir(t)
		_, out := traced(t, "children="+d, nil, "--for", "5s")
		assert.Contains(t, out, "ended by the limit: time")
		ended(t, d)
	})
}
