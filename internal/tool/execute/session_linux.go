//go:build linux && (amd64 || arm64)

package execute

import (
	"context"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/model"
)

// session is a run of a program, however its steps are made.
type session struct {
	cfg     Config
	checker *Checker
	files   *files
	main    int // the first process
	exit    Exit
	tick    time.Time

	mu     sync.Mutex
	ids    map[int]bool // of threads, to be killed
	cut    string
	killed bool
}

func newSession(cfg Config, abi model.ABIInfo, pid int) *session {
	return &session{
		cfg: cfg, main: pid, ids: map[int]bool{pid: true}, tick: time.Now(),
		checker: NewChecker(abi, cfg.Check),
		files:   &files{cfg.Read, map[string]*File{}},
	}
}

// onThread calls trace on a thread of its own, the only one that may make requests to what it traces. The
// thread ends with the call: its personality may have changed.
func onThread(trace func() (*Report, error)) (r *Report, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		r, err = trace()
	}()
	<-done
	return r, err
}

// start starts a program that is to be traced.
func (cfg *Config) start(path string, args []string) (pid int, err error) {
	attr := &syscall.ProcAttr{Dir: cfg.Dir, Env: cfg.Env, Sys: &syscall.SysProcAttr{Ptrace: true}}
	for _, f := range cfg.Files {
		attr.Files = append(attr.Files, f.Fd())
	}
	return syscall.ForkExec(path, args, attr)
}

// report returns what the checker has found when all processes have ended.
func (t *session) report() *Report {
	t.exit.Cut = t.cut
	r := t.checker.Report()
	r.Exit = &t.exit
	return r
}

// watch calls kill when the time of the program is over. It returns a function that ends that.
func (t *session) watch(ctx context.Context, kill func(why string)) func() {
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		var over <-chan time.Time
		if t.cfg.For > 0 {
			timer := time.NewTimer(t.cfg.For)
			defer timer.Stop()
			over = timer.C
		}
		select {
		case <-end:
		case <-over:
			kill("time")
		case <-ctx.Done():
			kill(Canceled)
		}
	})
	return func() { close(end); wg.Wait() }
}

// kill ends all traced processes, now and from now on, and records why. Each thread gets the
// signal: what clone makes may be a process of its own.
func (t *session) kill(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut == "" {
		t.cut = why
	}
	t.killed = true
	for id := range t.ids {
		_ = unix.Kill(id, unix.SIGKILL)
	}
}

// look reports the progress.
func (t *session) look(st *Stats) {
	if now := time.Now(); t.cfg.Progress != nil && now.Sub(t.tick) >= time.Second {
		t.tick = now
		t.cfg.Progress(*st)
	}
}

// ends records how the program ended, if the thread is its first one.
func (t *session) ends(id int, ws unix.WaitStatus) {
	if id != t.main {
		return
	}
	t.exit.Status = ws.ExitStatus()
	if ws.Signaled() {
		t.exit.Status, t.exit.Signal = -1, int(ws.Signal())
	}
}

// follow adds a thread to those that are killed.
func (t *session) follow(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids[id] = true
	if t.killed {
		_ = unix.Kill(id, unix.SIGKILL)
	}
}

// forget takes a thread out of those that are killed.
func (t *session) forget(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.ids, id)
}

// counts reports whether a step is to be checked, before the step, and ends the program after
// the last one.
func (t *session) counts() bool {
	st := &t.checker.stats
	if st.Steps&0xffff == 0 {
		t.look(st)
	}
	if t.cfg.Steps > 0 && st.Steps >= t.cfg.Steps {
		t.kill("steps")
		return false
	}
	return true
}

// skips counts a step that is not passed to the checker.
func (t *session) skips() {
	if t.counts() {
		t.checker.stats.Steps++
		t.checker.stats.NoFDE++
	}
}
