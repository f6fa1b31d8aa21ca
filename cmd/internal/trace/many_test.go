package trace

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// stackOf is the memory of a recursion: each frame has the same size and return address.
type stackOf struct {
	size, offset int64 // of a frame, and of the return address in it
	pc           uint64
}

// ReadAt reads the words at an address.
func (s *stackOf) ReadAt(b []byte, at int64) (int, error) {
	for i := range b {
		where := at + int64(i)
		word := uint64(0)
		if where&^7%s.size == s.offset {
			word = s.pc
		}
		b[i] = binary.LittleEndian.AppendUint64(nil, word)[where&7]
	}
	return len(b), nil
}

// TestManyFrames writes 100,000 frames of a recursion, with CFI, in the memory of the budget: no
// frame is held.
func TestManyFrames(t *testing.T) {
	b, err := os.ReadFile(gcore + "/core")
	require.NoError(t, err)
	limits := budget.New(t.Context(), budget.Limits{budget.Memory: budget.DefaultMemory, budget.Work: budget.DefaultWork})
	_, mods, err := stored(t, b, limits)
	require.NoError(t, err)
	prog, err := filepath.Abs(gcore + "/prog")
	require.NoError(t, err)
	const pc = 0x4001f8 // in deep, after its call of itself
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	row := unwind.Find(mods, abi, pc-1).FRE.Row()
	require.Equal(t, abi.SP, row.CFA.Reg)
	size := row.CFA.Offset
	const base = 0x7000_0000_0000
	regs := make([]byte, 216)
	binary.LittleEndian.PutUint64(regs[128:], pc)
	sp := uint64(base + 16*size - base%size)
	binary.LittleEndian.PutUint64(regs[152:], sp)
	core, err := corefile.NewCore(corefile.Image{
		ABI: abi, Threads: []corefile.ThreadRegs{{ID: 1, Regs: regs}}, Budget: limits,
		Memory: &stackOf{size, (int64(sp) + size - 8) % size, pc},
		Regions: []corefile.Region{{Mapping: corefile.Mapping{Start: base, End: base + 64<<20}, Permissions: "rw-p"},
			{Mapping: corefile.Mapping{Start: 0x400000, End: 0x401000, Path: prog}, Permissions: "r-xp"}},
	})
	require.NoError(t, err)
	mods = corefile.NewModules(core, corefile.Options{CFI: true, Read: reader.Options{Budget: limits}})
	const frames = 100_000
	for _, x := range []struct {
		asJSON bool
		mark   byte
		more   int // marks that are no frame's
	}{{false, '#', 0}, {true, '{', 6}} {
		out := &counter{mark: x.mark}
		before := heap()
		r, err := Write(out, core, mods, Options{JSON: x.asJSON, MaxFrames: frames, Compare: true, Fallback: []Way{ByCFI, ByFP}, Budget: limits})
		require.NoError(t, err)
		require.NoError(t, r.Err)
		assert.Equal(t, frames, out.n-x.more)
		assert.Less(t, out.most-min(before, out.most), uint64(1<<20))
	}
}

// counter is a writer that counts marks, and measures the memory that is held meanwhile.
type counter struct {
	mark      byte
	n, writes int
	most      uint64
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += bytes.Count(b, []byte{c.mark})
	if c.writes++; c.writes%60 == 0 {
		c.most = max(c.most, heap())
	}
	return len(b), nil
}

// heap returns the bytes that are held.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
