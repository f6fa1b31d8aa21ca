package corefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/budget"
)

// Notes of a core, by their name and type.
const (
	ntPRSTATUS = 1
	ntFPREGSET = 2
	ntAUXV     = 6
	ntFILE     = 0x46494c45

	ntARMPacMask = 0x406 // of name LINUX
)

// maxName bounds the name of a note, which is CORE, LINUX or the like, and maxNote
// the bytes of one that is used: NT_FILE of 65,530 mappings has some megabytes.
const maxName, maxNote = 64, 64 << 20

// errNotes says that the notes do not fit their segment.
var errNotes = errors.New("a note reaches beyond its segment")

// notes reads the notes of a segment of n bytes. The kernel aligns each part of
// a note to 4 bytes. Bytes that cannot be a note end the segment.
func (c *Core) notes(r io.Reader, n uint64) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for n >= 12 {
		var head [12]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return err
		}
		n -= 12
		name, desc := uint64(c.order.Uint32(head[:])), uint64(c.order.Uint32(head[4:]))
		typ := c.order.Uint32(head[8:])
		if align4(name) > n || desc > n-align4(name) {
			return errNotes
		}
		n -= align4(name)
		padded := min(align4(desc), n)
		n -= padded
		if err := c.note(in, int64(name), typ, int64(desc)); err != nil {
			return err
		}
		if _, err := in.Discard(int(padded - desc)); err != nil {
			return err
		}
	}
	return nil
}

func align4(n uint64) uint64 { return (n + 3) &^ 3 }

// note reads one note, without what pads it at the end.
func (c *Core) note(in *bufio.Reader, name int64, typ uint32, desc int64) error {
	var kind []byte
	if name <= maxName {
		kind = make([]byte, name)
		if _, err := io.ReadFull(in, kind); err != nil {
			return err
		}
		kind = bytes.TrimRight(kind, "\x00")
		name = -name & 3
	} else {
		name = int64(align4(uint64(name)))
	}
	if err := skip(in, name); err != nil {
		return err
	}
	parse := c.parser(string(kind), typ)
	if parse == nil {
		return skip(in, desc)
	}
	if desc > maxNote {
		return fmt.Errorf("note %s of type 0x%x: %d bytes, the limit is %d", kind, typ, desc, maxNote)
	}
	if err := c.budget.Spend(budget.Read, desc); err != nil {
		return err
	}
	b := make([]byte, desc)
	if _, err := io.ReadFull(in, b); err != nil {
		return err
	}
	if err := parse(b); err != nil {
		return fmt.Errorf("note %s of type 0x%x: %w", kind, typ, err)
	}
	return nil
}

func skip(in *bufio.Reader, n int64) error {
	_, err := io.CopyN(io.Discard, in, n)
	return err
}

// parser returns the function that reads a note's contents, nil if they are not
// used.
func (c *Core) parser(name string, typ uint32) func([]byte) error {
	switch {
	case name == "CORE" && typ == ntPRSTATUS:
		return c.prstatus
	case name == "CORE" && typ == ntFPREGSET:
		return c.fpregset
	case name == "CORE" && typ == ntAUXV:
		return c.auxiliary
	case name == "CORE" && typ == ntFILE:
		return c.files
	case name == "LINUX" && typ == ntARMPacMask && c.ABI.Pauth:
		return c.pacMask
	}
	return nil
}

// auxiliary reads NT_AUXV: pairs of a type and a value. A later pair of a type
// does not replace an earlier one.
func (c *Core) auxiliary(b []byte) error {
	if c.auxv == nil {
		c.auxv = map[uint64]uint64{}
	}
	for ; len(b) >= 16; b = b[16:] {
		typ, v := c.order.Uint64(b), c.order.Uint64(b[8:])
		if _, ok := c.auxv[typ]; !ok && typ != 0 && len(c.auxv) < 256 {
			c.auxv[typ] = v
		}
	}
	return nil
}

// pacMask reads NT_ARM_PAC_MASK: the masks of data and of instructions.
func (c *Core) pacMask(b []byte) error {
	if len(b) >= 16 {
		c.PACMask = c.order.Uint64(b[8:]) &^ (1 << 55)
	}
	return nil
}

// mappingBytes is what a mapping takes besides its name.
const mappingBytes = 40

// files reads NT_FILE: a count, the size of a page, a start, an end and an offset
// in pages for each mapping, and then the names.
func (c *Core) files(b []byte) error {
	if len(b) < 16 {
		return io.ErrUnexpectedEOF
	}
	count, page := c.order.Uint64(b), c.order.Uint64(b[8:])
	b = b[16:]
	if count > uint64(len(b))/25 { // three words and the end of a name
		return fmt.Errorf("%d mappings in %d bytes", count, len(b))
	}
	if err := c.budget.Spend(budget.Memory, int64(len(b))+int64(count)*mappingBytes); err != nil {
		return err
	}
	if page >= c.page && page&(page-1) == 0 { // gdb writes 1, and offsets in bytes
		c.page = page
	}
	names := b[24*count:]
	for ; count > 0; count-- {
		name, rest, ok := bytes.Cut(names, []byte{0})
		if !ok {
			return io.ErrUnexpectedEOF
		}
		c.Files = append(c.Files, Mapping{
			Start: c.order.Uint64(b), End: c.order.Uint64(b[8:]), Offset: c.order.Uint64(b[16:]) * page,
			Path: string(name),
		})
		b, names = b[24:], rest
	}
	return nil
}
