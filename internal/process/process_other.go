//go:build !linux || (!amd64 && !arm64)

package process

import "github.com/sframe-lint/sframe-lint/internal/corefile"

// Read returns [ErrUnsupported].
func Read(int, corefile.Options, func(*corefile.Core, *corefile.Modules) error) (*Process, error) {
	return nil, ErrUnsupported
}
