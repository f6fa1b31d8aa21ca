package corefile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// image is a core dump to be written.
type image struct {
	abi   model.ABIInfo
	notes []byte
	loads []part
}

type part struct {
	addr uint64
	data []byte
}

func (m *image) order() binary.AppendByteOrder {
	if m.abi.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// words encodes words of 8 bytes.
func (m *image) words(vs ...uint64) []byte {
	var b []byte
	for _, v := range vs {
		b = m.order().AppendUint64(b, v)
	}
	return b
}

// note adds a note.
func (m *image) note(name string, typ uint32, desc []byte) {
	name += "\x00"
	for _, v := range []uint32{uint32(len(name)), uint32(len(desc)), typ} {
		m.notes = m.order().AppendUint32(m.notes, v)
	}
	for _, b := range [][]byte{[]byte(name), desc} {
		m.notes = append(m.notes, b...)
		m.notes = append(m.notes, make([]byte, -len(b)&3)...)
	}
}

// thread adds NT_PRSTATUS with registers that have the numbers of their words.
func (m *image) thread(id, signal int) {
	b := make([]byte, prHeader)
	m.order().(binary.ByteOrder).PutUint16(b[12:], uint16(signal))
	m.order().(binary.ByteOrder).PutUint32(b[32:], uint32(id))
	for i := range layouts[m.abi.Machine].size / 8 {
		b = append(b, m.words(uint64(i))...)
	}
	m.note("CORE", ntPRSTATUS, append(b, 0, 0, 0, 0, 0, 0, 0, 0))
}

// bytes writes the core: headers, notes, memory.
func (m *image) bytes(t testing.TB) []byte {
	var b bytes.Buffer
	h := elf.Header64{Type: uint16(elf.ET_CORE), Machine: uint16(m.abi.Machine), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(1 + len(m.loads))}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	order := m.order().(binary.ByteOrder)
	if m.abi.Big {
		h.Ident[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	put := func(v any) { require.NoError(t, binary.Write(&b, order, v)) }
	put(&h)
	at := uint64(64 + 56*(1+len(m.loads)))
	put(&elf.Prog64{Type: uint32(elf.PT_NOTE), Off: at, Filesz: uint64(len(m.notes))})
	at += uint64(len(m.notes))
	for _, l := range m.loads {
		n := uint64(len(l.data))
		put(&elf.Prog64{Type: uint32(elf.PT_LOAD), Off: at, Vaddr: l.addr, Filesz: n, Memsz: n + 16})
		at += n
	}
	b.Write(m.notes)
	for _, l := range m.loads {
		b.Write(l.data)
	}
	return b.Bytes()
}

func open(b []byte) (*Core, error) {
	return Open(bytes.NewReader(b), int64(len(b)), reader.Options{})
}

// mappings encodes NT_FILE.
func (m *image) mappings(all ...Mapping) []byte {
	b := m.words(uint64(len(all)), 4096)
	for _, x := range all {
		b = append(b, m.words(x.Start, x.End, x.Offset/4096)...)
	}
	for _, x := range all {
		b = append(append(b, x.Path...), 0)
	}
	return b
}
