package lintcmd

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// tracerEnv is the environment variable that a process has that traces a program: the ID of
// the guard, which has started it. The program cannot stop or end the guard by a signal to its
// own parent.
const tracerEnv = "SFRAME_LINT_GUARD"

// How long the tracer may stand still, how long it may take to end after it was asked to,
// and how long the guard tries to end what the program has left.
const (
	stillTime  = time.Second
	endTime    = 10 * time.Second
	remainTime = 10 * time.Second
)

// guarded runs the command again in another process and ends what is left of it. It returns
// the exit status of the command. It reports false if this is that process, if the command
// is a part of another program, or if no process can be started: the caller then goes on.
func (a *app) guarded() (status int, ok bool) {
	if os.Getenv(tracerEnv) == strconv.Itoa(os.Getppid()) {
		// The guard and the terminal both pass on a signal: the second one must not end it.
		signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
		return 0, false
	}
	if a.stdout != os.Stdout || a.stderr != os.Stderr || !slices.Equal(a.args, os.Args[1:]) {
		return 0, false
	}
	a.grace.Store(int64(endTime + remainTime + time.Second))
	// PR_SET_PDEATHSIG is about the thread that starts a process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return 0, false
	}
	tty, err := os.Open("/dev/tty")
	if err == nil {
		tty.Close()
	}
	pid, err := syscall.ForkExec("/proc/self/exe", os.Args, &syscall.ProcAttr{
		Env: append(os.Environ(), tracerEnv+"="+strconv.Itoa(os.Getpid())), Files: []uintptr{0, 1, 2},
		// On a terminal, the program stays in the job that the shell knows.
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: err != nil},
	})
	if err != nil {
		return 0, false
	}
	status = a.waitForTracer(pid)
	if !endDescendants() {
		a.printLine("processes that the program has left could not be ended")
		status = program.ExitFailed
	}
	return status, true
}

// waitForTracer waits until the tracer has ended, and returns its exit status. A tracer that was
// stopped by a signal is asked to end.
func (a *app) waitForTracer(tracer int) int {
	states := make(chan unix.WaitStatus)
	go func() {
		for {
			var ws unix.WaitStatus
			switch id, err := unix.Wait4(-1, &ws, unix.WUNTRACED, nil); {
			case errors.Is(err, unix.EINTR) || err == nil && id != tracer:
				continue // what the program has left
			case err != nil:
				close(states)
				return
			}
			states <- ws
			if !ws.Stopped() {
				return
			}
		}
	}()
	asked := a.ctx.Done()
	var still, late <-chan time.Time
	end := func() {
		_ = unix.Kill(tracer, unix.SIGTERM)
		_ = unix.Kill(tracer, unix.SIGCONT)
		if asked, still = nil, nil; late == nil {
			late = time.After(endTime)
		}
	}
	for {
		select {
		case ws, ok := <-states:
			switch {
			case ok && ws.Stopped():
				still = time.After(stillTime) // job control stops and continues the guard too
				continue
			case ok && ws.Exited():
				return ws.ExitStatus()
			case ok:
				a.printLine("the tracer was ended by signal %d", int(ws.Signal()))
			}
			return program.ExitFailed
		case <-still:
			if still = nil; isStopped(tracer) {
				a.printLine("the tracer was stopped, perhaps by the program, and ends")
				end()
				still = time.After(stillTime)
			}
		case <-asked:
			end()
		case <-late:
			_ = unix.Kill(tracer, unix.SIGKILL)
		}
	}
}

// endDescendants kills and reaps all processes that this one and its children have started. It
// reports false if some are left.
func endDescendants() bool {
	ctx, cancel := context.WithTimeout(context.Background(), remainTime)
	defer cancel()
	for {
		for _, id := range descendants(os.Getpid()) {
			_ = unix.Kill(id, unix.SIGKILL)
		}
		for {
			id, err := unix.Wait4(-1, nil, unix.WNOHANG|unix.WALL, nil)
			if errors.Is(err, unix.ECHILD) {
				return true
			}
			if id <= 0 && !errors.Is(err, unix.EINTR) {
				break
			}
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(time.Millisecond):
		}
	}
}
