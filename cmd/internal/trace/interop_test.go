package trace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// program is one way to build and run the program of testdata/src.
type program struct {
	arch    string // of the tools
	suite   string // of the assembler and linker
	big     bool   // AArch64
	pac     bool   // AArch64: functions sign their return addresses
	dynamic bool
	signal  bool // it crashes once more in a signal handler
	wait    bool // it waits, and gdb writes the core
}

func (p program) name() string {
	n := p.suite + "-" + p.arch
	for _, x := range []struct {
		is   bool
		name string
	}{{p.big, "-be"}, {p.pac, "-pac"}, {p.dynamic, "-dynamic"}, {p.signal, "-signal"}, {p.wait, "-gcore"}} {
		if x.is {
			n += x.name
		}
	}
	return n
}

var programs = []program{
	{arch: "x86_64", suite: "sid"},
	{arch: "x86_64", suite: "sid", dynamic: true},
	{arch: "x86_64", suite: "sid", signal: true},
	{arch: "x86_64", suite: "sid", dynamic: true, signal: true},
	{arch: "x86_64", suite: "sid", wait: true},
	{arch: "x86_64", suite: "sid", dynamic: true, wait: true},
	{arch: "x86_64", suite: "trixie", dynamic: true},
	{arch: "x86_64", suite: "bookworm", dynamic: true},
	{arch: "aarch64", suite: "sid"},
	{arch: "aarch64", suite: "sid", signal: true},
	{arch: "aarch64", suite: "sid", pac: true},
	{arch: "aarch64", suite: "sid", pac: true, big: true, signal: true},
	{arch: "aarch64", suite: "trixie", pac: true},
	{arch: "aarch64", suite: "trixie"},
	{arch: "aarch64", suite: "bookworm"},
	{arch: "aarch64", suite: "sid", big: true},
	{arch: "aarch64", suite: "sid", big: true, signal: true},
	{arch: "s390x", suite: "sid"},
	{arch: "s390x", suite: "sid", signal: true},
	{arch: "aarch64", suite: "sid", dynamic: true},
	{arch: "aarch64", suite: "sid", dynamic: true, signal: true},
	{arch: "s390x", suite: "sid", dynamic: true},
	{arch: "s390x", suite: "sid", dynamic: true, signal: true},
}

// loaders are the paths of the dynamic linkers.
var loaders = map[string]string{
	"x86_64": "/lib64/ld-linux-x86-64.so.2", "aarch64": "/lib/ld-linux-aarch64.so.1", "s390x": "/lib/ld64.so.1",
}

// tools runs real tools.
type tools struct {
	t   *testing.T
	bin string
	dir string // of the program
}

func (x *tools) path(name string) string {
	p := filepath.Join(x.bin, name)
	if _, err := os.Stat(p); err != nil {
		x.t.Skipf("%s: see scripts/toolchains", err)
	}
	return p
}

// run runs a command and returns what it prints.
func (x *tools) run(name string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = x.dir
	out, err := cmd.CombinedOutput()
	require.NoError(x.t, err, "%s %v: %s", name, args, out)
	return string(out)
}

// build assembles and links the program, and returns the executable.
func (x *tools) build(p program) string {
	src, err := filepath.Abs("testdata/src")
	require.NoError(x.t, err)
	var order []string
	if p.big {
		order = []string{"-EB"}
	}
	settings := fmt.Sprintf(".globl want_signal\n.globl want_wait\n.section .rodata\n.balign 4\nwant_signal: .long %d\nwant_wait: .long %d\n",
		number(p.signal), number(p.wait))
	require.NoError(x.t, os.WriteFile(filepath.Join(x.dir, "settings.s"), []byte(settings), 0o666))
	as, ld := x.path(p.suite+"-"+p.arch+"-as"), x.path(p.suite+"-"+p.arch+"-ld")
	for _, name := range []string{"prog", "shared", "restorer"} {
		variant := p.arch
		if p.pac && name == "prog" {
			variant += "-pac"
		}
		x.run(as, append(order, "--gsframe", "-o", name+".o", filepath.Join(src, name+"-"+variant+".s"))...)
	}
	x.run(as, append(order, "-o", "settings.o", "settings.s")...)
	link := append(order, "--build-id", "-z", "noseparate-code", "-z", "max-page-size=4096", "-o", "prog", "prog.o", "restorer.o", "settings.o")
	if p.dynamic {
		x.run(ld, append(order, "-shared", "--build-id", "-o", "libshared.so", "shared.o")...)
		if p.arch == "x86_64" { // gdb does not place one in a core of qemu, which lacks its headers
			link = append(link, "-pie")
		}
		link = append(link, "libshared.so", "-rpath", x.dir, "--dynamic-linker", loaders[p.arch])
	} else {
		link = append(link, "shared.o")
	}
	x.run(ld, link...)
	return filepath.Join(x.dir, "prog")
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// dump runs the program and returns its core.
func (x *tools) dump(p program) string {
	if p.wait {
		return x.gcore()
	}
	start := "ulimit -c unlimited && exec ./prog"
	if p.arch != "x86_64" {
		qemu := "qemu-" + p.arch
		if p.big {
			qemu += "_be"
		}
		cpu := "qemu"
		switch {
		case p.pac:
			cpu = "max"
		case p.arch == "aarch64":
			cpu = "cortex-a72" // gdb 13 hangs at a signal frame with SVE
		}
		start = "ulimit -c unlimited && exec " + x.path(qemu) + " -cpu " + cpu + " -L " + x.root(p) + " ./prog"
	} else if pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern"); err != nil || bytes.ContainsAny(pattern, "|/") {
		x.t.Skipf("the kernel writes cores elsewhere: %s", pattern)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", start)
	cmd.Dir = x.dir
	out, err := cmd.CombinedOutput()
	require.Error(x.t, err, "it must crash: %s", out)
	var cores []string
	for _, pattern := range []string{"qemu_*.core", "core", "core.*"} {
		if found, _ := filepath.Glob(filepath.Join(x.dir, pattern)); len(cores) == 0 {
			cores = found
		}
	}
	if len(cores) == 0 {
		x.t.Skipf("no core was written: %v: %s", err, out)
	}
	return cores[0]
}

// root returns the directory of the C library of another machine.
func (x *tools) root(p program) string {
	root := filepath.Join("..", "bookworm", "usr", p.arch+"-linux-gnu")
	if p.dynamic {
		x.path(filepath.Join(root, loaders[p.arch]))
	}
	return filepath.Join(x.bin, root)
}

// gcore has gdb write the core of the program when it waits.
func (x *tools) gcore() string {
	cmd := exec.Command(filepath.Join(x.dir, "prog"))
	require.NoError(x.t, cmd.Start())
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	core := filepath.Join(x.dir, "core")
	stat := fmt.Sprintf("/proc/%d/syscall", cmd.Process.Pid)
	for deadline := time.Now().Add(time.Minute); ; {
		b, err := os.ReadFile(stat)
		if err != nil || bytes.HasPrefix(b, []byte("34 ")) || time.Now().After(deadline) {
			break // it is in pause(2)
		}
		time.Sleep(time.Millisecond)
	}
	out, err := exec.Command(x.path("gdb-multiarch"), "-nx", "-batch", "-p", strconv.Itoa(cmd.Process.Pid), "-ex", "generate-core-file "+core).CombinedOutput()
	if _, serr := os.Stat(core); serr != nil {
		x.t.Skipf("gdb wrote no core: %v: %s", err, out)
	}
	return core
}

var (
	gdbThread = regexp.MustCompile(`^Thread .*LWP (\d+)\)`)
	gdbFrame  = regexp.MustCompile(`^#\d+ +(?:(0x[0-9a-f]+)(?: \[PAC\])? in (\S+) \(\)|(<signal handler called>))`)
)

// frames returns the frames that gdb finds in a core.
func (x *tools) frames(p program, exe, core string, r *Report) map[int][]string {
	id := r.Threads[0].ID
	if p.pac {
		c := readCore(x.t, core)
		c.pacMask()
		core = c.write(core + ".pac")
	}
	all := x.gdb(p, exe, core, id)
	if p.arch != "aarch64" || !p.big || !p.signal {
		return all
	}
	// gdb takes the code of a big-endian program's trampoline for big-endian, and does not
	// see what it is. The frames below it are those of a core with the registers that the
	// signal interrupted.
	at := slices.IndexFunc(r.Threads[0].Frames, func(f Frame) bool { return f.Signal })
	require.Positive(x.t, at)
	require.Contains(x.t, all[id][at], "??")
	c := readCore(x.t, core)
	c.interrupt(address(x.t, r.Threads[0].Frames[at].SP))
	below := x.gdb(p, exe, c.write(core+".interrupted"), id)
	all[id] = append(append(all[id][:at:at], "signal"), below[id]...)
	return all
}

// gdb returns the frames that gdb finds, by thread. It cannot list the threads of
// some cores of qemu, which have one.
func (x *tools) gdb(p program, exe, core string, only int) map[int][]string {
	command, last := "thread apply all backtrace", "echo"
	if p.arch != "x86_64" {
		last = "backtrace"
		command = fmt.Sprintf("echo Thread 1 (LWP %d)\\n", only)
	}
	out := x.run(x.path("gdb-multiarch"), "-nx", "-batch", "-ex", command, "-ex", last, exe, core)
	all, id := map[int][]string{}, 0
	for line := range strings.Lines(out) {
		if m := gdbThread.FindStringSubmatch(line); m != nil {
			id, _ = strconv.Atoi(m[1])
		} else if m := gdbFrame.FindStringSubmatch(line); m != nil && id != 0 {
			if m[3] != "" {
				all[id] = append(all[id], "signal")
				continue
			}
			pc, err := strconv.ParseUint(m[1], 0, 64)
			require.NoError(x.t, err)
			all[id] = append(all[id], fmt.Sprintf("0x%x %s", pc, m[2]))
		}
	}
	require.NotEmpty(x.t, all, out)
	return all
}

// brief writes frames as [tools.gdb] does.
func brief(fs []Frame) (out []string) {
	for _, f := range fs {
		if f.Signal {
			out = append(out, "signal")
		} else {
			out = append(out, f.PC+" "+f.Function)
		}
	}
	return out
}

// TestInteropCores compares backtraces of real cores with gdb's.
func TestInteropCores(t *testing.T) {
	bin := toolchain.Bin(t)
	for _, p := range programs {
		t.Run(p.name(), func(t *testing.T) {
			dir, err := os.MkdirTemp("", "trace")
			require.NoError(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			x := &tools{t, bin, dir}
			exe := x.build(p)
			core := x.dump(p)
			r := report(t, core, exe)
			require.NotEmpty(t, r.Threads)
			x.functions(p, &r.Threads[0])
			x.compare(p, r, x.frames(p, exe, core, r))
			if p.arch == "x86_64" {
				x.otherFile(exe, core)
			}
			if *store && !t.Failed() {
				keep(t, p, core, exe, r)
			}
		})
	}
}

// otherFile checks that a file with another build ID is reported.
func (x *tools) otherFile(exe, core string) {
	b, err := os.ReadFile(exe)
	require.NoError(x.t, err)
	at := bytes.Index(b, []byte("\x03\x00\x00\x00GNU\x00"))
	require.Positive(x.t, at)
	b[at+8] ^= 1
	require.NoError(x.t, os.WriteFile(exe+".other", b, 0o666))
	r := report(x.t, core, exe+".other")
	i := slices.IndexFunc(r.Modules, func(m Module) bool { return m.File == exe+".other" })
	require.GreaterOrEqual(x.t, i, 0)
	assert.Contains(x.t, r.Modules[i].Error, "not used: its build ID is ")
	assert.Equal(x.t, unwind.NoSection, r.Threads[0].Reason)
}

// functions compares the first thread with the source. Before V3, no FDE could
// describe the realigned frame of AMD64, and these assemblers could not write that RA
// is undefined.
func (x *tools) functions(p program, th *Thread) {
	early := p.suite != "sid"
	all := []string{"fault", "shared", "deep", "deep", "deep", "deep", "realigned", "dynamic", "c_main", "_start"}
	switch {
	case early && p.arch == "x86_64":
		all = all[:7]
		assert.Equal(x.t, unwind.NoFDE, th.Reason)
	case early:
		assert.Equal(x.t, unwind.UnsavedRA, th.Reason)
	default:
		assert.True(x.t, th.Complete, th.Message)
	}
	top := "leaf"
	if p.wait {
		top = "waiter"
	}
	want := append([]string{top}, all...)
	if p.signal {
		want = append([]string{"leaf", "fault", "handler", "__restore_rt"}, want...)
	}
	var have []string
	for i := range th.Frames {
		have = append(have, th.Frames[i].Function)
	}
	assert.Equal(x.t, want, have)
	for i := range th.Frames {
		// CFI expresses what V1 and V2 do not.
		assert.Equal(x.t, early && i == len(th.Frames)-1, th.Frames[i].CFI != "", "frame %d: %s", i, th.Frames[i].CFI)
	}
}

// compare compares all threads with gdb's frames, as far as a trace gets.
func (x *tools) compare(p program, r *Report, want map[int][]string) {
	assert.Len(x.t, r.Threads, len(want))
	for _, th := range r.Threads {
		have, all := brief(th.Frames), want[th.ID]
		if !th.Complete {
			all = all[:min(len(have), len(all))]
		}
		assert.Equal(x.t, all, have, "thread %d: %s", th.ID, th.Message)
	}
}
