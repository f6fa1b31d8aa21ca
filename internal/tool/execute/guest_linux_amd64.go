package execute

import (
	"debug/elf"
	"os"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// guestSpace is the memory of a program that qemu executes. It satisfies [Space].
type guestSpace struct {
	remote        // of qemu
	base   uint64 // host address of the program's address 0
	page   uint64 // bytes of a page
	abi    *model.ABIInfo
	files  *files
	images []*Image        // mappings of ELF files of the ABI
	missed map[uint64]bool // pages of code in no file
}

func newGuestSpace(pid int, base uint64, abi *model.ABIInfo, fs *files) *guestSpace {
	return &guestSpace{remote: remote{pid: pid}, base: base, page: uint64(os.Getpagesize()), abi: abi, files: fs, missed: map[uint64]bool{}}
}

// ReadMemory satisfies [Space].
func (s *guestSpace) ReadMemory(addr uint64, b []byte) error {
	return s.remote.ReadMemory(s.base+addr, b)
}

// Code satisfies [Space].
func (s *guestSpace) Code(pc uint64, b []byte) int {
	return s.remote.Code(s.base+pc, b)
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
	all, err := mappings(s.pid, "")
	if err != nil {
		return err
	}
	own, err := s.executable(all)
	if err != nil {
		return err
	}
	s.images = nil
	for _, m := range all {
		if m.Start < s.base || !strings.HasPrefix(m.Path, "/") || own[m] || !s.machine(m.Path) {
			continue
		}
		m.Start -= s.base
		m.End -= s.base
		file := s.files.open(m.Path)
		s.images = append(s.images, &Image{&Module{Name: m.Path, Bias: file.Bias(&m, s.page), File: file}, m.Start, m.End})
	}
	return nil
}

// executable returns the mappings of files that qemu itself executes: those next to a mapping that is executable.
func (s *guestSpace) executable(all []Mapping) (map[Mapping]bool, error) {
	code, err := mappings(s.pid, "x")
	if err != nil {
		return nil, err
	}
	starts := map[uint64]bool{}
	for _, m := range code {
		starts[m.Start] = true
	}
	own := map[Mapping]bool{}
	for i := 0; i < len(all); {
		end, runs := i, false
		for ; end < len(all) && all[end].Path == all[i].Path; end++ {
			runs = runs || starts[all[end].Start]
		}
		for ; i < end; i++ {
			own[all[i]] = runs
		}
	}
	return own, nil
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
