//go:build linux && (amd64 || arm64)

package execute

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// mappings returns the mappings of a process, by address: all, or those with a permission, as
// /proc/PID/maps writes it.
func mappings(pid int, permission string) ([]Mapping, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	regions, err := ReadRegions(f)
	var all []Mapping
	for _, r := range regions {
		if strings.Contains(r.Permissions, permission) {
			all = append(all, r.Mapping)
		}
	}
	return all, err
}

// vdso is the path of the mapping of the vDSO.
const vdso = "[vdso]"

// remote reads the memory of a process that is stopped.
type remote struct {
	pid  int // of a thread that can be asked
	here [1]unix.Iovec
	far  [1]unix.RemoteIovec
}

var errShort = errors.New("memory cannot be read")

// ReadMemory satisfies [Space].
func (r *remote) ReadMemory(addr uint64, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	r.here[0].Base = &b[0]
	r.here[0].SetLen(len(b))
	r.far[0] = unix.RemoteIovec{Base: uintptr(addr), Len: len(b)}
	n, err := unix.ProcessVMReadv(r.pid, r.here[:], r.far[:], 0)
	r.here[0].Base = nil
	if err == nil && n < len(b) {
		err = errShort
	}
	return err
}

// Code satisfies [Space].
func (r *remote) Code(pc uint64, b []byte) int {
	n := len(b)
	for n > 0 && r.ReadMemory(pc, b[:n]) != nil {
		n-- // the end of a mapping
	}
	return n
}
