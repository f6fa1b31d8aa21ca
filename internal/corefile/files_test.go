package corefile

import (
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// dynamicCore is a core without NT_FILE. The executable's headers are in memory at 0x5040,
// PT_DYNAMIC at 0x5100, r_debug at 0x5200 and the list from 0x5300 on: the executable, the
// vDSO, a file, and the executable again.
func dynamicCore(abi model.ABIInfo, file string, bias, ld uint64) *image {
	m := &image{abi: abi}
	m.thread(1, 11)
	m.note("CORE", ntAUXV, m.words(atPHDR, 0x5040, atPHNUM, 2, atExecFn, 0x5600, 0, 0))
	b := make([]byte, 0x800)
	phdr := func(typ elf.ProgType, vaddr uint64) []byte {
		return append(m.order().AppendUint32(m.order().AppendUint32(nil, uint32(typ)), 4), m.words(0, vaddr, vaddr, 0x100, 0x100, 8)...)
	}
	copy(b[0x40:], append(phdr(elf.PT_PHDR, 0x40), phdr(elf.PT_DYNAMIC, 0x100)...))
	copy(b[0x100:], m.words(uint64(elf.DT_STRTAB), 1, uint64(elf.DT_DEBUG), 0x5200, 0, 0, uint64(elf.DT_DEBUG), 1))
	copy(b[0x200:], m.words(1, 0x5300))
	copy(b[0x300:], m.words(0x5000, 0x5400, 0x5100, 0x5320)) // name ""
	copy(b[0x320:], m.words(0x9000, 0x5410, 0x9100, 0x5340))
	copy(b[0x340:], m.words(bias, 0x5430, ld, 0x5300))
	copy(b[0x410:], "linux-vdso.so.1\x00")
	copy(b[0x430:], file+"\x00")
	copy(b[0x600:], "/bin/none\x00")
	m.loads = []part{{0x5000, b}}
	return m
}

// TestLinkMap finds a file by the list of the dynamic linker.
func TestLinkMap(t *testing.T) {
	const lib = "../../corpus/files/binutils-2.47/amd64/libprovider.so"
	f, err := elf.Open(lib)
	require.NoError(t, err)
	defer f.Close()
	var dynamic, code uint64
	for _, p := range f.Progs {
		switch {
		case p.Type == elf.PT_DYNAMIC:
			dynamic = p.Vaddr
		case p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0:
			code = p.Vaddr
		}
	}
	const bias = 0x7f00_0000_0000
	c, err := open(dynamicCore(amd64(), lib, bias, bias+dynamic).bytes(t))
	require.NoError(t, err)
	mods := NewModules(c, Options{})
	x, ok := mods.At(bias + code)
	require.True(t, ok)
	require.NoError(t, x.Err)
	assert.Equal(t, []any{lib, uint64(bias)}, []any{x.Name, x.Bias})
	assert.Len(t, x.Sections, 1)
	_, ok = mods.At(0x9000)
	assert.False(t, ok, "the vDSO is not a file")
	all := mods.All()
	require.Len(t, all, 2)
	assert.Equal(t, "/bin/none", all[1].Name, "by AT_EXECFN")
	assert.Error(t, all[1].Err)

	c, err = open(dynamicCore(amd64(), lib, bias, bias+dynamic+8).bytes(t))
	require.NoError(t, err)
	x, ok = NewModules(c, Options{}).At(bias + code)
	require.True(t, ok)
	assert.Equal(t, errOtherFile, x.Err)
	assert.Empty(t, x.Sections)

	c, err = open(dynamicCore(amd64(), "/none/x.so", bias, 0).bytes(t))
	require.NoError(t, err)
	mods = NewModules(c, Options{})
	_, ok = mods.At(bias + code)
	assert.False(t, ok)
	assert.Len(t, mods.All(), 2, "it may have been in a file that can't be read")
}

// TestExecutable: --exe and the sysroot stand for the path that was executed.
func TestExecutable(t *testing.T) {
	c, err := open(dynamicCore(amd64(), "/none", 0, 0).bytes(t))
	require.NoError(t, err)
	for want, opts := range map[string]Options{"/bin/none": {}, "/tmp/exe": {Exe: "/tmp/exe", Sysroot: "/s"}, "/s/bin/none": {Sysroot: "/s"}} {
		mods := NewModules(c, opts)
		assert.Equal(t, want, mods.program.Path)
		assert.Equal(t, "/bin/none", mods.program.Name)
	}
}

// executable returns an ELF file that has code and a build ID.
func executable(abi model.ABIInfo, id string) []byte {
	m := &image{abi: abi}
	m.note("GNU", 1, []byte("not the ID"))
	if id != "" {
		m.note("GNU", ntGNUBuildID, []byte(id))
	}
	order := m.order()
	b := make([]byte, 16)
	copy(b, elf.ELFMAG)
	b[elf.EI_CLASS], b[elf.EI_DATA], b[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	if abi.Big {
		b[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	b = order.AppendUint16(order.AppendUint16(b, uint16(elf.ET_EXEC)), uint16(abi.Machine))
	b = append(order.AppendUint32(b, 1), m.words(0, 64, 0)...)
	for _, v := range []uint16{0, 0, 64, 56, 2, 64, 0, 0} { // e_flags, e_ehsize and so on
		b = order.AppendUint16(b, v)
	}
	b = append(b, 0, 0)[:64]
	size := uint64(64 + 2*56 + len(m.notes))
	for _, p := range []struct {
		typ  elf.ProgType
		off  uint64
		size uint64
	}{{elf.PT_LOAD, 0, size}, {elf.PT_NOTE, 64 + 2*56, uint64(len(m.notes))}} {
		b = order.AppendUint32(order.AppendUint32(b, uint32(p.typ)), uint32(elf.PF_R|elf.PF_X))
		b = append(b, m.words(p.off, 0x400000+p.off, 0, p.size, p.size, 8)...)
	}
	return append(b, m.notes...)
}

// TestBuildID: a file that is not the one that ran is not used, as far as build IDs show it.
func TestBuildID(t *testing.T) {
	for _, abi := range model.ABIs() {
		for _, x := range []struct{ file, ran, says string }{
			{"one", "one", ""}, {"one", "", ""}, {"", "one", ""},
			{"one", "two", "not used: its build ID is 6f6e65, and that of the file that ran 74776f"},
		} {
			path := filepath.Join(t.TempDir(), "prog")
			require.NoError(t, os.WriteFile(path, executable(abi, x.file), 0o666))
			ran := executable(abi, x.ran)
			for _, listed := range []bool{true, false} {
				m := &image{abi: abi, loads: []part{{0x400000, ran}}}
				m.thread(1, 11)
				m.note("CORE", ntAUXV, m.words(atPHDR, 0x400040, atPHNUM, 2, 0, 0))
				if listed {
					m.note("CORE", ntFILE, m.mappings(Mapping{Start: 0x400000, End: 0x401000, Path: "/bin/prog"}))
				}
				c, err := open(m.bytes(t))
				require.NoError(t, err)
				y, ok := NewModules(c, Options{Exe: path}).At(0x400001)
				require.True(t, ok)
				if x.says == "" {
					assert.NoError(t, y.Err)
				} else {
					assert.EqualError(t, y.Err, x.says)
				}
			}
		}
	}
}

// TestBuildIDIn finds a build ID among other notes, and none that is cut off.
func TestBuildIDIn(t *testing.T) {
	m := &image{abi: amd64()}
	m.note("GNU", ntGNUBuildID, []byte(strings.Repeat("x", maxBuildID+1)))
	m.note("XNU", ntGNUBuildID, []byte("other"))
	m.note("GNU", ntGNUBuildID, []byte("id"))
	assert.Equal(t, "id", string(buildIDIn(m.notes, binary.LittleEndian)))
	for n := range len(m.notes) {
		_ = buildIDIn(m.notes[:n], binary.LittleEndian)
	}
	assert.Nil(t, buildIDIn(m.notes[:len(m.notes)-4], binary.LittleEndian))
}

// TestHabit: the linter and the trace name the same quirks, those of the linker's stubs.
func TestHabit(t *testing.T) {
	for file, want := range map[string]string{
		"binutils-2.40/amd64/ibtplt.elf": "", "binutils-2.44/amd64/pltgot.elf": "GNU ld 2.41 to 2.44", "binutils-2.47/amd64/pltgot.elf": "GNU ld 2.46 to 2.47",
	} {
		path := "../../corpus/files/" + file
		e, err := elf.Open(path)
		require.NoError(t, err)
		defer e.Close()
		const bias = 0x5555_0000_0000
		x := Module{Name: path, Bias: bias, File: OpenFile(path, Options{})}
		require.NoError(t, x.Err)
		for _, s := range e.Sections {
			got := ""
			if s.Name == ".plt.got" {
				got = want
			}
			if s.Flags&elf.SHF_EXECINSTR != 0 {
				assert.Equal(t, got, x.Habit("SF6023", bias+s.Addr), "%s: %s", file, s.Name)
				assert.Equal(t, got, x.Habit("SF6018", bias+s.Addr+s.Size-1), "%s: %s", file, s.Name)
				assert.Empty(t, x.Habit("SF6007", bias+s.Addr), "%s: %s", file, s.Name)
			}
		}
	}
}
