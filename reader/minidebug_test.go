package reader

import (
	"bytes"
	"context"
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

func xzOf(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// withMini is a stripped file of which section 2 is .sframe, with the bytes of its .gnu_debugdata.
func withMini(data []byte, dynamic ...namedSym) *testELF {
	f := exec(sframeOf(craft(le, model.SFRAME_VERSION_2, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, 0, leaf(0x1000, 16))))
	if len(dynamic) > 0 {
		withSymbols(f, dynamic...)
		f.sections[2].name, f.sections[2].typ = ".dynsym", elf.SHT_DYNSYM
	}
	f.sections = append(f.sections, testSection{name: miniDebug, typ: elf.SHT_PROGBITS, data: data})
	return f
}

// TestMiniSymbols takes the symbols that .dynsym lacks from .gnu_debugdata.
func TestMiniSymbols(t *testing.T) {
	// In the other file, sections have other numbers.
	inner := withSymbols(exec(testSection{name: ".data", typ: elf.SHT_NOBITS, flags: elf.SHF_ALLOC, addr: 0x9000, size: 8}),
		sym("hidden", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x1010, 8), sym("undefined", elf.STT_FUNC, elf.STB_GLOBAL, 0, 0x1020, 0),
		sym("elsewhere", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x7000, 0))
	shared := sym("shared", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 8)
	o := scanOne(t, withMini(xzOf(t, inner.bytes()), shared).bytes())
	require.Empty(t, o.Faults)
	y := o.ELF.Symbols
	require.NoError(t, y.Err())
	assert.Equal(t, 3, y.Len())
	for addr, want := range map[uint64]string{0x1000: "shared", 0x1004: "shared", 0x1010: "hidden", 0x1017: "hidden"} {
		s, ok := y.Func(-1, addr)
		assert.True(t, ok)
		assert.Equal(t, want, s.Name)
		assert.Equal(t, 1, s.Section)
	}
	_, ok := y.Func(-1, 0x1020)
	assert.False(t, ok)

	o = scanOne(t, withMini(xzOf(t, inner.bytes())).bytes())
	s, ok := o.ELF.Symbols.Func(-1, 0x1010)
	assert.True(t, ok)
	assert.Equal(t, "hidden", s.Name)

	full := withSymbols(withMini(xzOf(t, inner.bytes())), sym("own", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1010, 8))
	s, _ = scanOne(t, full.bytes()).ELF.Symbols.Func(-1, 0x1010)
	assert.Equal(t, "own", s.Name, "a file with .symtab does not need the other one")
}

// TestMiniFaults names what is wrong with .gnu_debugdata, and reads it once.
func TestMiniFaults(t *testing.T) {
	other := exec()
	other.machine = elf.EM_AARCH64
	whole := xzOf(t, exec().bytes())
	nested := withMini(xzOf(t, withSymbols(exec(), sym("inmost", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1010, 8)).bytes()))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no xz":   {[]byte("text"), ".gnu_debugdata: cannot be decompressed: unexpected EOF"},
		"cut":     {whole[:len(whole)/2], ".gnu_debugdata: cannot be decompressed: xz: data is truncated or corrupt"},
		"no ELF":  {xzOf(t, []byte("text")), ".gnu_debugdata has no ELF file for the same machine"},
		"machine": {xzOf(t, other.bytes()), ".gnu_debugdata has no ELF file for the same machine"},
		"damaged": {xzOf(t, exec().bytes()[:300]), "in .gnu_debugdata: "},
		"nested":  {xzOf(t, nested.bytes()), ""},
	} {
		o := scanOne(t, withMini(c.data).bytes())
		require.Equal(t, StatusOK, o.Status, name)
		_, ok := o.ELF.Symbols.Func(-1, 0x1010)
		assert.False(t, ok, name)
		if c.want == "" {
			assert.Empty(t, o.Faults, name)
			continue
		}
		if assert.NotEmpty(t, o.Faults, name) {
			assert.Equal(t, ELFDamaged, o.Faults[0].Code)
			assert.Contains(t, o.Faults[0].Detail, c.want, name)
			header := o.ELF.Sections[3].Header
			assert.Equal(t, model.Span{Off: header.Off + 24, Len: 16}, o.Faults[0].Span, "sh_offset and sh_size")
		}
	}
}

// TestMiniBomb ends at the budget of memory.
func TestMiniBomb(t *testing.T) {
	data := withMini(xzOf(t, make([]byte, 64<<20))).bytes()
	limits := budget.Limits{}
	limits.Set(budget.Memory, 16<<20)
	all := scan(t, data, Options{Context: budget.New(context.Background(), limits)})
	require.Len(t, all, 1)
	require.NotEmpty(t, all[0].Faults)
	assert.Equal(t, BudgetExceeded, all[0].Faults[0].Code)
	assert.Contains(t, all[0].Faults[0].Detail, ".gnu_debugdata: the memory budget of 16M is exceeded")
}
