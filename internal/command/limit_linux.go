package command

import (
	"os/exec"

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
