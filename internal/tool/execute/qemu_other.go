//go:build !linux || !amd64

package execute

import (
	"context"
	"errors"
)

// ErrNoQemu says that qemu cannot be traced on this system.
var ErrNoQemu = errors.New("programs can be executed with qemu only on Linux on AMD64")

// Emulate executes a program in qemu's user mode and checks its steps.
func Emulate(context.Context, Config) (*Report, error) { return nil, ErrNoQemu }
