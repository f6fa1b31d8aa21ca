//go:build linux && (amd64 || arm64)

package process

import (
	"errors"
	"fmt"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/budget"
)

// memory reads the memory of a process, and keeps the pages that it has read.
type memory struct {
	f       *os.File // /proc/PID/mem; nil after freeze
	pages   map[int64][]byte
	budget  *budget.Budget
	pacMask uint64
}

const pageSize = 4096 // what is kept at once; it divides the pages of the machine

// pageBytes is about what a page takes.
const pageBytes = pageSize + 64

var errGone = errors.New("not read while the process was stopped")

func openMemory(pid int, b *budget.Budget) (*memory, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, err
	}
	return &memory{f: f, pages: map[int64][]byte{}, budget: b}, nil
}

func (m *memory) close() { m.freeze() }

// freeze ends the access to the process. The pages remain.
func (m *memory) freeze() {
	if m.f != nil {
		_ = m.f.Close()
		m.f = nil
	}
}

// renew drops what was read before the process stopped, and opens its memory again: the process
// may have executed another program.
func (m *memory) renew(pid int) error {
	m.freeze()
	m.budget.Release(budget.Memory, int64(len(m.pages))*pageBytes)
	clear(m.pages)
	n, err := openMemory(pid, m.budget)
	if err != nil {
		return err
	}
	m.f = n.f
	return nil
}

// ReadAt reads the bytes at an address.
func (m *memory) ReadAt(b []byte, addr int64) (n int, err error) {
	for n < len(b) {
		at := addr + int64(n)
		page, err := m.page(at &^ (pageSize - 1))
		if err != nil {
			return n, err
		}
		n += copy(b[n:], page[at&(pageSize-1):])
	}
	return n, nil
}

func (m *memory) page(at int64) ([]byte, error) {
	if p := m.pages[at]; p != nil {
		return p, nil
	}
	if m.f == nil {
		return nil, errGone
	}
	p := make([]byte, pageSize)
	if _, err := m.f.ReadAt(p, at); err != nil {
		return nil, err
	}
	if err := m.budget.Spend(budget.Memory, pageBytes); err != nil {
		return nil, err
	}
	m.pages[at] = p
	return p, nil
}
