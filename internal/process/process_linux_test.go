//go:build linux && (amd64 || arm64)

package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/reader"
)

// stopEnv is the ID of a process that this test, executed once more, stops for ever.
const stopEnv = "PROCESS_TEST_STOP"

func TestMain(m *testing.M) {
	if pid, err := strconv.Atoi(os.Getenv(stopEnv)); err == nil {
		_, err := Read(pid, corefile.Options{}, func(*corefile.Core, *corefile.Modules) error {
			fmt.Println("stopped")
			select {}
		})
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// start starts a program, and returns its process and what it writes.
func start(t *testing.T, name string, args ...string) (int, *bufio.Reader) {
	t.Helper()
	c := exec.Command(name, args...)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c.Process.Pid, bufio.NewReader(out)
}

// shell starts a shell that has written a line and waits.
func shell(t *testing.T, script string) (int, *bufio.Reader) {
	t.Helper()
	pid, out := start(t, "sh", "-c", script+"; echo ready; while :; do read -r line </dev/tty 2>/dev/null; sleep 1; done")
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	return pid, out
}

// becomes waits until a process is in a state.
func becomes(t *testing.T, pid int, want func(st status) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		st, err := readStatus(pid)
		if err == nil && want(st) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%+v, %v", st, err)
		}
	}
}

func runs(st status) bool {
	return st.tracer == 0 && !strings.HasPrefix(strings.ToLower(st.state), "t")
}

func traced(st status) bool { return strings.HasPrefix(st.state, "t") }

// TestRead reads a process, which is stopped meanwhile. What was read remains.
func TestRead(t *testing.T) {
	pid, _ := shell(t, ":")
	var word [8]byte
	p, err := Read(pid, corefile.Options{}, func(c *corefile.Core, mods *corefile.Modules) error {
		st, err := readStatus(pid)
		assert.NoError(t, err)
		assert.True(t, traced(st), st.state)
		assert.Positive(t, st.tracer)
		require.Len(t, c.Threads, 1)
		assert.Equal(t, pid, c.Threads[0].ID)
		x, ok := mods.At(c.Threads[0].PC())
		assert.True(t, ok)
		assert.NotEmpty(t, x.Name)
		sp, _ := c.Threads[0].Register(c.ABI.SP)
		return c.ReadMemory(sp, word[:])
	})
	require.NoError(t, err)
	assert.Positive(t, p.Stopped)
	assert.Empty(t, p.Missed)
	becomes(t, pid, runs)
	var again [8]byte
	sp, _ := p.Core.Threads[0].Register(p.Core.ABI.SP)
	require.NoError(t, p.Core.ReadMemory(sp, again[:]))
	assert.Equal(t, word, again)
	entry, _ := p.Core.Auxv(3) // the program headers, which are on another page
	assert.ErrorIs(t, p.Core.ReadMemory(entry, again[:]), errGone)
}

// TestSignal: a signal that arrives while the process is stopped is not lost.
func TestSignal(t *testing.T) {
	pid, out := shell(t, `trap "echo got" USR1`)
	for range 3 {
		_, err := Read(pid, corefile.Options{}, func(*corefile.Core, *corefile.Modules) error {
			return unix.Kill(pid, unix.SIGUSR1)
		})
		require.NoError(t, err)
		line, err := out.ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "got\n", line)
	}
}

// TestJobControl: a process that job control has stopped remains so, until it is continued.
func TestJobControl(t *testing.T) {
	pid, _ := shell(t, ":")
	require.NoError(t, unix.Kill(pid, unix.SIGSTOP))
	becomes(t, pid, func(st status) bool { return strings.HasPrefix(st.state, "T") })
	p, err := Read(pid, corefile.Options{}, func(*corefile.Core, *corefile.Modules) error { return nil })
	require.NoError(t, err)
	assert.Len(t, p.Core.Threads, 1)
	becomes(t, pid, func(st status) bool { return st.tracer == 0 && strings.HasPrefix(st.state, "T") })
	require.NoError(t, unix.Kill(pid, unix.SIGCONT))
	becomes(t, pid, runs)
}

// TestKilledTracer: the process goes on if the one that has stopped it is killed.
func TestKilledTracer(t *testing.T) {
	pid, _ := shell(t, ":")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), stopEnv+"="+strconv.Itoa(pid))
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "stopped\n", line)
	becomes(t, pid, traced)
	_, err = Read(pid, corefile.Options{}, nil)
	assert.EqualError(t, err, fmt.Sprintf("process %d traces it already", c.Process.Pid))
	require.NoError(t, c.Process.Kill())
	_, _ = io.Copy(io.Discard, out)
	_ = c.Wait()
	becomes(t, pid, runs)
}

// TestErrors: the process goes on after an error, which is that of the callback or says what is
// wrong.
func TestErrors(t *testing.T) {
	pid, _ := shell(t, ":")
	fails := errors.New("no")
	_, err := Read(pid, corefile.Options{}, func(*corefile.Core, *corefile.Modules) error { return fails })
	assert.ErrorIs(t, err, fails)
	becomes(t, pid, runs)

	b := budget.New(t.Context(), budget.Limits{budget.Memory: 100})
	_, err = Read(pid, corefile.Options{Read: reader.Options{Budget: b}}, nil)
	assert.ErrorContains(t, err, "memory budget")
	becomes(t, pid, runs)

	_, err = Read(os.Getpid(), corefile.Options{}, nil)
	assert.EqualError(t, err, "this is the process that traces")
	_, err = Read(1<<22+1, corefile.Options{}, nil)
	assert.EqualError(t, err, "there is no such process")
}

// TestDenied: the reasons of the kernel, in words.
func TestDenied(t *testing.T) {
	for _, x := range []struct {
		st    status
		user  int
		scope string
		want  string
	}{
		{status{tracer: 7}, 0, "", "process 7 traces it already"},
		{status{state: "Z (zombie)"}, 0, "", "it has ended, and its parent has not noticed"},
		{status{uid: 3}, 1000, "1", "it belongs to the user with ID 3: that user, or one with CAP_SYS_PTRACE, may trace it"},
		{status{uid: 1000}, 1000, "1", "kernel.yama.ptrace_scope is 1: only its parent, or a user with CAP_SYS_PTRACE, may trace it"},
		{status{uid: 3}, 0, "3", "kernel.yama.ptrace_scope is 3: no user may trace processes until the system restarts"},
		{status{uid: 1000}, 1000, "", "no permission to trace it: that needs CAP_SYS_PTRACE, as for a program with more rights than its user, or one in another container"},
	} {
		assert.Equal(t, x.want, x.st.denied(x.user, x.scope))
	}
	st := status{}
	assert.Equal(t, unix.ESRCH, st.explain(unix.ESRCH))
}
