package generator_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// wraps are the kinds of file around a section.
var wraps = map[string]func(*generator.Plan) (*generator.File, error){
	"exec": generator.WrapExec, "shared": generator.WrapShared, "rel": generator.WrapRel,
}

// wrappable is a drawn plan whose section and functions do not overlap.
func wrappable(t testing.TB, rnd *rand.Rand) *generator.Plan {
	t.Helper()
	p, err := generator.Generate(generator.Swarm(rnd))
	require.NoError(t, err)
	return p
}

// TestWrapHolds reads files with the standard library: the section is in
// them, byte for byte, with its segment, and each function has its symbol and
// lies in an executable section.
func TestWrapHolds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		p := wrappable(t, rnd)
		for kind, wrap := range wraps {
			w, err := wrap(p)
			require.NoError(t, err)
			require.Less(t, len(w.Bytes), 4<<20, kind)
			f, err := elf.NewFile(bytes.NewReader(w.Bytes))
			require.NoError(t, err)
			want, err := generator.Encode(w.Plan)
			require.NoError(t, err)
			s := f.Section(".sframe")
			require.NotNil(t, s)
			got, err := s.Data()
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.EqualValues(t, s.Offset, w.Offset)
			checkSymbols(t, f, w.Plan)
			if kind == "rel" {
				checkRelocs(t, f, w.Plan)
				continue
			}
			require.Equal(t, p.Addr, s.Addr)
			checkSegments(t, f, s)
		}
	}
}

// TestWrapRelCode holds that an object file has the code of its functions, without those that are too long.
func TestWrapRelCode(t *testing.T) {
	p := wrappable(t, rand.New(rand.NewPCG(9, 10)))
	p.Funcs, p.Addr, p.Version, p.Layout = []generator.Func{{Size: 16}, {Start: 1 << 40, Size: 16}, {Start: 1 << 41, Size: 1 << 31}}, 1<<32, model.SFRAME_VERSION_3, nil
	w, err := generator.WrapRel(p)
	require.NoError(t, err)
	require.Len(t, w.Plan.Funcs, 2)
	f, err := elf.NewFile(bytes.NewReader(w.Bytes))
	require.NoError(t, err)
	for _, name := range []string{".text", ".text.1"} {
		require.Equal(t, elf.SHT_PROGBITS, f.Section(name).Type)
	}
}

func checkSymbols(t *testing.T, f *elf.File, p *generator.Plan) {
	t.Helper()
	syms, err := f.Symbols()
	if len(p.Funcs) > 0 {
		require.NoError(t, err)
	}
	byName := map[string]elf.Symbol{}
	local := uint32(1) // the empty symbol, which the library leaves out
	for _, s := range syms {
		if elf.ST_BIND(s.Info) == elf.STB_LOCAL {
			local++
		}
		byName[s.Name] = s
	}
	require.Equal(t, local, f.Section(".symtab").Info)
	for _, fn := range p.Funcs {
		s, ok := byName[fn.Name]
		require.True(t, ok, fn.Name)
		require.Equal(t, fn.Start, s.Value)
		require.EqualValues(t, fn.Size, s.Size)
		text := f.Sections[s.Section]
		require.NotZero(t, text.Flags&elf.SHF_EXECINSTR)
		require.GreaterOrEqual(t, s.Value, text.Addr)
		require.LessOrEqual(t, s.Value+s.Size, text.Addr+text.Size)
		if p.Relocatable {
			require.EqualValues(t, fn.Place, s.Section)
		}
	}
}

func checkSegments(t *testing.T, f *elf.File, s *elf.Section) {
	t.Helper()
	found := 0
	for _, g := range f.Progs {
		if g.Type == 0x6474e554 {
			found++
			require.Equal(t, s.Addr, g.Vaddr)
			require.Equal(t, s.Offset, g.Off)
			require.Equal(t, s.Size, g.Filesz)
			require.Equal(t, s.Size, g.Memsz)
		}
		if g.Type == elf.PT_LOAD {
			require.Equal(t, g.Off%g.Align, g.Vaddr%g.Align)
		}
	}
	require.Equal(t, 1, found)
}

// checkRelocs resolves each relocation: it must name the function's start.
func checkRelocs(t *testing.T, f *elf.File, p *generator.Plan) {
	t.Helper()
	s := f.Section(".rela.sframe")
	require.NotNil(t, s)
	relas := make([]elf.Rela64, len(p.Funcs))
	require.NoError(t, binary.Read(s.Open(), f.ByteOrder, relas))
	syms, _ := f.Symbols()
	for i, r := range relas {
		sym := syms[elf.R_SYM64(r.Info)-1]
		require.EqualValues(t, p.Funcs[i].Place, sym.Section)
		require.Equal(t, p.Funcs[i].Start, sym.Value+uint64(r.Addend))
	}
}

// TestWrapRefuses has plans that no file can hold.
func TestWrapRefuses(t *testing.T) {
	p := one(3, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.Row{CFA: reg(7, 8), RA: at(-8), FP: unchanged})
	p.Funcs[0].Start = p.Addr
	_, err := generator.WrapExec(p)
	assert.ErrorContains(t, err, "overlap")
	p.Relocatable = true
	for _, wrap := range wraps {
		_, err := wrap(p)
		assert.ErrorContains(t, err, "object file")
	}
	p = one(3, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.Row{})
	for _, wrap := range wraps {
		_, err := wrap(p)
		assert.Error(t, err)
	}
	for _, name := range []string{"", "a/b", "a\nb"} {
		_, err := generator.WrapArchive([]generator.Member{{Name: name}})
		assert.Error(t, err)
	}
}

// TestWrapArchive reads an archive back, with short and long names, and
// members of even and odd size.
func TestWrapArchive(t *testing.T) {
	p := wrappable(t, rand.New(rand.NewPCG(13, 14)))
	w, err := generator.WrapRel(p)
	require.NoError(t, err)
	var want []generator.Member
	for n := range 6 {
		want = append(want, generator.Member{Name: strings.Repeat("x", 10+3*n) + ".o", Bytes: append(w.Bytes, make([]byte, n)...)})
	}
	b, err := generator.WrapArchive(want)
	require.NoError(t, err)
	var got []generator.Member
	require.NoError(t, reader.ScanReader("a", bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		assert.Equal(t, reader.StatusOK, o.Status)
		got = append(got, generator.Member{Name: o.Member, Bytes: b[o.Base : o.Base+o.Size]})
		return nil
	}))
	assert.Equal(t, want, got)
}

// TestInteropReadelf shows the files to readelf and objdump: readelf has no
// complaint, and objdump prints every function.
func TestInteropReadelf(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	dir := t.TempDir()
	for n := range 30 {
		p := wrappable(t, rnd)
		readelf := toolchain.Tool(t, "sid-"+p.ABIInfo().Arch+"-readelf")
		objdump := toolchain.Tool(t, "sid-"+p.ABIInfo().Arch+"-objdump")
		var members []generator.Member
		for kind, wrap := range wraps {
			w, err := wrap(p)
			require.NoError(t, err)
			path := filepath.Join(dir, fmt.Sprintf("%s-%d", kind, n))
			require.NoError(t, os.WriteFile(path, w.Bytes, 0o600))
			members = append(members, generator.Member{Name: kind + strings.Repeat("-long", n%5), Bytes: w.Bytes})
			out, err := exec.Command(readelf, "-a", "-W", path).CombinedOutput()
			require.NoError(t, err, string(out))
			for _, bad := range []string{"arning", "rror:", "<corrupt", "<no-"} {
				require.NotContains(t, string(out), bad, "%s\n%s", path, p)
			}
			if p.Version == model.SFRAME_VERSION_1 || len(p.Aux) > 0 {
				continue // these tools read V2 and V3, and no auxiliary header
			}
			out, err = exec.Command(objdump, "--sframe", path).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, len(p.Funcs), strings.Count(string(out), "func idx ["), "%s\n%s", p, out)
		}
		archive, err := generator.WrapArchive(members)
		require.NoError(t, err)
		path := filepath.Join(dir, fmt.Sprintf("archive-%d.a", n))
		require.NoError(t, os.WriteFile(path, archive, 0o600))
		out, err := exec.Command(toolchain.Tool(t, "sid-"+p.ABIInfo().Arch+"-ar"), "t", path).CombinedOutput()
		require.NoError(t, err, string(out))
		var want []string
		for _, m := range members {
			want = append(want, m.Name)
		}
		require.Equal(t, want, strings.Fields(string(out)))
	}
}
