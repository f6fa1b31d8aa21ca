package command

import (
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// limit sets the limits of a command that has just started. It may have ended already. There is
// no core file.
func limit(cmd *exec.Cmd, c *Command) {
	set := func(resource int, n uint64) {
		_ = unix.Prlimit(cmd.Process.Pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
	if c.Memory > 0 {
		set(unix.RLIMIT_AS, c.Memory)
	}
	if c.FileSize > 0 {
		set(unix.RLIMIT_FSIZE, c.FileSize)
	}
	if c.Memory > 0 || c.FileSize > 0 {
		set(unix.RLIMIT_CORE, 0)
	}
}

// fixAddresses makes the processes that this thread starts use the same addresses, until what it
// returns is called.
func fixAddresses() (restore func()) {
	const query, noRandomize = 0xffffffff, 0x0040000
	runtime.LockOSThread()
	was, _, err := unix.Syscall(unix.SYS_PERSONALITY, query, 0, 0)
	if err == 0 {
		_, _, err = unix.Syscall(unix.SYS_PERSONALITY, was|noRandomize, 0, 0)
	}
	return func() {
		if err == 0 {
			_, _, _ = unix.Syscall(unix.SYS_PERSONALITY, was, 0, 0)
		}
		runtime.UnlockOSThread()
	}
}
