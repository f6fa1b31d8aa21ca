package shard

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate gives a worker its own process group, and lets the system end it with this process.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// limitMemory bounds the address space of a worker that has just started.
func limitMemory(cmd *exec.Cmd, bytes int64) {
	if bytes > 0 {
		_ = unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}, nil)
		_ = unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	}
}

// peakMemory returns the most memory that a process had in use, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Maxrss) << 10 // an int32 on 32-bit systems
	}
	return 0
}
