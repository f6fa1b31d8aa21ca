package trace

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// coreFile is a core that is changed.
type coreFile struct {
	t     *testing.T
	b     []byte
	order binary.ByteOrder
	progs []elf.ProgHeader
}

func readCore(t *testing.T, path string) *coreFile {
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	c := &coreFile{t: t, b: b, order: f.ByteOrder}
	for _, p := range f.Progs {
		c.progs = append(c.progs, p.ProgHeader)
	}
	return c
}

// addNote adds a note of Linux, as a segment of its own at the end.
func (c *coreFile) addNote(typ uint32, desc []byte) {
	var note, table bytes.Buffer
	put := func(to *bytes.Buffer, v any) { require.NoError(c.t, binary.Write(to, c.order, v)) }
	put(&note, []uint32{6, uint32(len(desc)), typ})
	note.WriteString("LINUX\x00\x00\x00")
	note.Write(desc)
	c.progs = append(c.progs, elf.ProgHeader{Type: elf.PT_NOTE, Off: uint64(len(c.b)), Filesz: uint64(note.Len()), Align: 4})
	c.b = append(c.b, note.Bytes()...)
	for _, p := range c.progs {
		put(&table, elf.Prog64{Type: uint32(p.Type), Flags: uint32(p.Flags), Off: p.Off, Vaddr: p.Vaddr, Paddr: p.Paddr, Filesz: p.Filesz, Memsz: p.Memsz, Align: p.Align})
	}
	c.order.PutUint64(c.b[32:], uint64(len(c.b)))
	c.order.PutUint16(c.b[56:], uint16(len(c.progs)))
	c.b = append(c.b, table.Bytes()...)
}

// pacMask adds the note with the masks of signed addresses, which gdb requires and qemu
// does not write. Addresses have 48 bits, and qemu signs all above, except bit 55.
func (c *coreFile) pacMask() {
	c.addNote(0x406, bytes.Repeat(c.order.(binary.AppendByteOrder).AppendUint64(nil, 0xff7f<<48), 2))
}

// interrupt makes the registers that the kernel saved for a signal, before it called the
// handler, those of the thread: of AArch64, whose trampoline begins with SP at a siginfo_t
// of 128 bytes, a ucontext with the sigcontext at 176, and the registers at 8.
func (c *coreFile) interrupt(trampolineSP uint64) {
	at := trampolineSP + 128 + 176 + 8
	for _, p := range c.progs {
		if p.Type == elf.PT_LOAD && at >= p.Vaddr && at-p.Vaddr < p.Filesz {
			// NT_PRSTATUS is the first note: a head of 12 bytes, "CORE", 112 bytes, registers.
			copy(c.b[c.progs[0].Off+12+8+112:], c.b[p.Off+at-p.Vaddr:][:33*8])
			return
		}
	}
	c.t.Fatal("the frame of the signal is not in the core")
}

func (c *coreFile) write(path string) string {
	require.NoError(c.t, os.WriteFile(path, c.b, 0o666))
	return path
}
