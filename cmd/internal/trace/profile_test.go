package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// sampled is a thread of a core as perf script -D prints a sample.
type sampled struct {
	maps, regs, dump string
	frames           []string // PCs
}

// sampleOf returns the first thread of a core as a sample of perf.
func sampleOf(t *testing.T, dir string, most int) (x sampled) {
	data, err := os.ReadFile(dir + "/core")
	require.NoError(t, err)
	core, err := corefile.Open(bytes.NewReader(data), int64(len(data)), reader.Options{})
	require.NoError(t, err)
	th := core.Threads[0]
	x.regs = "... user regs: mask 0xff ABI 64-bit\n"
	for i, name := range corefile.PerfNames(core.ABI)[:core.ABI.AddrRegs] {
		x.regs += fmt.Sprintf(".... %-5s 0x%016x\n", name, th.Value[i])
	}
	pc := "PC"
	if core.ABI.Arch == "x86_64" {
		pc = "IP"
	}
	x.regs += fmt.Sprintf(".... %-5s 0x%016x\n", pc, th.Addr)
	sp, ok := th.Register(core.ABI.SP)
	require.True(t, ok)
	var stack []byte
	for b := make([]byte, 8); len(stack) < most && core.ReadMemory(sp+uint64(len(stack)), b) == nil; {
		stack = append(stack, b...)
	}
	require.NotEmpty(t, stack)
	raw := append(make([]byte, 24), stack...)
	x.dump = fmt.Sprintf(". ... raw event: size %d bytes\n", len(raw))
	for i := 0; i < len(raw); i += 16 {
		part := raw[i:min(i+16, len(raw))]
		x.dump += fmt.Sprintf(".  %04x:  %s  ................\n", i, strings.TrimSpace(fmt.Sprintf("% x", part)))
	}
	x.regs += fmt.Sprintf("... ustack: size %d, offset 0x10\n", len(stack))
	for _, m := range core.Files {
		x.maps += fmt.Sprintf("1 0x1 [0x2]: PERF_RECORD_MMAP2 5/5: [0x%x(0x%x) @ 0x%x fe:00 1 2]: r-xp %s\n", m.Start, m.End-m.Start, m.Offset, m.Path)
	}
	want, _ := traced(t, dir+"/core", dir+"/prog")
	for _, f := range want.Threads[0].Frames {
		x.frames = append(x.frames, strings.TrimPrefix(f.PC, "0x"))
	}
	return x
}

func (x *sampled) text() string {
	s := x.maps + x.dump + "1 0x1 [0x2]: PERF_RECORD_SAMPLE(IP, 0x2): 5/5: 0x1 period: 1 addr: 0\n" + x.regs + "prog 5 1.5: 1 cycles: \n"
	for _, f := range x.frames {
		s += "\t" + f + " [unknown] (/prog)\n"
	}
	return s + "\n"
}

// profiled compares a profile, and returns its only sample.
func profiled(t *testing.T, text string, files corefile.Options, ways ...Way) (ProfileSample, string) {
	t.Helper()
	var forms [2]bytes.Buffer
	for i, asJSON := range []bool{true, false} {
		_, err := WriteProfile(&forms[i], strings.NewReader(text), files, Options{
			JSON: asJSON, MaxFrames: 100, Fallback: ways, Budget: budget.New(t.Context(), budget.Limits{}),
		})
		require.NoError(t, err)
	}
	var r ProfileReport
	require.NoError(t, json.Unmarshal(forms[0].Bytes(), &r))
	require.Len(t, r.Samples, 1, text)
	return r.Samples[0], forms[1].String()
}

// TestProfile: a stack of a core, in the form of perf's text, agrees with that by SFrame data, and
// each change of it is seen at its frame.
func TestProfile(t *testing.T) {
	dirs, err := filepath.Glob("testdata/sid-*-gcore")
	require.NoError(t, err)
	for _, abi := range []string{"aarch64", "s390x", "x86_64"} {
		dirs = append(dirs, "testdata/sid-"+abi+"-signal")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			x := sampleOf(t, dir, 1<<13)
			if x.maps == "" { // qemu's cores list no files
				f := corefile.OpenFile(dir+"/prog", corefile.Options{})
				require.NoError(t, f.Err)
				funcs, err := f.Functions()
				require.NoError(t, err)
				start := funcs["_start"]
				off, ok := f.Offset(start)
				require.True(t, ok)
				x.maps = fmt.Sprintf("PERF_RECORD_MMAP2 5/5: [0x%x(0x10000) @ 0x%x fe:00 1 2]: r-xp /prog\n", start&^0xfff, off&^0xfff)
			}
			files := corefile.Options{Exe: dir + "/prog", CFI: true}
			v, text := profiled(t, x.text(), files)
			assert.Equal(t, Agrees, v.Verdict, text)
			assert.Equal(t, len(x.frames), v.Frames)
			assert.Equal(t, "       1  both agree\n       1  samples\n", text)

			last := len(x.frames) - 1
			y := x
			y.frames = append(append([]string(nil), x.frames[:last]...), "40")
			v, text = profiled(t, y.text(), files)
			assert.Equal(t, Differs, v.Verdict)
			assert.Equal(t, last-1, v.Frame)
			assert.Equal(t, "0x40 (/prog)", v.Profiler)
			assert.Equal(t, "0x"+x.frames[last], v.SFrame.PC)
			assert.Contains(t, text, " the callers differ\n    the profiler goes on with 0x40 (/prog)\n")

			y.frames = x.frames[:last]
			v, text = profiled(t, y.text(), files)
			assert.Equal(t, Longer, v.Verdict)
			assert.Equal(t, last-1, v.Frame)
			assert.Contains(t, text, " the profiler's stack ends\n")

			y.frames = append(append([]string(nil), x.frames...), "40")
			v, _ = profiled(t, y.text(), files)
			assert.Equal(t, Stops, v.Verdict)
			assert.Equal(t, unwind.Outermost, v.Reason)
			assert.Equal(t, last, v.Frame)

			bare := files
			bare.Exe = without(t, dir+"/prog")
			v, _ = profiled(t, x.text(), bare)
			assert.Equal(t, Stops, v.Verdict)
			assert.Equal(t, unwind.NoSection, v.Reason)
			assert.Zero(t, v.Frame)
			v, _ = profiled(t, x.text(), bare, ByCFI)
			assert.Equal(t, Agrees, v.Verdict)

			y = x
			y.maps = strings.ReplaceAll(x.maps, "fe:00 1 2", "<00ff>")
			v, text = profiled(t, y.text(), files)
			assert.Equal(t, Unknown, v.Verdict)
			assert.Contains(t, text, "not used: the build ID of the file that ran is 00ff\n")

			y = x
			y.regs = strings.Join(strings.Split(x.regs, "... ustack")[:1], "")
			v, _ = profiled(t, y.text(), files)
			assert.Equal(t, HasRows, v.Verdict, "without the stack, rows are looked up")
		})
	}
}

// TestProfileRows: without registers, frames are found by their offset in the file, their function,
// or the build ID of the file.
func TestProfileRows(t *testing.T) {
	const prog = "testdata/sid-x86_64-gcore/prog"
	files := corefile.Options{Exe: prog}
	f := corefile.OpenFile(prog, files)
	require.NoError(t, f.Err)
	funcs, err := f.Functions()
	require.NoError(t, err)
	leaf := funcs["leaf"]
	off, ok := f.Offset(leaf)
	require.True(t, ok)
	addr, ok := f.Address(off)
	assert.True(t, ok)
	assert.Equal(t, leaf, addr)
	id := fmt.Sprintf("%x", f.BuildID())
	stacks := map[string]string{
		"offset":   fmt.Sprintf("prog 5 1.5: 1 cycles: \n\t%x [unknown] (%s)\n\t%x [unknown] (%[2]s)\n", off, prog, off+2),
		"function": "@[\n    leaf+0\n    leaf+2\n]: 3\n",
		"build ID": "@[\n    " + id + " + 0x" + fmt.Sprintf("%x", off) + "\n]: 3\n",
	}
	for name, text := range stacks {
		if name == "build ID" && id == "" {
			continue
		}
		v, said := profiled(t, text, files)
		assert.Equal(t, HasRows, v.Verdict, name+": "+said)
	}
	v, said := profiled(t, fmt.Sprintf("prog 5 1.5: 1 cycles: \n\t%x [unknown] (%s)\n\t7ffff000 [unknown] (%[2]s)\n", off, prog), files)
	assert.Equal(t, HasRows, v.Verdict, "no code is at that offset: "+said)
	bare := corefile.Options{Exe: without(t, prog)}
	v, _ = profiled(t, stacks["function"], bare)
	assert.Equal(t, NoRow, v.Verdict)
	assert.Equal(t, int64(3), v.Count)
	assert.Equal(t, "leaf+0x2", v.Profiler)
	v, said = profiled(t, "@[\n    nosuch+0\n]: 3\n", files)
	assert.Equal(t, Unknown, v.Verdict)
	assert.Contains(t, said, "       3  not compared\n")
}

// TestProfileStored: the text that the documentation uses is that of the core, whose last caller was
// changed.
func TestProfileStored(t *testing.T) {
	const dir = "testdata/sid-x86_64-gcore"
	x := sampleOf(t, dir, 1<<10)
	x.frames[len(x.frames)-1] = "400199"
	want, err := os.ReadFile(dir + "/perf.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), x.text())
	v, _ := profiled(t, x.text(), corefile.Options{Exe: dir + "/prog"})
	assert.Equal(t, Differs, v.Verdict)
}
