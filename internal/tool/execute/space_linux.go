//go:build linux && (amd64 || arm64)

package execute

import (
	"bytes"
	"fmt"
	"os"
	"sort"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/reader"
)

// files are the ELF files of all processes, each read once.
type files struct {
	opts reader.Options
	all  map[string]*File
}

func (fs *files) open(path string) *File {
	f := fs.all[path]
	if f == nil {
		f = OpenFile(path, fs.opts)
		fs.all[path] = f
	}
	return f
}

// region is a mapping with code and its file.
type region struct {
	Mapping
	image *Image // nil for code that is in no file
	// steps says that the code is executed step by step: the file has SFrame data.
	steps   bool
	planted bool
}

// memory is the address space of a traced process. It satisfies [Space].
type memory struct {
	remote
	mem     int // /proc/PID/mem
	files   *files
	regions []region
	last    *region
	// saved are the bytes of code that breakpoints have replaced.
	saved map[uint64]patch
	// plants says that code without SFrame data was executed: functions of the other files
	// have breakpoints, since they may be called from there.
	plants bool
	hidden map[uint64]int // breakpoints that are hidden, and for how many threads
	users  int
}

type patch [trapSize]byte

func newMemory(pid int, fs *files) (*memory, error) {
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/mem", pid), unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	m := &memory{remote: remote{pid: pid}, mem: fd, files: fs, saved: map[uint64]patch{}, hidden: map[uint64]int{}}
	return m, m.rescan()
}

func (m *memory) close() { _ = unix.Close(m.mem) }

// rescan reads which files are mapped.
func (m *memory) rescan() error {
	all, err := mappings(m.pid, "x")
	if err != nil {
		return err
	}
	old := m.regions
	m.regions, m.last = nil, nil
	for _, x := range all {
		r := region{Mapping: x}
		for i := range old {
			if old[i].Mapping == x {
				r = old[i]
			}
		}
		if r.image == nil {
			m.load(&r)
		}
		m.regions = append(m.regions, r)
	}
	if m.plants {
		return m.plantAll()
	}
	return nil
}

// load opens the file of a region.
func (m *memory) load(r *region) {
	switch {
	case r.Path == vdso:
		image := make([]byte, r.End-r.Start)
		if m.ReadMemory(r.Start, image) != nil {
			return
		}
		f := OpenImage(vdso, bytes.NewReader(image), int64(len(image)), m.files.opts)
		r.image = &Image{&Module{Name: vdso, Bias: r.Start, File: f}, r.Start, r.End}
		r.steps = true // it is small, and the kernel's SFrame data may come
	case strings.HasPrefix(r.Path, "/"):
		f := m.files.open(strings.TrimSuffix(r.Path, " (deleted)"))
		bias := f.Bias(&r.Mapping, uint64(os.Getpagesize()))
		r.image = &Image{&Module{Name: r.Path, Bias: bias, File: f}, r.Start, r.End}
		r.steps = len(f.Sections) > 0
	}
}

// region returns the mapping that contains an address of code, nil for none.
func (m *memory) region(pc uint64) *region {
	if r := m.last; r != nil && pc >= r.Start && pc < r.End {
		return r
	}
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].End > pc })
	if i == len(m.regions) || pc < m.regions[i].Start {
		return nil
	}
	m.last = &m.regions[i]
	return m.last
}

// steps reports whether code at an address is executed step by step.
func (m *memory) steps(pc uint64) bool {
	r := m.region(pc)
	return r != nil && r.steps
}

// Image satisfies [Space].
func (m *memory) Image(pc uint64) (*Image, bool) {
	r := m.region(pc)
	if r == nil || r.image == nil {
		return nil, false
	}
	return r.image, true
}

// Code satisfies [Space]. Breakpoints do not show.
func (m *memory) Code(pc uint64, b []byte) int {
	n := m.remote.Code(pc, b)
	for i := range b[:n] {
		for back := range min(trapSize, i+1) { // a breakpoint that starts here or before
			if p, ok := m.saved[pc+uint64(i-back)]; ok {
				b[i] = p[back]
			}
		}
	}
	return n
}

// isCall reports whether the instruction at an address is a system call.
func (m *memory) isCall(pc uint64) bool {
	var b [len(systemCallCode)]byte
	return m.ReadMemory(pc, b[:]) == nil && b == systemCallCode
}

func (m *memory) write(addr uint64, b []byte) error {
	n, err := unix.Pwrite(m.mem, b, int64(addr))
	if err == nil && n < len(b) {
		err = errShort
	}
	return err
}

// plantAll sets breakpoints at the functions of all files with SFrame data.
func (m *memory) plantAll() error {
	m.plants = true
	for i := range m.regions {
		r := &m.regions[i]
		if !r.steps || r.planted || r.Path == vdso || r.image == nil {
			continue
		}
		r.planted = true
		for _, s := range r.image.Sections {
			for i := range s.NumFDEs() {
				fn := s.FDE(i)
				pc := fn.Start() + r.image.Bias
				if fn.Size() == 0 || pc < r.Start || pc >= r.End || !m.isFunction(r.image, pc) {
					continue
				}
				if err := m.plant(pc); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// isFunction reports whether a symbol or the CFI confirm that a function starts at an address
// where an SFrame FDE does: a breakpoint inside an instruction would change the program. The
// first stub of a PLT is not a function: its callers have pushed more than a return address.
func (m *memory) isFunction(im *Image, pc uint64) bool {
	if _, off, ok := im.Symbol(pc); ok {
		return off == 0
	}
	var code [4]byte
	return im.StartsCFI(pc) && m.ReadMemory(pc, code[:]) == nil && !firstStub(code)
}

// plant sets a breakpoint.
func (m *memory) plant(pc uint64) error {
	if _, ok := m.saved[pc]; ok {
		return nil
	}
	var p patch
	if err := m.ReadMemory(pc, p[:]); err != nil {
		return err
	}
	if err := m.write(pc, trap[:]); err != nil {
		return err
	}
	m.saved[pc] = p
	return nil
}

// restoreInsn puts the instruction of a breakpoint back for a thread, and reports whether there was
// one.
func (m *memory) restoreInsn(pc uint64) bool {
	p, ok := m.saved[pc]
	if !ok {
		return false
	}
	if m.hidden[pc]++; m.hidden[pc] == 1 {
		_ = m.write(pc, p[:])
	}
	return true
}

// show sets a breakpoint again when no thread needs it hidden.
func (m *memory) show(pc uint64) {
	if m.hidden[pc]--; m.hidden[pc] == 0 {
		delete(m.hidden, pc)
		_ = m.write(pc, trap[:])
	}
}

// clone returns the memory of a child of fork.
func (m *memory) clone(pid int) (*memory, error) {
	n, err := newMemory(pid, m.files)
	if err != nil {
		return nil, err
	}
	for pc, p := range m.saved {
		n.saved[pc] = p
	}
	n.plants = m.plants
	for i := range n.regions {
		n.regions[i].planted = m.plants
	}
	return n, nil
}

// restore removes all breakpoints.
func (m *memory) restore() {
	for pc, p := range m.saved {
		_ = m.write(pc, p[:])
	}
	clear(m.saved)
}
