package selfcheck

import (
	"encoding/binary"
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// stripped takes the section headers away from an executable: the segment
// leads to what the section was.
func (r *run) stripped() {
	r.input = nil
	f, err := generator.WrapExec(r.p)
	if err != nil {
		return
	}
	stripSections(f)
	r.stats.Files++
	r.same(f, "executable without section headers")
}

// stripSections takes the section headers away, so that only the segment
// leads to the section.
func stripSections(f *generator.File) {
	var order binary.ByteOrder = binary.LittleEndian
	if f.Plan.BigEndian {
		order = binary.BigEndian
	}
	order.PutUint64(f.Bytes[0x28:], 0)           // e_shoff
	for _, at := range []int{0x3a, 0x3c, 0x3e} { // e_shentsize, e_shnum, e_shstrndx
		order.PutUint16(f.Bytes[at:], 0)
	}
}

// holds tells whether the object's section says what the file's plan says.
func holds(o *reader.Object, f *generator.File) error {
	if len(o.SFrames) != 1 || o.SFrames[0].Section == nil || len(o.SFrames[0].Faults) > 0 || len(o.Faults) > 0 {
		return fmt.Errorf("%d sections, faults %v", len(o.SFrames), o.Faults)
	}
	q, err := generator.FromModel(o.SFrames[0].Section)
	if err != nil {
		return err
	}
	if d := differ(f.Plan, q); d != "" {
		return fmt.Errorf("read as something else: %s", d)
	}
	return nil
}
