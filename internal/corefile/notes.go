package corefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
)

// Notes of a core, by their name and type.
const (
	ntPRSTATUS = 1
	ntFPREGSET = 2
	ntAUXV     = 6
	ntFILE     = 0x46494c45

	ntARMPacMask = 0x406 // of name LINUX
)

// maxName bounds the name of a note, which is CORE, LINUX or the like.
const maxName = 64

// What is read of notes that need no more, bytes: of those of threads, and of the auxiliary
// vector, which has some dozen pairs.
const maxThreadNote, maxAuxv = 1 << 10, 1 << 16

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
	if string(kind) == "CORE" && typ == ntFILE {
		return noteError(kind, typ, c.files(in, desc))
	}
	parse, most := c.parser(string(kind), typ)
	if parse == nil {
		return skip(in, desc)
	}
	b := make([]byte, min(desc, most))
	if err := c.budget.Spend(budget.Read, int64(len(b))); err != nil {
		return err
	}
	if _, err := io.ReadFull(in, b); err != nil {
		return err
	}
	if err := parse(b); err != nil {
		return noteError(kind, typ, err)
	}
	return skip(in, desc-int64(len(b)))
}

func noteError(kind []byte, typ uint32, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("note %s of type 0x%x: %w", kind, typ, err)
}

func skip(in *bufio.Reader, n int64) error {
	_, err := io.CopyN(io.Discard, in, n)
	return err
}

// parser returns the function that reads a note's contents, and how many bytes of them it
// needs at most; nil if they are not used.
func (c *Core) parser(name string, typ uint32) (parse func([]byte) error, most int64) {
	switch {
	case name == "CORE" && typ == ntPRSTATUS:
		return c.prstatus, maxThreadNote
	case name == "CORE" && typ == ntFPREGSET:
		return c.fpregset, maxThreadNote
	case name == "CORE" && typ == ntAUXV:
		return c.auxiliary, maxAuxv
	case name == "LINUX" && typ == ntARMPacMask && c.ABI.Pauth:
		return c.pacMask, maxThreadNote
	}
	return nil, 0
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

// mappingBytes is what a mapping takes besides its name, and loadBytes what a part of memory
// does.
const mappingBytes, loadBytes = 56, 24

// files reads the n bytes of NT_FILE: a count, the size of a page, a start, an end and an offset
// in pages for each mapping, and then the names.
func (c *Core) files(in *bufio.Reader, n int64) error {
	var b [24]byte
	if n < 16 {
		return io.ErrUnexpectedEOF
	}
	if _, err := io.ReadFull(in, b[:16]); err != nil {
		return err
	}
	n -= 16
	count, page := c.order.Uint64(b[:]), c.order.Uint64(b[8:])
	if count > uint64(n)/25 { // three words and the end of a name
		return fmt.Errorf("%d mappings in %d bytes", count, n)
	}
	if err := c.budget.Spend(budget.Read, n); err != nil {
		return err
	}
	if err := c.budget.Spend(budget.Memory, int64(count)*mappingBytes); err != nil {
		return err
	}
	if page >= c.page && page&(page-1) == 0 { // gdb writes 1, and offsets in bytes
		c.page = page
	}
	first := len(c.Files)
	c.Files = slices.Grow(c.Files, int(count))
	for range count {
		if _, err := io.ReadFull(in, b[:]); err != nil {
			return err
		}
		c.Files = append(c.Files, Mapping{
			Start: c.order.Uint64(b[:]), End: c.order.Uint64(b[8:]), Offset: c.order.Uint64(b[16:]) * page,
		})
	}
	n -= int64(count) * 24
	for i := range c.Files[first:] {
		name, err := c.fileName(in, &n)
		if err != nil {
			return err
		}
		c.Files[first+i].Path = name
	}
	return skip(in, n)
}

// fileName reads a name of NT_FILE, of which n bytes are left. Of one that is longer than any
// path, the first bytes are enough: no file has it.
func (c *Core) fileName(in *bufio.Reader, n *int64) (string, error) {
	var name []byte
	for *n > 0 {
		b, err := in.ReadByte()
		if err != nil {
			return "", err
		}
		if *n--; b == 0 {
			return c.budget.Name(name)
		}
		if len(name) < maxPath {
			name = append(name, b)
		}
	}
	return "", io.ErrUnexpectedEOF
}
