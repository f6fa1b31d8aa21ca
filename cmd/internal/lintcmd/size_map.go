package lintcmd

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
)

// origins are the objects that the addresses of a linked file are from, as its linker map says.
type origins struct {
	budget  *budget.Budget
	parts   []originPart // by address
	objects []origin
	index   map[string]int32 // of the objects, by how the map names them
}

type origin struct{ archive, object string }

// originPart is a section of an object.
type originPart struct {
	addr, size uint64
	object     int32
}

// partBytes is about what a section takes.
const partBytes = 24 * 2

// read adds what a map says. Errors: the reader's, and the budget's.
func (s *origins) read(r io.Reader) error {
	s.index = map[string]int32{}
	err := readMap(r, func(p *mapPart) error {
		if p.addr == 0 || p.size == 0 || p.plt { // not in memory, or of no object
			return nil
		}
		s.budget.ContentMore(int64(p.line)) // what the map really has
		i, ok := s.index[string(p.name)]
		if !ok {
			if err := s.budget.Spend(budget.Memory, inputBytes+2*int64(len(p.name))); err != nil {
				return err
			}
			i = int32(len(s.objects))
			x := origin{object: string(p.name)}
			if archive, member, ok := inside(p.name); ok {
				x = origin{string(archive), string(member)}
			}
			s.objects = append(s.objects, x)
			s.index[string(p.name)] = i
		}
		if err := s.budget.Spend(budget.Memory, partBytes); err != nil {
			return err
		}
		s.parts = append(s.parts, originPart{p.addr, p.size, i})
		return nil
	})
	if err != nil {
		return err
	}
	if len(s.parts) == 0 {
		return errors.New("no section of an input found: want a map of GNU ld, lld or mold")
	}
	slices.SortStableFunc(s.parts, func(a, b originPart) int { return cmp.Compare(a.addr, b.addr) })
	return nil
}

// at returns the object that the code at an address is from, and its archive, "" for none.
func (s *origins) at(addr uint64) (archive, object string) {
	i, ok := slices.BinarySearchFunc(s.parts, addr, func(p originPart, addr uint64) int { return cmp.Compare(p.addr, addr) })
	if !ok {
		i--
	}
	if i < 0 || addr-s.parts[i].addr >= s.parts[i].size {
		return "", ""
	}
	x := s.objects[s.parts[i].object]
	return x.archive, x.object
}
