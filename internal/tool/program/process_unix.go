//go:build unix

package program

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate starts a command in its own process group, so that its children are
// killed with it.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill kills a command and its children; they may have ended already.
func Kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// signalOf returns the number of the signal that ended a process, 0 for none.
func signalOf(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}

// rss returns the most memory that a process had in use, in bytes; 0 if that is unknown.
func rss(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin": // all others count in KiB
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}

// SignalNamed returns a signal's number, 0 for an unknown name.
func SignalNamed(name string) int {
	name = strings.ToUpper(name)
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	return int(unix.SignalNum(name))
}

// SignalName returns the name of a signal.
func SignalName(n int) string { return unix.SignalName(syscall.Signal(n)) }
