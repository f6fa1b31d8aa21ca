//go:build linux

package hostile

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// limits are what a run may take.
type limits struct {
	memory int64         // bytes, plus what its sections are allowed: see memoryFor
	loops  int           // CPU time, of which loop takes one
	cpu    time.Duration // of that many loops, measured before the runs of an input
	output int64         // bytes on standard output and error
	hard   int64         // bytes of address space, which the kernel enforces
}

// late is the part of its memory by which a run may exceed it before the garbage collector is done.
const late = 20

// memoryFor returns the memory that a run may take. The bytes of a file that are not those of its
// largest SFrame section may be in other sections; those of an archive are in many objects.
func (l *limits) memoryFor(in *input, path string) int64 {
	most := l.memory + budget.PromiseSection*in.section
	if bytes.HasPrefix(readHead(path, 4), []byte(elf.ELFMAG)) {
		most += budget.PromiseContent * max(allocated(path)-in.section-budget.FreeContent, 0)
	}
	if in.packed {
		most += budget.PromisePacked + budget.PromisePackedEach*allocated(path)
	}
	if slices.Contains(in.modes, "asm") { // what a text may make, repeat and read
		most += 64<<20 + 16*allocated(path)
	}
	return most + most/late
}

// loop returns the CPU time that a thread takes for fixed work: what a run may take is a multiple of it, on any machine.
func loop() time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const thread = 1 // RUSAGE_THREAD
	used := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(thread, &u) // fails for no valid argument
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before, m, random := used(), map[uint64]bool{}, rand.New(rand.NewPCG(1, 2))
	for range 1 << 18 {
		m[random.Uint64()] = true
	}
	_ = slices.Sorted(maps.Keys(m))
	return used() - before
}

// cpuFor returns the CPU time that a run may take: reading and checking a GiB takes
// longer than anything else that a file can have, and each of very many files a
// ten-thousandth.
func (l *limits) cpuFor(in *input, m *mode, path string) time.Duration {
	one := l.cpu + 3*l.cpu*time.Duration(in.section>>20)/(1<<10) + time.Duration(in.files)*l.cpu/10_000
	if in.packed { // 2 GiB are decompressed, and what --limit max-read adds for its bytes
		one += l.cpu + time.Duration(float64(l.cpu)*float64(allocated(path))/1e7)
	}
	return one * time.Duration(max(m.checks, 1))
}

// outputFor returns the bytes that a run may write. A file that replaces the input may have what
// the input has, and holes where that has holes, and new sections.
func (l *limits) outputFor(in *input, m *mode, path string) int64 {
	if m.file != nil && !m.whole {
		return l.output + allocated(path) + 3*in.section
	}
	if m.whole {
		// An FRE of 3 bytes makes 300 of JSON, and a relocation of 24 bytes 100.
		return l.output + 100*in.section + 4<<10*int64(in.members) + 5*min(allocated(path), 100<<20)
	}
	return l.output + 4<<10*int64(in.files+in.members)
}

// result is what a run took.
type result struct {
	mode   string
	status int
	memory int64
	cpu    time.Duration
	output int64
	over   []string // what exceeded its limit or went wrong
}

// suite runs the program.
type suite struct {
	program string
	self    string // this test, which makes inputs in a process of its own
	dir     string
	limits  limits
}

// build makes an input in an empty directory. Another process does it: the memory of
// a process counts for what it starts.
func (s *suite) build(in *input, dir string) (string, error) {
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	cmd := exec.Command(s.self, "-make", in.name, "-dir", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// run runs the program once.
func (s *suite) run(in *input, m *mode, path string) (result, error) {
	res := result{mode: m.name}
	before := listing(path)
	out, err := os.Create(filepath.Join(s.dir, "stdout"))
	if err != nil {
		return res, err
	}
	defer out.Close()
	errs, err := os.Create(filepath.Join(s.dir, "stderr"))
	if err != nil {
		return res, err
	}
	defer errs.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*s.limits.cpuFor(in, m, path))
	defer cancel()
	// The shell sets limits that stop a run which the machine could not bear.
	most := s.limits.outputFor(in, m, path) + 8*s.limits.output
	if m.change || m.file != nil {
		most += huge // a copy has the length of the input, which may be a hole
	}
	script := fmt.Sprintf(`ulimit -v %d; ulimit -f %d; exec "$@"`, (s.limits.hard+4*in.section)>>10, most/512)
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", script, "sh", s.program}, m.args(path)...)...)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GOMEMLIMIT=") || strings.HasPrefix(v, "GOGC=") || strings.HasPrefix(v, "GODEBUG=")
	})
	forget()
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return res, err
	}
	use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	res.memory = int64(use.Maxrss) << 10
	res.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	res.status = cmd.ProcessState.ExitCode()
	for _, f := range []*os.File{out, errs} {
		if info, err := f.Stat(); err == nil {
			res.output += info.Size()
		}
	}
	if most := s.limits.memoryFor(in, path); res.memory > most {
		res.over = append(res.over, fmt.Sprintf("memory %s of %s", mib(res.memory), mib(most)))
	}
	if m.file != nil {
		res.output += allocated(written(path))
	}
	s.judge(in, m, path, &res, ctx.Err() != nil)
	if m.file != nil {
		if err := os.RemoveAll(written(path)); err != nil {
			return res, err
		}
	}
	if after := listing(path); !in.tree && after != before {
		res.over = append(res.over, fmt.Sprintf("leaves %s of %s", after, before))
	}
	return res, nil
}

// allocated returns the bytes of a file that are not in holes; 0 if there is none.
func allocated(path string) int64 {
	var info syscall.Stat_t
	if syscall.Stat(path, &info) != nil {
		return 0
	}
	return min(info.Blocks*512, info.Size)
}

// listing returns the first names in the directory of an input, and their number.
func listing(path string) string {
	all, _ := os.ReadDir(filepath.Dir(path)) // a directory that cannot be read differs
	s := fmt.Sprint(len(all))
	for _, e := range all[:min(len(all), 5)] {
		s += " " + e.Name()
	}
	return s
}

// forget gives memory back and resets its peak: until a new process executes the
// program, its memory is that of this one.
func forget() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // best effort: an old kernel counts more
}

// judge lists what a run did that it may not do.
func (s *suite) judge(in *input, m *mode, path string, res *result, late bool) {
	over := func(format string, args ...any) { res.over = append(res.over, fmt.Sprintf(format, args...)) }
	if most := s.limits.cpuFor(in, m, path); res.cpu > most {
		over("CPU time %.1f s of %.1f s", res.cpu.Seconds(), most.Seconds())
	}
	if most := s.limits.outputFor(in, m, path); res.output > most {
		over("output %s of %s", mib(res.output), mib(most))
	}
	stderr, stdout := filepath.Join(s.dir, "stderr"), filepath.Join(s.dir, "stdout")
	head := readHead(stderr, 1<<20)
	switch {
	case late:
		over("never ends")
	case res.status < 0:
		over("killed")
	case m.wrong != (res.status == 2) || res.status > 3 || in.healthy && res.status != 0:
		over("status %d: %.80q", res.status, head)
	}
	if res.output == 0 {
		over("writes nothing")
	}
	for _, bad := range []string{"internal error", "panic:", "fatal error:"} {
		if bytes.Contains(head, []byte(bad)) {
			over("%s", bad)
		}
	}
	if res.status < 0 || late {
		return
	}
	check := func(what, path string, valid func(*os.File) error) {
		f, err := os.Open(path)
		if err == nil {
			err = errors.Join(valid(f), f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			over("%s%v", what, err)
		}
	}
	check("standard error: ", stderr, isText)
	if m.valid != nil {
		check("", stdout, m.valid)
	}
	if m.file != nil {
		check("written: ", written(path), m.file)
	}
}

func readHead(path string, n int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, n)
	k, _ := f.Read(b)
	return b[:k]
}

func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
