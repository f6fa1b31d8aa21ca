package execute

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind/corefile"
)

// guestSpace is the memory of a program that qemu executes. It satisfies [Space].
type guestSpace struct {
	pid    int    // of qemu
	base   uint64 // host address of the program's address 0
	page   uint64 // bytes of a page
	abi    *model.ABIInfo
	files  *files
	images []*Image        // mappings of ELF files of the ABI
	missed map[uint64]bool // pages of code in no file
}

func newGuestSpace(g *guest, abi *model.ABIInfo, fs *files) *guestSpace {
	return &guestSpace{pid: g.pid, base: g.base, page: uint64(os.Getpagesize()), abi: abi, files: fs, missed: map[uint64]bool{}}
}

// ReadMemory satisfies [Space].
func (s *guestSpace) ReadMemory(addr uint64, b []byte) error {
	return readProcess(s.pid, s.base+addr, b)
}

// Code satisfies [Space].
func (s *guestSpace) Code(pc uint64, b []byte) int {
	n := len(b)
	for n > 0 && s.ReadMemory(pc, b[:n]) != nil {
		n-- // the end of a mapping
	}
	return n
}

// Image satisfies [Space].
func (s *guestSpace) Image(pc uint64) (*Image, bool) {
	if im := s.image(pc); im != nil {
		return im, true
	}
	if at := pc / s.page; !s.missed[at] {
		s.missed[at] = true
		if err := s.scan(); err == nil {
			im := s.image(pc)
			return im, im != nil
		}
	}
	return nil, false
}

func (s *guestSpace) image(pc uint64) *Image {
	for _, im := range s.images {
		if pc >= im.Start && pc < im.End {
			return im
		}
	}
	return nil
}

// scan reads which files are mapped. qemu makes none of the program's mappings executable.
func (s *guestSpace) scan() error {
	f, err := os.Open(fmt.Sprintf("/proc/%d/maps", s.pid))
	if err != nil {
		return err
	}
	defer f.Close()
	s.images = nil
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		var m corefile.Mapping
		var perms, dev string
		var inode uint64
		if n, _ := fmt.Sscanf(sc.Text(), "%x-%x %s %x %s %d %s", &m.Start, &m.End, &perms, &m.Offset, &dev, &inode, &m.Path); n < 7 || !strings.HasPrefix(m.Path, "/") {
			continue
		}
		if m.Start < s.base || !s.machine(m.Path) {
			continue
		}
		m.Start -= s.base
		m.End -= s.base
		file := s.files.open(m.Path)
		s.images = append(s.images, &Image{&corefile.Module{Name: m.Path, Bias: file.Bias(&m, s.page), File: file}, m.Start, m.End})
	}
	return sc.Err()
}

// machine reports whether a file is an ELF file of the program's machine.
func (s *guestSpace) machine(path string) bool {
	if _, ok := s.files.all[path]; ok {
		return true
	}
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Machine == s.abi.Machine
}
