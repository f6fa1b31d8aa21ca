//go:build unix

package regular

import "syscall"

// readOnly opens a FIFO that has taken the place of a file without blocking.
const readOnly = syscall.O_RDONLY | syscall.O_NONBLOCK
