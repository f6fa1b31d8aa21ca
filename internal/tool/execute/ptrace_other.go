//go:build !linux || (!amd64 && !arm64)

package execute

import (
	"context"
	"errors"
)

// ErrNoPtrace says that programs cannot be traced on this system.
var ErrNoPtrace = errors.New("programs can be executed step by step only on Linux, on AMD64 and AArch64")

// Start executes a program and checks its steps.
func Start(context.Context, Config) (*Report, error) { return nil, ErrNoPtrace }
