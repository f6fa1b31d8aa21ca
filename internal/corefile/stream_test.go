package corefile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/alloc"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// pattern is a reader of bytes that are not zero.
type pattern struct{}

func (pattern) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 0xaa
	}
	return len(b), nil
}

// large returns a core of AMD64 with a thread whose SP is in a stack of 8 MiB, at 3 pages from
// its end. Before and after it are 1 GiB of a heap, 1 MiB of other memory, a file and zeros.
func large(t *testing.T) (r io.Reader, sp uint64) {
	m := &image{abi: amd64()}
	b := make([]byte, prHeader+layouts[elf.EM_X86_64].size+8)
	sp = 0x7000_0080_0000 - 3*keptPage + 64
	binary.LittleEndian.PutUint64(b[prHeader+152:], sp)
	m.note("CORE", ntPRSTATUS, b)
	m.note("CORE", ntFILE, m.mappings(Mapping{Start: 0x400000, End: 0x500000, Path: "/bin/x"}))
	type seg struct {
		addr, size uint64
		flags      elf.ProgFlag
		zero       bool
	}
	segs := []seg{
		{0x400000, 1 << 20, elf.PF_R | elf.PF_X, false},
		{0x10000000, 1 << 30, elf.PF_R | elf.PF_W, false},
		{0x7000_0000_0000, 8 << 20, elf.PF_R | elf.PF_W, false},
		{0x7100_0000_0000, 1 << 20, elf.PF_R | elf.PF_W, false},
		{0x7200_0000_0000, 8 << 20, elf.PF_R | elf.PF_W, true},
	}
	h := elf.Header64{Type: uint16(elf.ET_CORE), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(1 + len(segs))}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	var out bytes.Buffer
	put := func(v any) { require.NoError(t, binary.Write(&out, binary.LittleEndian, v)) }
	put(&h)
	at := uint64(64 + 56*(1+len(segs)))
	put(&elf.Prog64{Type: uint32(elf.PT_NOTE), Off: at, Filesz: uint64(len(m.notes))})
	pad := -(at + uint64(len(m.notes))) & (keptPage - 1)
	at += uint64(len(m.notes)) + pad
	parts := []io.Reader{&out}
	for _, s := range segs {
		put(&elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(s.flags), Off: at, Vaddr: s.addr, Filesz: s.size, Memsz: s.size})
		at += s.size
		data := io.Reader(pattern{})
		if s.zero {
			data = zeroReader{}
		}
		parts = append(parts, io.LimitReader(data, int64(s.size)))
	}
	out.Write(m.notes)
	out.Write(make([]byte, pad))
	return io.MultiReader(parts...), sp
}

type zeroReader struct{}

func (zeroReader) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestStreamMemory reads a core of 1 GiB once, and keeps what traces need.
func TestStreamMemory(t *testing.T) {
	r, sp := large(t)
	var c *Core
	used := alloc.Bytes(func() {
		var err error
		c, err = OpenStream(r, reader.Options{Budget: budget.New(t.Context(), budget.Limits{budget.Memory: 28 << 20})})
		require.NoError(t, err)
	})
	assert.Less(t, used, uint64(4<<20))
	assert.Greater(t, c.Size, int64(1<<30))
	for _, x := range []struct {
		addr uint64
		want byte
		ok   bool
	}{
		{sp, 0xaa, true}, {sp - redZone, 0xaa, true}, {sp - 2*keptPage, 0, false}, {0x7000_0080_0000 - 1, 0xaa, true},
		{0x400000, 0xaa, true}, {0x400000 + imageBytes, 0, false}, {0x10000000, 0, false},
		{0x7100_0000_0000, 0xaa, true}, {0x7200_0000_0000, 0, true},
	} {
		var b [1]byte
		err := c.ReadMemory(x.addr, b[:])
		assert.Equal(t, x.ok, err == nil, "0x%x: %v", x.addr, err)
		assert.Equal(t, x.want, b[0], "0x%x", x.addr)
	}
}

// TestStreamBudget: without memory for more, the stack of the thread comes first.
func TestStreamBudget(t *testing.T) {
	r, sp := large(t)
	b := budget.New(t.Context(), budget.Limits{budget.Memory: 200 << 10})
	c, err := OpenStream(r, reader.Options{Budget: b})
	require.NoError(t, err)
	var word [8]byte
	assert.NoError(t, c.ReadMemory(sp, word[:]))
	assert.Error(t, c.ReadMemory(0x7100_000f_f000, word[:]))
	assert.Less(t, b.Used(budget.Memory), int64(110<<10))
}

// TestStreamOrder: notes may be after the memory, headers may not be before themselves, and a stream that ends early is
// traced as far as it goes.
func TestStreamOrder(t *testing.T) {
	m := &image{abi: amd64()}
	m.thread(1, 11)
	m.loads = []part{{0x5000, bytes.Repeat([]byte{7}, 8192)}}
	whole := m.bytes(t)
	c, err := OpenStream(bytes.NewReader(whole), reader.Options{})
	require.NoError(t, err)
	assert.False(t, c.Truncated)
	for n := range len(whole) {
		if c, err := OpenStream(bytes.NewReader(whole[:n]), reader.Options{}); err != nil {
			assert.ErrorIs(t, err, ErrNotCore, n)
		} else {
			assert.Len(t, c.Threads, 1)
		}
	}
	late := bytes.Clone(whole)
	late = append(late, whole[64+2*56:][:len(m.notes)]...)
	binary.LittleEndian.PutUint64(late[64+8:], uint64(len(whole)))
	c, err = OpenStream(bytes.NewReader(late), reader.Options{})
	require.NoError(t, err)
	assert.Len(t, c.Threads, 1)
	assert.NoError(t, c.ReadMemory(0x5000, make([]byte, 100)))
	binary.LittleEndian.PutUint64(late[32:], 8)
	_, err = OpenStream(bytes.NewReader(late), reader.Options{})
	assert.ErrorContains(t, err, "only a file can be read in this order")
	assert.Equal(t, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, c.ABI.ID)
}

// FuzzStream: whatever comes, a stream is what a file is, as far as it was kept.
func FuzzStream(f *testing.F) {
	m := &image{abi: amd64()}
	m.thread(1, 11)
	m.loads = []part{{0x5000, make([]byte, 100)}, {0x9000, []byte{1}}}
	var t testing.T
	f.Add(m.bytes(&t))
	f.Fuzz(func(t *testing.T, b []byte) {
		used := alloc.Bytes(func() {
			c, err := OpenStream(bytes.NewReader(b), reader.Options{Budget: budget.New(t.Context(), budget.Limits{})})
			if err != nil {
				return
			}
			for _, x := range c.loads {
				var page [64]byte
				n := min(x.size, 64)
				require.NoError(t, c.ReadMemory(x.addr, page[:n]))
			}
		})
		assert.LessOrEqual(t, used, uint64(8<<20+64*len(b)))
	})
}
