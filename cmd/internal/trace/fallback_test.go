package trace

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// without returns a copy of a program that has no SFrame data.
func without(t *testing.T, path string) string {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		clear(b[o.SFrames[0].Offset:][:28])
		return nil
	}))
	bare := filepath.Join(t.TempDir(), "prog")
	require.NoError(t, os.WriteFile(bare, b, 0o666))
	return bare
}

// traced traces a core with other ways.
func traced(t *testing.T, path, exe string, ways ...Way) (*Report, string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var forms [2]bytes.Buffer
	for i, asJSON := range []bool{true, false} {
		core, err := corefile.Open(bytes.NewReader(data), int64(len(data)), reader.Options{})
		require.NoError(t, err)
		mods := corefile.NewModules(core, corefile.Options{Exe: exe, CFI: true})
		_, err = Write(&forms[i], core, mods, Options{JSON: asJSON, MaxFrames: 100, Fallback: ways})
		require.NoError(t, err)
	}
	var r Report
	require.NoError(t, json.Unmarshal(forms[0].Bytes(), &r))
	return &r, forms[1].String()
}

// TestFallback: without SFrame data, the frames by CFI are those by SFrame data, and each says
// how it was found. The signal trampoline is recognized by its code.
func TestFallback(t *testing.T) {
	cores, err := filepath.Glob("testdata/*/core")
	require.NoError(t, err)
	for _, core := range cores {
		dir := filepath.Dir(core)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want, _ := traced(t, core, dir+"/prog", ByCFI)
			assert.Zero(t, want.Frames.CFI+want.Frames.None)
			exe := without(t, dir+"/prog")
			have, text := traced(t, core, exe, ByCFI)
			none, _ := traced(t, core, exe)
			require.Len(t, have.Threads, len(want.Threads))
			for i := range want.Threads {
				assert.Equal(t, unwind.NoSection, none.Threads[i].Reason)
				assert.True(t, have.Threads[i].Complete, have.Threads[i].Message)
				require.Len(t, have.Threads[i].Frames, len(want.Threads[i].Frames))
				for j, f := range have.Threads[i].Frames {
					if !f.Signal {
						assert.Equal(t, ByCFI, f.By)
						assert.Equal(t, "the module has no SFrame data", f.Why)
					}
					w := want.Threads[i].Frames[j]
					f.By, f.Why, f.Module = w.By, "", w.Module
					assert.Equal(t, w, f)
				}
			}
			n := want.Frames
			assert.Equal(t, Ways{CFI: n.SFrame, Signal: n.Signal}, have.Frames)
			assert.Equal(t, have.Frames, have.Modules[0].Frames)
			assert.Contains(t, text, "<by eh_frame: the module has no SFrame data>\n")
			assert.Contains(t, text, "\nframes by the way in which their callers were found:\n")
		})
	}
}

// memory is a stack of words.
type memory map[uint64]uint64

func (m memory) ReadMemory(at uint64, b []byte) error {
	v, ok := m[at]
	if !ok {
		return os.ErrNotExist
	}
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	return nil
}

func (m memory) Module(uint64) (unwind.Module, bool) { return unwind.Module{}, false }

// TestFramePointer: a chain of frame records leads to callers. SP of a caller is known on AMD64
// only.
func TestFramePointer(t *testing.T) {
	for _, id := range []model.ABI{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE} {
		abi := model.LookupABI(id)
		regs := &corefile.Regs{Addr: 0x1000}
		regs.Set(abi.FP, 0x100)
		regs.Set(abi.SP, 0x80)
		m := memory{0x100: 0x200, 0x108: 0x2000, 0x200: 0, 0x208: 0x3000}
		c := unwind.New(abi, regs, m, m, unwind.Options{})
		assert.Equal(t, unwind.NoModule, c.Step().Reason)
		require.Nil(t, c.StepBy(fpRules(abi)))
		f := c.Frame()
		assert.Equal(t, []uint64{0x2000, 0x110, 0x200}, []uint64{f.PC, f.SP, f.FP})
		assert.Equal(t, abi.TracksRA(), f.SPLeast)
		bySP := unwind.Rules{Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP}}}
		_, stop := c.Caller(bySP)
		if require.NotNil(t, stop); abi.TracksRA() {
			assert.EqualError(t, stop, "the rule for CFA needs sp, which is not known")
		} else {
			assert.Equal(t, "RA", stop.Value)
		}
		require.Nil(t, c.StepBy(fpRules(abi)))
		assert.Equal(t, uint64(0x3000), c.Frame().PC)
		assert.Equal(t, unwind.Unreadable, c.StepBy(fpRules(abi)).Reason)
		assert.Equal(t, uint64(0x3000), c.Frame().PC)
	}
}
