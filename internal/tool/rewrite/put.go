package rewrite

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Put puts other bytes into the place of a section. The headers of section and segment get its size, and the type of another version;
// relocations and code stay as they are. A section of an object file that grows moves to the end of
// the file. Error: there is no room for the bytes.
func Put(o *reader.Object, sf *reader.SFrame, data []byte) (*Change, error) {
	if err := supported(o); err != nil {
		return nil, err
	}
	c := &Change{Result: &Result{Data: data}, Before: int64(len(sf.Data))}
	e, n := o.ELF, int64(len(data))
	if e == nil {
		return c, c.raw(o, sf)
	}
	sec, ok := e.SectionOf(sf)
	if !ok {
		return nil, fmt.Errorf("it has no section header")
	}
	if n != c.Before {
		c.put(e, sec.Header, elf64.ShdrSizeField, uint64(n))
	}
	if len(data) >= model.PreambleSize && (sf.Section == nil || model.Version(data[2]) != sf.Section.Version()) {
		c.setType(e, sec)
	}
	if e.Relocatable() {
		return c, c.move(o, sf, sec)
	}
	if room := c.Before + slack(o, sec); n > room {
		return nil, &ErrLarger{n, room}
	}
	c.edit(sf.Offset, pad(data, max(n, c.Before)))
	if n != c.Before {
		c.cover(e, sec.Offset)
	}
	return c, nil
}
