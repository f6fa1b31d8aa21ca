//go:build linux && (amd64 || arm64)

package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// status is a part of /proc/PID/status.
type status struct {
	tgid, uid int
	tracer    int    // ID of the thread that traces it, 0 for none
	state     string // such as "D (disk sleep)"
}

func readStatus(id int) (status, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return status{}, errors.New("there is no such process")
	}
	var st status
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		first, _, _ := strings.Cut(strings.TrimSpace(value), "\t")
		switch name {
		case "Tgid":
			st.tgid, _ = strconv.Atoi(first)
		case "TracerPid":
			st.tracer, _ = strconv.Atoi(first)
		case "Uid":
			st.uid, _ = strconv.Atoi(first)
		case "State":
			st.state = first
		}
	}
	return st, err
}

// alive reports whether a thread exists and has not ended.
func alive(id int) bool {
	st, err := readStatus(id)
	return err == nil && !strings.HasPrefix(st.state, "Z") && !strings.HasPrefix(st.state, "X")
}

// inState returns the state of a thread in words.
func inState(id int) string {
	st, err := readStatus(id)
	if err != nil {
		return "it has ended"
	}
	return "its state is " + st.state
}

// explain says why a thread cannot be traced.
func explain(id int, err error) error {
	st, stErr := readStatus(id)
	if stErr != nil {
		return stErr
	}
	return st.explain(err)
}

// scopeFile has the setting of the Yama security module.
const scopeFile = "/proc/sys/kernel/yama/ptrace_scope"

func (st *status) explain(err error) error {
	if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EACCES) {
		return err
	}
	if t, err := readStatus(st.tracer); st.tracer != 0 && err == nil {
		st.tracer = t.tgid // it is a thread
	}
	scope, _ := os.ReadFile(scopeFile)
	return errors.New(st.denied(os.Geteuid(), strings.TrimSpace(string(scope))))
}

// denied returns why a user may not trace the thread. scope is the setting of Yama, "" without it.
func (st *status) denied(user int, scope string) string {
	switch {
	case st.tracer != 0:
		return fmt.Sprintf("process %d traces it already", st.tracer)
	case strings.HasPrefix(st.state, "Z"):
		return "it has ended, and its parent has not noticed"
	case user != 0 && st.uid != user:
		return fmt.Sprintf("it belongs to the user with ID %d: that user, or one with CAP_SYS_PTRACE, may trace it", st.uid)
	case scope == "1":
		return "kernel.yama.ptrace_scope is 1: only its parent, or a user with CAP_SYS_PTRACE, may trace it"
	case scope == "2":
		return "kernel.yama.ptrace_scope is 2: only a user with CAP_SYS_PTRACE may trace it"
	case scope == "3":
		return "kernel.yama.ptrace_scope is 3: no user may trace processes until the system restarts"
	}
	return "no permission to trace it: that needs CAP_SYS_PTRACE, as for a program with more rights than its user, or one in another container"
}
