package corefile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// ntGNUBuildID is the type of the note with a file's build ID. Its name is GNU.
const ntGNUBuildID = 3

// maxNotes bounds the bytes of notes that are searched for a build ID, and maxBuildID those
// of the ID.
const maxNotes, maxBuildID = 64 << 10, 64

// otherFile says that a file is not the one that ran.
type otherFile struct{ file, ran []byte }

func (e *otherFile) Error() string {
	return fmt.Sprintf("not used: its build ID is %x, and that of the file that ran %x", e.file, e.ran)
}

// BuildIDOf returns the build ID of a file, nil for none. It must be called while the object is
// visited. Errors: I/O and the budget.
func BuildIDOf(o *reader.Object) ([]byte, error) {
	for i := range o.ELF.Segments {
		s := &o.ELF.Segments[i]
		if s.Type != elf.PT_NOTE || s.Offset > uint64(o.Size) {
			continue
		}
		n := min(s.Filesz, maxNotes, uint64(o.Size)-s.Offset)
		b, err := o.ELF.Data(model.Span{Off: int64(s.Offset), Len: int64(n)})
		if err != nil {
			return nil, err
		}
		if id := buildIDIn(b, o.ELF.Order); id != nil {
			return id, nil
		}
	}
	return nil, nil
}

// buildID returns the build ID of a file whose first bytes are in memory at an address, nil
// where there is none or the core does not have it.
func (c *Core) buildID(image uint64) []byte {
	var h [ehdrSize]byte
	if c.ReadMemory(image, h[:]) != nil || string(h[:4]) != elf.ELFMAG {
		return nil
	}
	phoff, entsize, n := c.order.Uint64(h[32:]), c.order.Uint16(h[54:]), uint64(c.order.Uint16(h[56:]))
	if entsize != phdrSize {
		return nil
	}
	left := uint64(maxNotes)
	for _, p := range c.phdrs(image+phoff, min(n, maxPhdrs)) {
		if elf.ProgType(p.Type) != elf.PT_NOTE {
			continue
		}
		b := make([]byte, min(p.Filesz, left))
		left -= uint64(len(b))
		if c.ReadMemory(image+p.Off, b) != nil {
			continue
		}
		if id := buildIDIn(b, c.order); id != nil {
			return id
		}
	}
	return nil
}

const ehdrSize = 64 // bytes

// buildIDIn returns the build ID among notes. The sizes are multiples of 4 bytes.
func buildIDIn(b []byte, order binary.ByteOrder) []byte {
	for len(b) >= 12 {
		name, desc, typ := uint64(order.Uint32(b)), uint64(order.Uint32(b[4:])), order.Uint32(b[8:])
		b = b[12:]
		if align4(name)+desc > uint64(len(b)) {
			return nil
		}
		if typ == ntGNUBuildID && name == 4 && desc > 0 && desc <= maxBuildID && string(b[:4]) == "GNU\x00" {
			return bytes.Clone(b[4 : 4+desc])
		}
		b = b[min(align4(name)+align4(desc), uint64(len(b))):]
	}
	return nil
}

// sameFile replaces the file of a module by an error if its build ID is not that of the
// program's image, as far as both are known.
func (m *Modules) sameFile(x *Module, image uint64) {
	if x.Err != nil || x.buildID == nil {
		return
	}
	if ran := m.core.buildID(image); ran != nil && !bytes.Equal(x.buildID, ran) {
		x.File = &File{Path: x.Path, Err: &otherFile{x.buildID, ran}, segments: x.segments}
	}
}
