package trace

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/reader"
)

var store = flag.Bool("store", false, "write the stored cores anew (TestInteropCores)")

// written traces a core.
func written(t *testing.T, path, exe string, asJSON bool) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var b bytes.Buffer
	write := func(core *corefile.Core, err error) {
		require.NoError(t, err)
		mods := corefile.NewModules(core, corefile.Options{Exe: exe, CFI: true})
		r, err := Write(&b, core, mods, Options{Name: "core", JSON: asJSON, MaxFrames: 100, Compare: true})
		require.NoError(t, err)
		require.NoError(t, r.Err)
	}
	write(corefile.Open(bytes.NewReader(data), int64(len(data)), reader.Options{}))
	whole := bytes.Clone(b.Bytes())
	b.Reset()
	write(corefile.OpenStream(bytes.NewReader(data), reader.Options{}))
	assert.Equal(t, string(whole), b.String(), "read once")
	return whole
}

// report traces a core, and reads what was written.
func report(t *testing.T, path, exe string) *Report {
	t.Helper()
	var r Report
	require.NoError(t, json.Unmarshal(written(t, path, exe, true), &r))
	return &r
}

// disagrees reports whether CFI disagrees on the caller of a frame.
func disagrees(t *Thread) bool {
	return slices.ContainsFunc(t.Frames, func(f Frame) bool { return f.CFI != "" })
}

// TestStoredCores traces cores of the programs of TestInteropCores. They have the
// notes that are used and the parts of stacks between the frames.
func TestStoredCores(t *testing.T) {
	cores, err := filepath.Glob("testdata/*/core")
	require.NoError(t, err)
	require.Len(t, cores, 6)
	for _, core := range cores {
		dir := filepath.Dir(core)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b := written(t, core, dir+"/prog", false)
			want, err := os.ReadFile(dir + "/backtrace.txt")
			require.NoError(t, err)
			assert.Equal(t, string(want), string(b))
		})
	}
}

// keep stores a program of which there is one file, if it is linked by the newest
// tools and has a signal frame or was dumped by gdb.
func keep(t *testing.T, p program, core, exe string, r *Report) {
	if p.suite != "sid" || p.dynamic || !p.signal && !p.wait {
		return
	}
	dir := filepath.Join("testdata", p.name())
	require.NoError(t, os.MkdirAll(dir, 0o777))
	b, err := os.ReadFile(exe)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(dir+"/prog", b, 0o666))
	require.NoError(t, os.WriteFile(dir+"/core", trim(t, core, r), 0o666))
	require.NoError(t, os.WriteFile(dir+"/backtrace.txt", written(t, dir+"/core", dir+"/prog", false), 0o666))
}

// trim returns the part of a core that its backtraces need.
func trim(t *testing.T, path string, r *Report) []byte {
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var notes []byte
	type part struct {
		addr uint64
		data []byte
	}
	var parts []part
	for _, p := range f.Progs {
		if p.Filesz == 0 {
			continue
		}
		b := make([]byte, p.Filesz)
		_, err := p.ReadAt(b, 0)
		require.NoError(t, err)
		if p.Type == elf.PT_NOTE {
			notes = append(notes, usedNotes(b, f.ByteOrder)...)
		}
		for i := range r.Threads {
			fs := r.Threads[i].Frames
			first, last := address(t, fs[0].SP), address(t, fs[len(fs)-1].SP)
			// A frame of s390x ends 160 bytes above the caller's SP.
			if n := first - p.Vaddr; p.Type == elf.PT_LOAD && first >= p.Vaddr && n < p.Filesz {
				end := min(last+160-p.Vaddr, p.Filesz)
				parts = append(parts, part{first, b[n:end]})
			}
		}
	}
	var out bytes.Buffer
	put := func(v any) { require.NoError(t, binary.Write(&out, f.ByteOrder, v)) }
	h := elf.Header64{Type: uint16(elf.ET_CORE), Machine: uint16(f.Machine), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(1 + len(parts))}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(f.Class), byte(f.Data), 1
	put(&h)
	at := uint64(64 + 56*(1+len(parts)))
	put(&elf.Prog64{Type: uint32(elf.PT_NOTE), Off: at, Filesz: uint64(len(notes))})
	at += uint64(len(notes))
	for _, p := range parts {
		put(&elf.Prog64{Type: uint32(elf.PT_LOAD), Off: at, Vaddr: p.addr, Filesz: uint64(len(p.data)), Memsz: uint64(len(p.data))})
		at += uint64(len(p.data))
	}
	out.Write(notes)
	for _, p := range parts {
		out.Write(p.data)
	}
	return out.Bytes()
}

func address(t *testing.T, s string) uint64 {
	v, err := strconv.ParseUint(s, 0, 64)
	require.NoError(t, err)
	return v
}

// usedNotes returns the notes that a trace needs: NT_PRSTATUS, NT_FPREGSET,
// NT_AUXV and NT_FILE.
func usedNotes(b []byte, order binary.ByteOrder) (out []byte) {
	for len(b) >= 12 {
		n := 12 + int(order.Uint32(b)+3)&^3 + int(order.Uint32(b[4:])+3)&^3
		switch order.Uint32(b[8:]) {
		case 1, 2, 6, 0x46494c45:
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}
