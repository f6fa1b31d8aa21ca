package reader

import (
	"bytes"
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// ntGNUBuildID is the type of the note with a file's build ID. Its name is GNU.
const ntGNUBuildID = 3

// maxNotes bounds the bytes of notes that are searched for a build ID, and maxBuildID those
// of the ID.
const maxNotes, maxBuildID = 64 << 10, 64

// BuildID returns the build ID of an ELF file, nil for none. It must be called while the object is
// visited. Errors: I/O and the budget.
func (o *Object) BuildID() ([]byte, error) {
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

func align4(n uint64) uint64 { return (n + 3) &^ 3 }
