package reader

import (
	"bytes"
	"debug/elf"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// withSymbols adds a symbol table to a crafted file. Names are given with
// the symbols.
type namedSym struct {
	name string
	testSym
}

func withSymbols(f *testELF, syms ...namedSym) *testELF {
	names := []byte{0}
	var all []testSym
	for _, y := range syms {
		if y.name != "" {
			y.testSym.name = uint32(len(names))
			names = append(append(names, y.name...), 0)
		}
		all = append(all, y.testSym)
	}
	f.sections = append(f.sections,
		testSection{name: ".symtab", typ: elf.SHT_SYMTAB, link: uint32(len(f.sections) + 2), entsize: symSize, data: symtab(f.order, all...)},
		testSection{name: ".strtab", typ: elf.SHT_STRTAB, data: names})
	return f
}

func sym(name string, typ elf.SymType, bind elf.SymBind, sec elf.SectionIndex, value, size uint64) namedSym {
	return namedSym{name, testSym{0, typ, bind, sec, value, size}}
}

func TestSymbols(t *testing.T) {
	f := withSymbols(exec(), sym("main", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16), sym("abs", elf.STT_NOTYPE, elf.STB_LOCAL, elf.SHN_ABS, 7, 0))
	f.sections[1].data = append(f.sections[1].data, symtab(le, testSym{name: 1 << 30})[symSize:]...)
	o := scanOne(t, f.bytes())
	assert.Empty(t, o.Faults)
	y := o.ELF.Symbols
	require.Equal(t, 4, y.Len())
	at := func(i int) Symbol {
		s, ok := y.Symbol(i)
		require.True(t, ok)
		return s
	}
	assert.Equal(t, Symbol{}, at(0))
	assert.Equal(t, Symbol{"main", 0x1000, 16, 1, elf.STT_FUNC, elf.STB_GLOBAL, false, false}, at(1))
	assert.Equal(t, Symbol{"abs", 7, 0, int(elf.SHN_ABS), elf.STT_NOTYPE, elf.STB_LOCAL, false, true}, at(2))
	assert.Empty(t, at(3).Name, "beyond the names")
	for _, i := range []int{-1, 4} {
		_, ok := y.Symbol(i)
		assert.False(t, ok)
	}
	assert.NoError(t, y.Err())
}

func TestNoSymbols(t *testing.T) {
	for _, y := range []*Symbols{nil, {}, scanOne(t, exec().bytes()).ELF.Symbols} {
		assert.Zero(t, y.Len())
		_, ok := y.Symbol(0)
		assert.False(t, ok)
		_, ok = y.Func(-1, 0)
		assert.False(t, ok)
		assert.NoError(t, y.Load())
		assert.NoError(t, y.Err())
	}
}

func TestDynamicSymbolsAreTheLastResort(t *testing.T) {
	f := withSymbols(exec(), sym("exported", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16))
	f.sections[1].typ = elf.SHT_DYNSYM
	y, ok := scanOne(t, f.bytes()).ELF.Symbols.Func(-1, 0x1000)
	require.True(t, ok)
	assert.Equal(t, "exported", y.Name)

	f = withSymbols(f, sym("hidden", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x1000, 16))
	y, _ = scanOne(t, f.bytes()).ELF.Symbols.Func(-1, 0x1000)
	assert.Equal(t, "hidden", y.Name)
}

func TestFuncPreference(t *testing.T) {
	f := withSymbols(exec(),
		sym("untyped first", elf.STT_NOTYPE, elf.STB_GLOBAL, 1, 0x1008, 4),
		sym("cover", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 0x20),
		sym("local", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x1008, 4),
		sym("weak", elf.STT_FUNC, elf.STB_WEAK, 1, 0x1008, 4),
		sym("global", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1008, 0),
		sym("sized", elf.STT_GNU_IFUNC, elf.STB_GLOBAL, 1, 0x1008, 4),
		sym("later", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1008, 4),
		sym("untyped", elf.STT_NOTYPE, elf.STB_GLOBAL, 1, 0x1008, 4),
		sym("bare", elf.STT_NOTYPE, elf.STB_LOCAL, 1, 0x1030, 0),
		sym("data", elf.STT_OBJECT, elf.STB_GLOBAL, 1, 0x1034, 4),
		sym("gone", elf.STT_FUNC, elf.STB_GLOBAL, elf.SHN_UNDEF, 0x1034, 4),
		sym("abs", elf.STT_FUNC, elf.STB_GLOBAL, elf.SHN_ABS, 0x1034, 4),
		sym("file", elf.STT_FILE, elf.STB_LOCAL, 1, 0x1034, 4),
		sym("section", elf.STT_SECTION, elf.STB_LOCAL, 1, 0x1034, 4),
		sym("", elf.STT_NOTYPE, elf.STB_LOCAL, 1, 0x1034, 0),
		sym("label", elf.STT_NOTYPE, elf.STB_LOCAL, 2, 0x2000, 0),
	)
	y := scanOne(t, f.bytes()).ELF.Symbols
	for addr, want := range map[uint64]string{
		0x0fff: "", 0x1000: "cover", 0x1007: "cover", 0x1008: "sized", 0x100b: "later", 0x100c: "cover", 0x101f: "cover",
		0x1020: "", 0x1030: "bare", 0x1031: "", 0x1034: "", 0x2000: "",
	} {
		s, ok := y.Func(-1, addr)
		assert.Equal(t, want != "", ok, "%#x", addr)
		if addr == 0x100b {
			continue // any of those that cover it
		}
		assert.Equal(t, want, s.Name, "%#x", addr)
		s, ok = y.Func(1, addr)
		assert.Equal(t, want != "", ok)
		_, ok = y.Func(2, addr)
		assert.False(t, ok)
		_ = s
	}
}

func TestFuncCountsFromTheSectionInRelocatableFiles(t *testing.T) {
	y := scanOne(t, object(le, 3, 0).bytes()).ELF.Symbols
	for _, tt := range []struct {
		section int
		addr    uint64
		want    string
	}{{1, 0x10, "f"}, {1, 0x17, "f"}, {1, 0x18, ""}, {1, 0x20, ""}, {2, 0x20, "g"}, {2, 0x10, ""}, {-1, 0x10, ""}} {
		s, ok := y.Func(tt.section, tt.addr)
		assert.Equal(t, tt.want, s.Name)
		assert.Equal(t, tt.want != "", ok)
	}
}

func TestMappingSymbols(t *testing.T) {
	for _, m := range []elf.Machine{elf.EM_AARCH64, elf.EM_X86_64} {
		for _, name := range []string{"$x", "$d", "$x.123", "$d.x", "$xy", "$", "$a"} {
			f := withSymbols(exec(), sym(name, elf.STT_NOTYPE, elf.STB_LOCAL, 1, 0x1000, 0))
			f.machine = m
			_, ok := scanOne(t, f.bytes()).ELF.Symbols.Func(-1, 0x1000)
			mapping := m == elf.EM_AARCH64 && (len(name) == 2 && name != "$a" || strings.Contains(name, "."))
			assert.Equal(t, !mapping, ok, "%v %s", m, name)
		}
	}
}

func TestSymbolTableFaults(t *testing.T) {
	tests := []struct {
		name   string
		edit   func(syms, names *testSection)
		detail string
		syms   int
	}{
		{"entry size", func(s, n *testSection) { s.entsize = 16 }, "symbols of 16 bytes, ELF64 has 24", 0},
		{"beyond the end", func(s, n *testSection) { s.offset = 1 << 50 }, "the symbol table reaches beyond the end of the file", 0},
		{"no names", func(s, n *testSection) { s.link = 1 }, "sh_link of the symbol table leads to no names", 2},
		{"names beyond the end", func(s, n *testSection) { n.offset = 1 << 50 }, "the symbols' names reach beyond the end of the file", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := withSymbols(exec(sframeOf(plain)), sym("main", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16))
			tt.edit(&f.sections[2], &f.sections[3])
			o := scanOne(t, f.bytes())
			assert.Equal(t, StatusOK, o.Status)
			assert.Equal(t, []FaultCode{ELFDamaged}, codes(o.Faults))
			assert.Equal(t, tt.detail, o.Faults[0].Detail)
			assert.Equal(t, tt.syms, o.ELF.Symbols.Len())
		})
	}
}

func TestLongNamesAreCut(t *testing.T) {
	f := withSymbols(exec(), sym(strings.Repeat("x", 2*maxSymbolName), elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16))
	y, _ := scanOne(t, f.bytes()).ELF.Symbols.Func(-1, 0x1000)
	assert.Len(t, y.Name, maxSymbolName)
}

// countingReader counts the bytes that are asked for.
type countingReader struct {
	io.ReaderAt
	n int
}

func (c *countingReader) ReadAt(b []byte, off int64) (int, error) {
	c.n += len(b)
	return c.ReaderAt.ReadAt(b, off)
}

func TestOnlyWhatIsNeededIsRead(t *testing.T) {
	f := exec(sframeOf(plain))
	f.sections[0].data = make([]byte, 1<<20)
	f = withSymbols(f, sym("main", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16))
	b := f.bytes()
	c := &countingReader{ReaderAt: bytes.NewReader(b)}
	require.NoError(t, ScanReader("x", c, int64(len(b)), Options{}, func(o *Object) error {
		assert.Equal(t, StatusOK, o.Status)
		names := o.ELF.Sections[len(o.ELF.Sections)-1].Size
		assert.Equal(t, ehdrSize+len(o.ELF.Sections)*shdrSize+int(names)+len(plain)+2*symSize, c.n) // the first symbol and the last one
		before := c.n
		y, ok := o.ELF.Symbols.Func(-1, 0x1000)
		assert.True(t, ok)
		assert.Equal(t, "main", y.Name)
		assert.Equal(t, before+2*symSize+len("\x00main\x00"), c.n)
		return nil
	}))
}

func TestSymbolsAfterTheFileIsGone(t *testing.T) {
	f := exec()
	f.sections[0].data = make([]byte, small) // larger files are not read at once
	f = withSymbols(f, sym("main", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16))
	b := f.bytes()
	r := &vanishing{ReaderAt: bytes.NewReader(b)}
	var y *Symbols
	require.NoError(t, ScanReader("x", r, int64(len(b)), Options{}, func(o *Object) error { y = o.ELF.Symbols; return nil }))
	r.gone = true
	_, ok := y.Func(-1, 0x1000)
	assert.False(t, ok)
	assert.ErrorIs(t, y.Err(), io.ErrClosedPipe)
}

// TestReadErrorWhileVisited: who asks for symbols or code gets none, and the
// scan ends in the error.
func TestReadErrorWhileVisited(t *testing.T) {
	f := exec()
	f.sections[0].data = make([]byte, small) // larger files are not read at once
	f = withSymbols(f, sym("main", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16))
	b := f.bytes()
	ask := map[string]func(o *Object){
		"symbols": func(o *Object) { o.ELF.Symbols.Func(-1, 0x1000) },
		"code":    func(o *Object) { _, _ = o.ELF.SectionData(1, 1<<20) },
	}
	for name, ask := range ask {
		r := &vanishing{ReaderAt: bytes.NewReader(b)}
		seen := false
		err := ScanReader("x", r, int64(len(b)), Options{}, func(o *Object) error {
			r.gone, seen = true, true
			ask(o)
			return nil
		})
		assert.True(t, seen, name)
		assert.ErrorIs(t, err, io.ErrClosedPipe, name)
	}
}

// A small file is read at once, and read no more.
func TestSmallFile(t *testing.T) {
	b := withSymbols(exec(), sym("main", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 16)).bytes()
	r := &vanishing{ReaderAt: bytes.NewReader(b)}
	require.NoError(t, ScanReader("x", r, int64(len(b)), Options{}, func(o *Object) error {
		r.gone = true
		y, ok := o.ELF.Symbols.Func(-1, 0x1000)
		assert.True(t, ok)
		assert.Equal(t, "main", y.Name)
		_, err := o.ELF.SectionData(1, 1<<20)
		return err
	}))
	r = &vanishing{ReaderAt: bytes.NewReader(b[:len(b)-1])} // it became shorter
	assert.ErrorIs(t, ScanReader("x", r, int64(len(b)), Options{}, func(o *Object) error {
		return o.ELF.Symbols.Err()
	}), io.ErrUnexpectedEOF)
}

type vanishing struct {
	io.ReaderAt
	gone bool
}

func (v *vanishing) ReadAt(b []byte, off int64) (int, error) {
	if v.gone {
		return 0, io.ErrClosedPipe
	}
	return v.ReaderAt.ReadAt(b, off)
}

// TestDynamicSymbols: without section headers, a library's symbols are those of its .dynsym.
func TestDynamicSymbols(t *testing.T) {
	files := must.Get(filepath.Glob("../corpus/files/binutils-2.47/*/libprovider.so"))(t)
	files = append(files, "../corpus/files/mold-3/libprovider.so")
	for _, file := range files {
		b := must.Get(os.ReadFile(file))(t)
		f := must.Get(elf.NewFile(bytes.NewReader(b)))(t)
		want := must.Get(f.DynamicSymbols())(t)
		require.NotEmpty(t, want, file)
		clear(b[0x28:0x30]) // e_shoff
		clear(b[0x3c:0x40]) // e_shnum, e_shstrndx
		table := scanOne(t, b).ELF.Symbols
		for i, y := range want {
			s, ok := table.Symbol(i + 1)
			require.True(t, ok, "%s: %s", file, y.Name)
			assert.Equal(t, y.Name, s.Name, file)
			assert.Equal(t, y.Value, s.Value, file)
		}
		assert.Equal(t, len(want)+1, table.Len(), file)
	}
}
