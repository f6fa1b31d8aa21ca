//go:build unix

package campaign

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps other processes from continuing the campaign at the same time. The system releases
// the lock when the process ends.
func lock(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("%s: another process continues the campaign: %w", f.Name(), err)
	}
	return nil
}
