// Package process reads the stacks of a running process of Linux.
//
// [Read] stops all threads for as long as its callback walks the stacks, and lets them go on. It
// keeps the memory that the callback has read, so that what follows, such as writing the frames
// to a slow terminal, does not delay the process.
package process

import (
	"errors"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
)

// Process is a process after it was read.
type Process struct {
	Core *corefile.Core // its memory is what was read while the process was stopped
	Mods *corefile.Modules
	// Stopped is the time from the first request to stop to the last thread that goes on.
	Stopped time.Duration
	Missed  []Missed
}

// Missed is a thread that was not stopped.
type Missed struct {
	ID  int
	Why string
}

// ErrUnsupported is the error on other systems and machines.
var ErrUnsupported = errors.New("processes are read on Linux on AMD64 and AArch64 only")

// Limits of the time for threads to stop. One that is in the kernel may not be interruptible.
const patience = 2 * time.Second
