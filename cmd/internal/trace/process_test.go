//go:build linux && amd64

package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/process"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// liveProgram is a program of C that waits in different places: its threads, a handler on
// another stack, called by a comparison of qsort, and a recursion. It writes a line when all of them
// wait.
const liveProgram = `
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int pipes[2], depth, handle;
static volatile int sink;
static void ready(void) { if (write(pipes[1], "x", 1) != 1) abort(); for (;;) pause(); }
__attribute__((noinline)) static void down(int n) { if (n > 0) down(n - 1); else ready(); sink++; }
static void handler(int s) { down(depth); sink = s; }
__attribute__((noinline)) static int compare(const void *a, const void *b) {
	if (handle) raise(SIGUSR1); else down(depth);
	return *(int *)a - *(int *)b;
}
__attribute__((noinline)) static void sorts(void) { int v[4] = {3, 1, 2, 4}; qsort(v, 4, sizeof v[0], compare); sink = v[0]; }
static void *thread(void *x) { sorts(); return x; }
int main(int argc, char **argv) {
	int threads = atoi(argv[1]); depth = atoi(argv[2]); handle = atoi(argv[3]);
	stack_t s = { .ss_size = 1 << 16 };
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	pthread_t t;
	pthread_attr_t attr;
	char c;
	int i;
	if (argc < 4 || pipe(pipes)) return 1;
	s.ss_sp = malloc(s.ss_size);
	sigaltstack(&s, 0);
	sigaction(SIGUSR1, &a, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 20);
	for (i = 0; i < threads; i++) pthread_create(&t, &attr, thread, 0);
	for (i = 0; i < threads; i++) if (read(pipes[0], &c, 1) != 1) return 1;
	if (threads == 0) { puts("ready"); fflush(stdout); sorts(); }
	puts("ready");
	fflush(stdout);
	for (;;) pause();
}
`

// live builds the program with the newest assembler.
func (x *tools) live(options ...string) string {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		x.t.Skip("there is no gcc")
	}
	for name, tool := range map[string]string{"as": "sid-x86_64-as", "ld": "sid-x86_64-ld"} {
		require.NoError(x.t, os.Symlink(x.path(tool), filepath.Join(x.dir, name)))
	}
	require.NoError(x.t, os.WriteFile(filepath.Join(x.dir, "live.c"), []byte(liveProgram), 0o666))
	x.run(gcc, append(options, "-B", x.dir, "-fno-optimize-sibling-calls", "-Wa,--gsframe", "-pthread", "-o", "live", "live.c")...)
	return filepath.Join(x.dir, "live")
}

// runs starts a program and waits for its first line.
func (x *tools) runs(exe string, args ...string) int {
	c := exec.Command(exe, args...)
	out, err := c.StdoutPipe()
	require.NoError(x.t, err)
	require.NoError(x.t, c.Start())
	x.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(x.t, err)
	require.Equal(x.t, "ready\n", line)
	return c.Process.Pid
}

// traceLive traces a process.
func traceLive(t *testing.T, pid int, opts Options) *Report {
	opts.JSON = true
	p, err := process.Read(pid, corefile.Options{CFI: true}, func(c *corefile.Core, m *corefile.Modules) error {
		_, err := Write(io.Discard, c, m, opts)
		return err
	})
	require.NoError(t, err)
	opts.Process = &Process{ID: pid, Stopped: p.Stopped.Microseconds()}
	var b bytes.Buffer
	_, err = Write(&b, p.Core, p.Mods, opts)
	require.NoError(t, err)
	var r Report
	require.NoError(t, json.Unmarshal(b.Bytes(), &r))
	return &r
}

var gdbLWP = regexp.MustCompile(`^Thread .*(?:LWP|process) (\d+)`)

var gdbPC = regexp.MustCompile(`^#\d+ +(?:(0x[0-9a-f]+) |(<signal handler called>))`)

// gdbLive returns the PCs of the frames that gdb finds in a process, by thread.
func (x *tools) gdbLive(pid int) map[int][]string {
	out := x.run(x.path("gdb-multiarch"), "-nx", "-batch", "-iex", "set debug-file-directory /nonexistent", "-iex", "set debuginfod enabled off",
		"-ex", "set backtrace past-main on", "-ex", "set backtrace past-entry on", "-ex", "set backtrace limit unlimited",
		"-p", strconv.Itoa(pid), "-ex", "thread apply all backtrace")
	all, id := map[int][]string{}, 0
	for line := range strings.Lines(out) {
		if m := gdbLWP.FindStringSubmatch(line); m != nil {
			id, _ = strconv.Atoi(m[1])
		} else if m := gdbPC.FindStringSubmatch(line); m != nil && id != 0 {
			pc := "signal"
			if m[2] == "" {
				v, err := strconv.ParseUint(m[1], 0, 64)
				require.NoError(x.t, err)
				pc = hex(v)
			}
			all[id] = append(all[id], pc)
		}
	}
	require.NotEmpty(x.t, all, out)
	return all
}

// TestInteropProcesses compares the frames of running processes with gdb's. The C library has no
// SFrame data: its frames are found by CFI.
func TestInteropProcesses(t *testing.T) {
	bin := toolchain.Bin(t)
	for _, p := range []struct {
		name    string
		options []string
		args    []string // threads, depth, signal handler
		frames  int      // at least, of a thread
	}{
		{"one", []string{"-O2"}, []string{"0", "3", "0"}, 9},
		{"handler", []string{"-O2"}, []string{"0", "3", "1"}, 12},
		{"threads", []string{"-O0"}, []string{"5", "10", "0"}, 3},
		{"threads-handler", []string{"-O2", "-static"}, []string{"3", "2", "1"}, 3},
		{"deep", []string{"-O1", "-no-pie"}, []string{"1", "2000", "0"}, 3},
	} {
		t.Run(p.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "trace")
			require.NoError(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			x := &tools{t, bin, dir}
			pid := x.runs(x.live(p.options...), p.args...)
			if p.args[0] == "0" {
				awaitPause(t, pid)
			}
			want := x.gdbLive(pid)
			r := traceLive(t, pid, Options{MaxFrames: 1 << 20, Fallback: []Way{ByCFI}, Compare: true})
			assert.Equal(t, pid, r.Process.ID)
			assert.Len(t, r.Threads, len(want))
			for i, th := range r.Threads {
				var have []string
				for _, f := range th.Frames {
					if f.Signal {
						assert.Equal(t, BySignal, f.By)
						assert.Equal(t, "__restore_rt", f.Function)
						have = append(have, "signal")
					} else {
						have = append(have, f.PC)
					}
				}
				assert.Equal(t, want[th.ID], have, "thread %d", th.ID)
				assert.True(t, th.Complete, th.Message)
				assert.GreaterOrEqual(t, len(have), p.frames)
				if i == 0 {
					assert.Equal(t, pid, th.ID)
				}
			}
			assert.Positive(t, r.Frames.SFrame)
			assert.Positive(t, r.Frames.CFI)
			assert.Zero(t, r.Frames.None)
			assert.Zero(t, r.Compared.Differ)
			assert.Positive(t, r.Compared.Frames)
		})
	}
}

// awaitPause waits until a process is in pause(2).
func awaitPause(t *testing.T, pid int) {
	for range 60000 {
		b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "syscall"))
		require.NoError(t, err)
		if bytes.HasPrefix(b, []byte("34 ")) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the process does not wait")
}
