package reader_test

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestOpen: sections of a program, a raw section and an archive's members; files without any.
func TestOpen(t *testing.T) {
	for path, want := range map[string]int{
		"../corpus/files/binutils-2.47/amd64/program.elf": 1,
		"../corpus/files/hand/v3-amd64.sframe":            1,
	} {
		all, err := reader.Open(path)
		require.NoError(t, err)
		require.Len(t, all, want, path)
		_, _, ok := all[0].Section.At(all[0].Section.FDE(0).Start())
		assert.True(t, ok, path)
	}
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte("nothing that has sections"), 0o666))
	all, err := reader.Open(text)
	assert.ErrorContains(t, err, "text: ")
	assert.Empty(t, all)
	_, err = reader.Open(text + "-that-is-not-there")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestContextEnds: reading ends with any context, and so does work on an object.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opts := reader.Options{Context: ctx}
	require.NoError(t, reader.Scan("../corpus/files/hand/object.o", opts, func(o *reader.Object) error {
		require.NoError(t, o.Step(1))
		cancel()
		require.ErrorIs(t, o.Step(1), context.Canceled)
		require.ErrorIs(t, o.Context.Err(), context.Canceled)
		return nil
	}))
	require.ErrorIs(t, reader.Scan("../corpus/files/hand/object.o", opts, nil), context.Canceled)
}

// claims returns an ELF file whose sections claim a range of it each.
func claims(sections ...elf.Section64) []byte {
	le := binary.LittleEndian
	var b bytes.Buffer
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Ehsize: 64, Shoff: 64, Shentsize: 64, Shnum: uint16(len(sections) + 1)}
	copy(h.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	_ = binary.Write(&b, le, h)
	_ = binary.Write(&b, le, elf.Section64{})
	_ = binary.Write(&b, le, sections)
	return b.Bytes()
}

// memory returns how many bytes can be held for an object besides the limit.
func memory(t *testing.T, path string) (n int64) {
	b := budget.New(t.Context(), budget.Limits{budget.Memory: 1 << 20})
	require.NoError(t, reader.Scan(path, reader.Options{Context: b}, func(*reader.Object) error {
		const step = 64 << 10
		for b.Spend(budget.Memory, step) == nil {
			n += step
		}
		return nil
	}))
	return n - 1<<20
}

// TestContent: memory grows with the bytes that sections have in the file. Bytes that sections
// share count once, and holes, debug information and sections beyond the end do not count.
func TestContent(t *testing.T) {
	const size = 8 << 20
	code := func(off, n uint64) elf.Section64 {
		return elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: 0x1000, Off: off, Size: n}
	}
	debug := code(0, size)
	debug.Flags = 0
	const all = (size - budget.FreeContent) * budget.MemoryPerByte
	for _, c := range []struct {
		name     string
		hole     bool
		sections []elf.Section64
		want     int64
	}{
		{"one section", false, []elf.Section64{code(0, size)}, all},
		{"shared", false, []elf.Section64{code(0, size), code(0, size), code(size/2, size/2)}, all},
		{"half", false, []elf.Section64{code(0, size/2)}, (size/2 - budget.FreeContent) * budget.MemoryPerByte},
		{"beyond the end", false, []elf.Section64{code(0, 1<<40)}, all},
		{"debug information", false, []elf.Section64{debug}, 0},
		{"hole", true, []elf.Section64{code(0, size)}, 0},
	} {
		if c.hole && runtime.GOOS != "linux" {
			continue
		}
		path := filepath.Join(t.TempDir(), "file")
		b := claims(c.sections...)
		if !c.hole {
			b = append(b, bytes.Repeat([]byte{0x90}, size-len(b))...)
		}
		require.NoError(t, os.WriteFile(path, b, 0o666))
		require.NoError(t, os.Truncate(path, size))
		require.InDelta(t, c.want, memory(t, path), 256<<10, c.name)
	}
}
