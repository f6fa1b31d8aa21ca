package rewrite_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// changed returns the bytes of a file with a change.
func changed(data []byte, c *rewrite.Change) []byte {
	var p edit.Plan
	if !p.Add(c.Edits...) {
		panic("edits overlap")
	}
	out, err := p.Bytes(data)
	if err != nil {
		panic(err)
	}
	return out
}

func scanBytes(t *testing.T, path string, data []byte, visit func(*reader.Object) error) error {
	t.Helper()
	return reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, visit)
}

// synthesized returns a file with the section that its CFI leads to, and what was added.
func synthesized(t *testing.T, path string, data []byte, opts rewrite.Addition) ([]byte, *rewrite.Added, error) {
	t.Helper()
	var out []byte
	var x *rewrite.Added
	var why error
	require.NoError(t, scanBytes(t, path, data, func(o *reader.Object) error {
		if x, why = rewrite.Synthesize(o, opts); why == nil {
			out = changed(data, x.Change)
		}
		return nil
	}))
	return out, x, why
}

// A file of the corpus with the section that its CFI leads to is healthy: it has one section, which says
// what the CFI says, in a linked file in a segment that is loaded and in PT_GNU_SFRAME, and everything else of
// the file is where it was.
func TestSynthesizedSaysWhatCFISays(t *testing.T) {
	files := map[elf.Type]int{}
	err := filepath.WalkDir("../../../corpus/files", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data := must.Get(os.ReadFile(path))(t)
		if len(data) < 64 || string(data[:4]) != elf.ELFMAG {
			return nil
		}
		for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
			out, x, err := synthesized(t, path, data, rewrite.Addition{Version: v, Flex: true, Replace: true})
			if err != nil {
				continue // no CFI, or damaged headers
			}
			require.NoError(t, scanBytes(t, path, out, func(o *reader.Object) error {
				require.Len(t, o.SFrames, 1, path)
				sf := o.SFrames[0]
				require.NotNil(t, sf.Section, path)
				assert.Empty(t, sf.Faults, path)
				assert.Equal(t, x.FDEs, sf.Section.NumFDEs(), path)
				assert.Equal(t, v, sf.Section.Version())
				for i := range sf.Section.NumFDEs() {
					f := sf.Section.FDE(i)
					assert.True(t, f.Resolved(), "%s: FDE %d", path, i)
				}
				sameAsCFI(t, o, &rewrite.Expected{SFrame: sf, Omitted: x.Omitted, Proven: x.Proven}, path)
				if !o.ELF.Relocatable() {
					shown := o.ELF.SFrameSegments()
					require.Len(t, shown, 1, path)
					p := &o.ELF.Segments[shown[0]]
					at, ok := o.ELF.LoadedAt(p.Vaddr)
					assert.True(t, ok && at.Off == sf.Offset && p.Vaddr == sf.Section.Addr() && p.Filesz == uint64(len(x.Expected.Data)), path)
				}
				files[o.ELF.Type]++
				return nil
			}))
			if len(out) > len(data) {
				assert.Equal(t, data[64:], out[64:len(data)], "%s: other bytes", path)
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, files[elf.ET_REL], 100)
	assert.Greater(t, files[elf.ET_EXEC]+files[elf.ET_DYN], 100)
}

func TestSynthesizeRefuses(t *testing.T) {
	data, err := os.ReadFile("../../../corpus/files/binutils-2.47/amd64/pltgot.elf")
	require.NoError(t, err)
	_, _, err = synthesized(t, "x", data, rewrite.Addition{Version: 3})
	assert.ErrorIs(t, err, rewrite.ErrHasSFrame)
	cut := bytes.Clone(data)
	clear(cut[0x3e:0x40]) // e_shstrndx
	_, _, err = synthesized(t, "x", cut, rewrite.Addition{Version: 3, Replace: true})
	assert.ErrorContains(t, err, "no names")
}

// TestForeignIsRefused: nothing that writes promises or changes anything of a file for which the format has no ABI.
func TestForeignIsRefused(t *testing.T) {
	data := must.Get(os.ReadFile("../../../corpus/files/binutils-2.47/amd64/pltgot.elf"))(t)
	data[18] = byte(elf.EM_RISCV)
	require.NoError(t, scanBytes(t, "x", data, func(o *reader.Object) error {
		require.Len(t, o.SFrames, 1)
		_, add := rewrite.Synthesize(o, rewrite.Addition{Version: 3, Replace: true})
		_, put := rewrite.Put(o, o.SFrames[0], nil)
		_, write := rewrite.Section(o, o.SFrames[0], rewrite.Changes{Narrow: true})
		for _, err := range []error{add, put, write} {
			assert.EqualError(t, err, "it is ELF64 of EM_RISCV, for which the format has no ABI")
		}
		return nil
	}))
}

// The last name of a damaged file may have no end: it does not get longer.
func TestSynthesizeNames(t *testing.T) {
	data := must.Get(os.ReadFile("../../../corpus/files/other/renamed.ko"))(t)
	f := must.Get(elf.NewFile(bytes.NewReader(data)))(t)
	names := f.Section(".shstrtab")
	at := int(binary.LittleEndian.Uint64(data[0x28:])) + 64*int(data[0x3e]) + 32 // of its size
	require.Equal(t, names.Size, binary.LittleEndian.Uint64(data[at:]))
	binary.LittleEndian.PutUint64(data[at:], names.Size-1)
	out, _, err := synthesized(t, "x", data, rewrite.Addition{Version: 3})
	require.NoError(t, err)
	f, err = elf.NewFile(bytes.NewReader(out))
	require.NoError(t, err)
	var with []string
	for _, s := range f.Sections {
		if strings.Contains(s.Name, ".sframe") {
			with = append(with, s.Name)
		}
	}
	assert.ElementsMatch(t, []string{".sframe", ".rela.sframe"}, with)

	binary.LittleEndian.PutUint32(data[int(binary.LittleEndian.Uint64(data[0x28:]))+64:], uint32(names.Size)) // of section 1
	_, _, err = synthesized(t, "x", data, rewrite.Addition{Version: 3})
	assert.ErrorContains(t, err, "name is not in the table")
}

// The section and the relocations of an object that GNU as wrote without SFrame data are those that it
// writes with them, and ld makes the same section of both.
func TestInteropSynthesizeAsGas(t *testing.T) {
	for _, m := range []string{"x86_64", "aarch64", "s390x"} {
		as, ld, dir := toolchain.Tool(t, "sid-"+m+"-as"), toolchain.Tool(t, "sid-"+m+"-ld"), t.TempDir()
		source := filepath.Join(dir, "s.s")
		require.NoError(t, os.WriteFile(source, []byte(synthSource), 0o666))
		run := func(name string, args ...string) {
			c := exec.Command(name, args...)
			c.Dir = dir
			out, err := c.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		run(as, "-o", "plain.o", source)
		run(as, "--gsframe", "-o", "gas.o", source)
		data := must.Get(os.ReadFile(filepath.Join(dir, "plain.o")))(t)
		out, _, err := synthesized(t, "plain.o", data, rewrite.Addition{Version: 3, Flex: true})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "synth.o"), out, 0o666))
		for _, o := range []string{"gas", "synth"} {
			run(ld, "-e", "f", "-o", o, o+".o")
		}
		assert.Equal(t, sframeOf(t, filepath.Join(dir, "gas.o"), true), sframeOf(t, filepath.Join(dir, "synth.o"), true), m)
		assert.Equal(t, sframeOf(t, filepath.Join(dir, "gas"), false), sframeOf(t, filepath.Join(dir, "synth"), false), m)
	}
}

const synthSource = `	.text
	.globl f
	.type f, %function
f:	.cfi_startproc
	.skip 4
	.cfi_def_cfa_offset 176
	.skip 8
	.cfi_endproc
	.size f, .-f
	.section .text.cold,"ax"
g:	.cfi_startproc
	.skip 12
	.cfi_endproc
	.skip 4
h:	.cfi_startproc
	.skip 4
	.cfi_endproc
`

// sframeOf returns the bytes of a file's section, and its relocations without the names of their symbols.
func sframeOf(t *testing.T, path string, relocs bool) []byte {
	f := must.Get(elf.Open(path))(t)
	defer f.Close()
	names := []string{".sframe"}
	if relocs {
		names = append(names, ".rela.sframe")
	}
	var all []byte
	for _, n := range names {
		s := f.Section(n)
		require.NotNil(t, s, "%s: %s", path, n)
		b := must.Get(s.Data())(t)
		all = append(all, bytes.TrimRight(b, "\x00")...) // gas aligns the end on s390x
	}
	return all
}

// Programs of this machine run with the section as they did without it.
func TestInteropSynthesizedRuns(t *testing.T) {
	toolchain.Bin(t)
	ran := 0
	for _, p := range [][]string{{"ls", "/"}, {"bash", "-c", "echo $((6*7))"}, {"cat", "/proc/version"}, {"go", "version"}} {
		path, err := exec.LookPath(p[0])
		if err != nil {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			continue
		}
		data := must.Get(os.ReadFile(path))(t)
		out, _, err := synthesized(t, path, data, rewrite.Addition{Version: 3, Flex: true, Replace: true})
		if err != nil {
			continue // a script, or a file of another machine
		}
		to := filepath.Join(t.TempDir(), p[0])
		require.NoError(t, os.WriteFile(to, out, 0o777))
		want := must.Get(exec.Command(path, p[1:]...).Output())(t)
		c := exec.Command(to, p[1:]...)
		c.Env = append(os.Environ(), "GOROOT="+filepath.Dir(filepath.Dir(path)))
		got, err := c.Output()
		require.NoError(t, err, path)
		assert.Equal(t, string(want), string(got), path)
		ran++
	}
	assert.Positive(t, ran)
}
