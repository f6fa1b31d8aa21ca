package proof

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// trackAll tracks all ranges of a program, and returns the number of instructions with a known state, and the units' ranges.
func trackAll(t *testing.T, abi model.ABI, code, data []byte, ranges []Range) (known int, units [][]int32) {
	scanProgram(t, model.LookupABI(abi), code, data, func(o *reader.Object) {
		tr, err := New(o, ranges, nil, nil)
		require.NoError(t, err)
		require.NoError(t, tr.Run(1, func(f *Function) {
			f.u.walk(f.part, func(_ int32, s *state) {
				if f.u.reason == Known && f.u.state(s).Reason == Known {
					known++
				}
			})
		}))
		for i := range tr.units() {
			units = append(units, tr.unit(i))
		}
	})
	return known, units
}

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	require.NoError(t, err)
	return b
}

// TestStubs: a jump to a stub is a call at the end of a function, and the function is no part of
// the procedure linkage table. A stub that is not resolved goes on to the next instruction.
func TestStubs(t *testing.T) {
	code := unhex(t, "ff3500000000 ff2500000000 0f1f4000"+ // push; jmp *; nop
		"ff2500000000 6800000000 e9e0ffffff"+ // jmp *; push 0; jmp to the first one
		"ff2500000000 6801000000 e9d0ffffff"+
		"ff2500000000 6690"+ // in .plt.got
		"4883ec08 4883c408 e9dbffffff"+ // a function: sub, add, jmp to the second stub
		"c3")
	const at = codeAt
	known, units := trackAll(t, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, code, nil, []Range{
		{Start: at, End: at + 16}, {Start: at + 16, End: at + 48, Block: 16}, {Start: at + 48, End: at + 56, Block: 8},
		{Start: at + 56, End: at + 69}, {Start: at + 69, End: at + 70},
	})
	require.Equal(t, [][]int32{{0, 1}, {2}, {3}, {4}}, units)
	// The nop at the end of the first range is not reached.
	require.Equal(t, 2+6+2+3+1, known)
}

// TestColdAfterStubs: a part of a function that is directly after the stubs belongs to the function that
// jumps to it, although that jumps to a stub as well: it has no part there.
func TestColdAfterStubs(t *testing.T) {
	code := unhex(t, "ff2500100000 6800000000 e9e0ffffff"+ // a stub
		"4883ec10 e8fb020000 0f0b"+ // the part: sub, call, ud2
		"53 85ff 75f0 5b e9daffffff") // push, test, jne to the part, pop, jmp to the stub
	const at = codeAt
	_, units := trackAll(t, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, code, nil, []Range{
		{Start: at, End: at + 16, Block: 16}, {Start: at + 16, End: at + 27}, {Start: at + 27, End: at + 38},
	})
	require.Equal(t, [][]int32{{0}, {1, 2}}, units)
}

// TestPage: an address that adrp sets a register to does not end a table.
func TestPage(t *testing.T) {
	var code []byte
	for _, w := range []uint32{
		0x90ffffc1, // adrp x1, 0x8000
		0x913fc021, // add x1, x1, 0xff0
		0xb0ffffc2, // adrp x2, 0x9000: in the table
		0x7100141f, // cmp w0, 5
		0x540000e8, // b.hi to the last instruction
		0xf8605820, // ldr x0, [x1, w0, uxtw 3]
		0xd61f0000, // br x0
		0xd65f03c0, 0xd65f03c0, 0xd65f03c0, 0xd65f03c0, 0xd65f03c0,
	} {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	data := make([]byte, 0xff0)
	for _, i := range []uint64{7, 8, 9, 10, 7, 8} {
		data = binary.LittleEndian.AppendUint64(data, codeAt+4*i)
	}
	known, _ := trackAll(t, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, code, data, []Range{{Start: codeAt, End: codeAt + uint64(len(code))}})
	require.Equal(t, len(code)/4, known)
}

// countedFile counts the reads of a file.
type countedFile struct {
	*bytes.Reader
	reads int
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	f.reads++
	return f.Reader.ReadAt(p, off)
}

// TestStubsAreReadOnce: the stubs of a PLT are read together, and no call reads anything, wherever it leads. Without section
// headers, all views of a file read each target of a call once.
func TestStubsAreReadOnce(t *testing.T) {
	const first, second, third, text = 0x2d0, 0x2e0, 0x2f0, 0x1000
	data, err := os.ReadFile("../../../corpus/files/binutils-2.47/amd64/pie.elf")
	require.NoError(t, err)
	f := &countedFile{Reader: bytes.NewReader(data)}
	require.NoError(t, reader.ScanReader("pie.elf", f, int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		a, ok := newArch(o.ELF.ABI())
		require.True(t, ok)
		v := &view{image: newImage(o, a)}
		v.slots[v.slotOf(second)] = none
		before := f.reads
		require.NoError(t, v.findStubs())
		assert.LessOrEqual(t, f.reads-before, 8, "the section, and again what is shorter than a stub may be at its end")
		before = f.reads
		assert.True(t, v.stopsAt(second))
		for _, addr := range []uint64{first, third} {
			assert.False(t, v.stopsAt(addr), "%#x", addr)
		}
		for addr := uint64(text); addr < text+0x400; addr++ {
			assert.False(t, v.stopsAt(addr), "%#x", addr)
		}
		assert.Equal(t, before, f.reads)
		return nil
	}))
	copy(data[0x28:], make([]byte, 8)) // e_shoff
	copy(data[0x3c:], make([]byte, 4)) // e_shnum and e_shstrndx
	require.NoError(t, reader.ScanReader("pie.elf", f, int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		a, ok := newArch(o.ELF.ABI())
		require.True(t, ok)
		img, before := newImage(o, a), budget.Of(o.Context).Used(budget.Work)
		img.slots[(&view{image: img}).slotOf(second)] = none
		for range 3 {
			v := &view{image: img}
			assert.True(t, v.stopsAt(second))
			assert.False(t, v.stopsAt(first))
			assert.Equal(t, before+2, budget.Of(o.Context).Used(budget.Work), "a step for each target")
		}
		return nil
	}))
}
