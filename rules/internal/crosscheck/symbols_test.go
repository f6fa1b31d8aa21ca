package crosscheck_test

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
)

// A file in which most starts are wrong gets one finding, not one each.
func TestManyInsideFunctions(t *testing.T) {
	for _, c := range []struct{ all, wrong, findings int }{{20, 20, 1}, {20, 8, 8}, {18, 9, 9}, {17, 9, 1}, {8, 8, 8}} {
		f := manyFunctions(t, c.all)
		for i := range c.wrong {
			f.Relocs[i].Addend += 4
		}
		elftest.Read(t, f.Bytes(t), func(o *reader.Object) {
			found := ruletest.Findings(t, crosscheck.Rules, o)
			require.Len(t, found, c.findings, c)
			require.Equal(t, "SF6001 0x1c+8", found[0])
		})
	}
}

// manyFunctions is an object with n functions of 16 bytes, of which no FRE
// is told.
func manyFunctions(t *testing.T, n int) elftest.File {
	t.Helper()
	text := fmt.Sprintf("dee2 03 04 03 00 f8 00 %08x 00000000 %08x 00000000 %08x ", n, 5*n, 16*n)
	for i := range n {
		text += fmt.Sprintf("0000000000000000 00000010 %08x ", 5*i)
	}
	for range n {
		text += "0000 00 00 00 "
	}
	f := elftest.Object(elf.EM_X86_64, false, ruletest.Hex(t, text, false))
	for i := range n {
		f.Symbols = append(f.Symbols, function("f", uint64(16*i), 16))
		f.Relocs = append(f.Relocs, elftest.Reloc{Offset: uint64(0x1c + 16*i), Symbol: 1, Type: uint32(elf.R_X86_64_PC64), Addend: int64(16 * i)})
	}
	return f
}

// A symbol over all of the code would be compared with every FDE after it,
// and so would thousands of them.
func TestManySymbolsOverAll(t *testing.T) {
	f := manyFunctions(t, 20)
	for range 300 {
		f.Symbols = append(f.Symbols, function("all", 0, 0x400))
	}
	elftest.Read(t, f.Bytes(t), func(o *reader.Object) {
		require.Empty(t, ruletest.Findings(t, crosscheck.Rules, o))
	})
}

// The symbols are those of the first .symtab, else of the first .dynsym.
func TestSymbolTable(t *testing.T) {
	const entry = 24
	head := func(data []byte, i int) []byte { return data[elftest.Header(i) : elftest.Header(i)+64] }
	dynsym := func(data []byte) { // before .symtab, without functions
		h := head(data, elftest.RelocsIndex)
		copy(h, head(data, elftest.SymbolsIndex))
		h[4] = byte(elf.SHT_DYNSYM)
		binary.LittleEndian.PutUint64(h[0x18:], elftest.More)
		binary.LittleEndian.PutUint64(h[0x20:], 2*entry)
	}
	bad := []string{"SF6002 0x34+4"}
	for name, c := range map[string]struct {
		change func([]byte)
		want   []string
	}{
		"symtab":            {func([]byte) {}, bad},
		"dynsym":            {func(data []byte) { head(data, elftest.SymbolsIndex)[4] = byte(elf.SHT_DYNSYM) }, bad},
		"symtab and dynsym": {dynsym, bad},
		"two dynsyms": {func(data []byte) {
			dynsym(data)
			head(data, elftest.SymbolsIndex)[4] = byte(elf.SHT_DYNSYM)
		}, []string{}},
		"an empty dynsym first": {func(data []byte) {
			dynsym(data)
			binary.LittleEndian.PutUint64(head(data, elftest.RelocsIndex)[0x20:], 0)
			head(data, elftest.SymbolsIndex)[4] = byte(elf.SHT_DYNSYM)
		}, bad},
		"entries of another size": {func(data []byte) { head(data, elftest.SymbolsIndex)[0x38] = 16 }, []string{}},
		"beyond the file":         {func(data []byte) { head(data, elftest.SymbolsIndex)[0x1c] = 1 }, []string{}},
		"section indices apart": {func(data []byte) {
			h := head(data, elftest.RelocsIndex)
			binary.LittleEndian.PutUint32(h[4:], uint32(elf.SHT_SYMTAB_SHNDX))
			binary.LittleEndian.PutUint64(h[0x18:], elftest.More)
			binary.LittleEndian.PutUint64(h[0x20:], 4*7)
			binary.LittleEndian.PutUint32(h[0x28:], elftest.SymbolsIndex)
			binary.LittleEndian.PutUint16(data[elftest.Symbols+3*entry+6:], 0xffff)
			data[elftest.More+4*3] = elftest.TextIndex
		}, bad},
		"a section that is not there": {func(data []byte) {
			data[elftest.Symbols+3*entry+6] = elftest.MoreIndex
		}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			data := fileCase{edits: []ruletest.Edit{ruletest.Set(0x34, "000001f0")}}.bytes(t)
			c.change(data)
			elftest.Read(t, data, func(o *reader.Object) { require.Equal(t, c.want, ruletest.Findings(t, crosscheck.Rules, o)) })
		})
	}
}
