package program

import (
	"runtime"

	"golang.org/x/sys/unix"
)

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
