// Package machine decodes machine code as far as rules need it: it finds
// returns and calls in functions.
package machine

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// maxCode is the largest code section that is read.
const maxCode = 256 << 20

// Code reads functions' code. It reads each section that contains functions
// once, when it is first asked for.
type Code struct {
	elf      *reader.ELF
	sections map[int][]byte
}

// Of returns the code of an object's functions.
func Of(o *reader.Object) *Code { return &Code{elf: o.ELF, sections: map[int][]byte{}} }

// Func returns the bytes of a function, none if the file does not have
// them all.
func (c *Code) Func(f model.FDE) []byte {
	if c.elf == nil || !f.Resolved() {
		return nil
	}
	i, off := f.Place(), f.Start()
	if !c.elf.Relocatable() {
		var ok bool
		if i, ok = c.elf.SectionAt(f.Start()); !ok {
			return nil
		}
		off -= c.elf.Sections[i].Addr
	}
	data := c.section(i)
	end := off + uint64(f.Size())
	if end < off || end > uint64(len(data)) {
		return nil
	}
	return data[off:end]
}

func (c *Code) section(i int) []byte {
	data, seen := c.sections[i]
	if !seen {
		data, _ = c.elf.SectionData(i, maxCode)
		c.sections[i] = data
	}
	return data
}
