package cross_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/cross"
	"github.com/sframe-lint/sframe-lint/rules/internal/elftest"
	"github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

// fileCase is a file whose symbols agree with its section, changed in some
// way, and what is found in it.
type fileCase struct {
	name   string
	base   ruletest.Base // V3AMD64 where there is none
	object bool          // an object file instead of an executable
	edits  []ruletest.Edit
	change func(*elftest.File)
	want   []string
}

func (c fileCase) file(t *testing.T) elftest.File {
	t.Helper()
	if c.base.Name == "" {
		c.base = ruletest.V3AMD64
	}
	abi, edits := c.base.ABI(), c.edits
	if c.object {
		edits = append([]ruletest.Edit{ruletest.Set(3, "04")}, edits...)
	}
	f := elftest.Linked(abi.Machine, c.base.Big, c.base.Bytes(t, edits...))
	s, faults := reader.DecodeSection(c.base.Bytes(t), reader.SectionOptions{Addr: ruletest.Addr})
	require.Empty(t, faults)
	from := uint64(0)
	if c.object {
		f = elftest.Object(abi.Machine, c.base.Big, f.SFrame)
		from = elftest.Text
	} else {
		f.Symbols = []elftest.Symbol{{Section: elftest.TextIndex, Type: elf.STT_SECTION, Value: elftest.Text}}
	}
	for i := range s.NumFDEs() {
		d := s.FDE(i)
		f.Symbols = append(f.Symbols, elftest.Symbol{Name: string(rune('a' + i)), Section: elftest.TextIndex, Value: d.Start() - from,
			Size: uint64(d.Size()), Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL})
		if c.object {
			f.Relocs = append(f.Relocs, elftest.Reloc{Offset: uint64(d.FieldSpan(model.FDEStart).Off), Symbol: 1, Type: relocType(abi, s.Version()), Addend: int64(d.Start() - from)})
		}
	}
	if c.change != nil {
		c.change(&f)
	}
	return f
}

func relocType(abi *model.ABIInfo, v model.Version) uint32 {
	if v == model.SFRAME_VERSION_3 {
		return abi.Reloc64
	}
	return abi.Reloc32
}

func run(t *testing.T, cases []fileCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == nil {
				want = []string{}
			}
			elftest.Read(t, c.file(t).Bytes(t), func(o *reader.Object) {
				require.Equal(t, want, ruletest.Findings(t, cross.Rules, o))
			})
		})
	}
}

// message returns what the family says of a file with one finding.
func message(t *testing.T, c fileCase) string {
	t.Helper()
	var text string
	elftest.Read(t, c.file(t).Bytes(t), func(o *reader.Object) {
		res := (&rules.Driver{Rules: cross.Rules}).Run(o)
		require.Len(t, res.Findings, 1)
		text = res.Findings[0].Message
	})
	return text
}

// symbol changes the symbol of the i-th FDE.
func symbol(i int, change func(*elftest.Symbol)) func(*elftest.File) {
	return func(f *elftest.File) { change(&f.Symbols[i+1]) }
}

func more(y ...elftest.Symbol) func(*elftest.File) {
	return func(f *elftest.File) { f.Symbols = append(f.Symbols, y...) }
}

func function(name string, value, size uint64) elftest.Symbol {
	return elftest.Symbol{Name: name, Section: elftest.TextIndex, Value: value, Size: size, Type: elf.STT_FUNC}
}

func TestHealthy(t *testing.T) {
	var cases []fileCase
	for _, base := range ruletest.Bases() {
		cases = append(cases, fileCase{name: base.Name, base: base}, fileCase{name: base.Name + "/object", base: base, object: true})
	}
	run(t, append(cases,
		fileCase{name: "no symbols", change: func(f *elftest.File) { f.Symbols = nil }},
		fileCase{name: "no symbols but of data", change: func(f *elftest.File) {
			for i := range f.Symbols {
				f.Symbols[i].Type = elf.STT_OBJECT
			}
		}},
		fileCase{name: "symbols outside of code", change: more(function("x", 0x5000, 8), elftest.Symbol{Name: "y", Section: elftest.SFrameIndex, Value: 0x13c0, Size: 8, Type: elf.STT_FUNC},
			elftest.Symbol{Name: "z", Section: elf.SHN_ABS, Value: 0x13c0, Size: 8, Type: elf.STT_FUNC}, elftest.Symbol{Name: "u", Size: 8, Type: elf.STT_FUNC}),
			want: []string{"SF6003 0x8+4"}}, // x claims to be in .text
	))
}

func TestRulesAreComplete(t *testing.T) {
	last := ""
	for _, r := range cross.Rules {
		require.Regexp(t, `^SF60\d\d$`, r.ID)
		require.Less(t, last, r.ID)
		last = r.ID
		for _, s := range []string{r.Title, r.Clause, r.Text, r.Fix, r.Good, r.Bad} {
			require.NotEmpty(t, s, r.ID)
		}
	}
}

func TestNothingToCompare(t *testing.T) {
	for _, base := range ruletest.Bases() {
		data, abi := base.Bytes(t), base.ABI()
		require.Empty(t, ruletest.Findings(t, cross.Rules, ruletest.Raw(data)))
		require.Empty(t, ruletest.Findings(t, cross.Rules, ruletest.Linked(data, abi)))
		require.Empty(t, ruletest.Findings(t, cross.Rules, ruletest.Relocatable(data, abi, nil)))
	}
	require.Empty(t, ruletest.Findings(t, cross.Rules, ruletest.Raw(nil)))
}

// Where the header leads astray, the FDEs are none, and there may be none.
func TestNoFDEs(t *testing.T) {
	run(t, []fileCase{
		{name: "none", edits: []ruletest.Edit{ruletest.Set(8, "00000000")}},
		{name: "overlapping sub-sections", edits: []ruletest.Edit{ruletest.Set(8, "00000006")}},
	})
}

func TestInsideFunction(t *testing.T) {
	label := func(name string, value uint64) elftest.Symbol {
		return elftest.Symbol{Name: name, Section: elftest.TextIndex, Value: value}
	}
	run(t, []fileCase{
		{name: "start moved", edits: []ruletest.Edit{ruletest.Set(0x2c, "@8:1044")}, want: []string{"SF6001 0x2c+8"}},
		{name: "start moved, big-endian", base: ruletest.V2S390X, edits: []ruletest.Edit{ruletest.Set(0x30, "@4:1044")}, want: []string{"SF6001 0x30+4"}},
		{name: "start moved, object", object: true, change: func(f *elftest.File) { f.Relocs[1].Addend += 4 }, want: []string{"SF6001 0x2c+8"}},
		{name: "at a label", edits: []ruletest.Edit{ruletest.Set(0x2c, "@8:1044")}, change: more(label("part", 0x1044))},
		{name: "at a function without a size", edits: []ruletest.Edit{ruletest.Set(0x2c, "@8:1044")}, change: more(function("part", 0x1044, 0))},
		{name: "beside a label", edits: []ruletest.Edit{ruletest.Set(0x2c, "@8:1044")}, change: more(label("part", 0x1045)), want: []string{"SF6001 0x2c+8"}},
		{name: "MASK", edits: []ruletest.Edit{ruletest.Set(0x3c, "@8:1244")}},
		{name: "in no function", change: symbol(1, func(y *elftest.Symbol) { y.Name, y.Value, y.Size = "x", 0x1300, 8 }), want: []string{"SF6003 0x8+4"}},
		{name: "one symbol over all", change: func(f *elftest.File) { f.Symbols = append(f.Symbols[:2], function("text", 0x1000, 0x400)) },
			want: []string{"SF6001 0x2c+8", "SF6001 0x4c+8", "SF6001 0x5c+8"}},
	})
	require.Equal(t, "sfdi_func_start_offset leads to 0x1044, inside b, where no symbol is: the rows are applied to code that they were not made for",
		message(t, fileCase{edits: []ruletest.Edit{ruletest.Set(0x2c, "@8:1044")}}))
}

// A file in which all starts are wrong gets one finding, not one each.
func TestManyInsideFunctions(t *testing.T) {
	const n = 20
	f := manyFunctions(t, n)
	for i := range n {
		f.Relocs[i].Addend += 4
	}
	elftest.Read(t, f.Bytes(t), func(o *reader.Object) {
		require.Equal(t, []string{"SF6001 0x1c+8"}, ruletest.Findings(t, cross.Rules, o))
	})
	for i := range n - 8 {
		f.Relocs[i].Addend -= 4
	}
	elftest.Read(t, f.Bytes(t), func(o *reader.Object) { require.Len(t, ruletest.Findings(t, cross.Rules, o), 8) })
}

// manyFunctions is an object with n functions of 16 bytes, of which no FRE
// is told.
func manyFunctions(t *testing.T, n int) elftest.File {
	t.Helper()
	text := "dee2 03 04 03 00 f8 00 00000014 00000000 00000064 00000000 00000140 "
	for i := range n {
		text += "0000000000000000 00000010 000000" + string("0123456789abcdef"[5*i/16]) + string("0123456789abcdef"[5*i%16]) + " "
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

func TestSizeDiffers(t *testing.T) {
	shorter := []ruletest.Edit{ruletest.Set(0x34, "000001f0")}
	run(t, []fileCase{
		{name: "shorter", edits: shorter, want: []string{"SF6002 0x34+4"}},
		{name: "shorter, object", object: true, edits: shorter, want: []string{"SF6002 0x34+4"}},
		{name: "longer", edits: []ruletest.Edit{ruletest.Set(0x64, "00000030")}, want: []string{"SF6002 0x64+4"}},
		{name: "V1", base: ruletest.V1AMD64, edits: []ruletest.Edit{ruletest.Set(0x31, "000001f0")}, want: []string{"SF6002 0x31+4"}},
		{name: "V2 big-endian", base: ruletest.V2AArch64BE, edits: []ruletest.Edit{ruletest.Set(0x34, "000001f0")}, want: []string{"SF6002 0x34+4"}},
		{name: "an alias agrees", edits: shorter, change: more(function("alias", 0x1040, 0x1f0))},
		{name: "an alias agrees with the other", edits: shorter, change: more(function("alias", 0x1040, 0x200)), want: []string{"SF6002 0x34+4"}},
		{name: "an alias of a third size", edits: shorter, change: more(function("alias", 0x1040, 0x100))},
		{name: "IFUNC", edits: shorter, change: symbol(1, func(y *elftest.Symbol) { y.Type = elf.STT_GNU_IFUNC }), want: []string{"SF6002 0x34+4"}},
		{name: "symbol without a size", edits: shorter, change: symbol(1, func(y *elftest.Symbol) { y.Size = 0 })},
		{name: "symbol of data", edits: shorter, change: symbol(1, func(y *elftest.Symbol) { y.Type = elf.STT_OBJECT })},
		{name: "MASK", edits: []ruletest.Edit{ruletest.Set(0x44, "00000030")}},
		{name: "size 0 is SF2009's", edits: []ruletest.Edit{ruletest.Set(0x54, "00000000")}},
		{name: "overlap is SF2013's", edits: []ruletest.Edit{ruletest.Set(0x34, "00000208")}},
		{name: "end of the section is SF2014's", edits: []ruletest.Edit{ruletest.Set(0x64, "00000200")}},
		{name: "end of the section is SF2014's, object", object: true, edits: []ruletest.Edit{ruletest.Set(0x64, "00000200")}},
		{name: "size beyond 32 bits", change: symbol(4, func(y *elftest.Symbol) { y.Size = 1<<32 | 0x28 }), want: []string{"SF6002 0x64+4"}},
	})
	require.Equal(t, "sfdi_func_size is 496, st_size of the function's symbol is 512: its last bytes have no rows", message(t, fileCase{edits: shorter}))
	require.Equal(t, "sfdi_func_size is 48, st_size of the function's symbol is 40: the last row is applied to code behind the function",
		message(t, fileCase{edits: []ruletest.Edit{ruletest.Set(0x64, "00000030")}}))
}

func TestCoverage(t *testing.T) {
	bad := []string{"SF6003 0x8+4"}
	group := func(f *elftest.File) {
		for i, name := range []string{".text.x", ".text.y", ".text.z"} {
			f.Sections = append(f.Sections, elf.SectionHeader{Name: name, Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Offset: elftest.More, Size: 64})
			f.Symbols = append(f.Symbols, elftest.Symbol{Name: name[6:], Section: elf.SectionIndex(elftest.MoreIndex + i), Size: 8, Type: elf.STT_FUNC})
		}
		f.Symbols = append(f.Symbols, function("end", 0x300, 0x10))
	}
	run(t, []fileCase{
		{name: "one", change: more(function("start", 0x1300, 0x20)), want: bad},
		{name: "one, object", object: true, change: more(function("start", 0x300, 0x20)), want: bad},
		{name: "in front of all", change: func(f *elftest.File) { f.Symbols[1].Size = 0; more(function("x", 0x0ff0, 0x10))(f) }, want: bad},
		{name: "an FDE begins inside", change: func(f *elftest.File) { f.Symbols[1].Value, f.Symbols[1].Size = 0xff0, 0x50 }, want: []string{"SF6001 0x1c+8"}},
		{name: "right behind a function", change: more(function("x", 0x12b8, 4)), want: bad},
		{name: "an entry inside a function", change: more(function("x", 0x12b7, 4))},
		{name: "without a size", change: more(function("x", 0x1300, 0))},
		{name: "sections", object: true, change: group, want: bad},
	})
	require.Equal(t, "functions without an FDE: 2 of 7 in the symbol table (.text: 2), among them start, end; a tracer stops there",
		message(t, fileCase{change: more(function("start", 0x1300, 0x20), function("end", 0x1320, 0x20))}))
	require.Equal(t, "functions without an FDE: 4 of 9 in the symbol table (.text: 1, .text.x: 1, .text.y: 1, 1 other section), among them x, y, z; a tracer stops there",
		message(t, fileCase{object: true, change: group}))
}

// Where relocations are damaged, whose FDEs they are is anybody's guess.
func TestDamagedRelocations(t *testing.T) {
	run(t, []fileCase{
		{name: "one is missing", object: true, change: func(f *elftest.File) { f.Relocs = f.Relocs[1:] }},
		{name: "one too many", object: true, change: func(f *elftest.File) {
			f.Relocs[1].Addend += 4
			f.Relocs = append(f.Relocs, elftest.Reloc{Offset: 0x80, Symbol: 1, Type: uint32(elf.R_X86_64_PC64)})
		}},
	})
}

// plt puts a PLT at 0x1240, where an FDE of the test sections is one, and
// another at 0x1300.
func plt(names ...string) func(*elftest.File) {
	return func(f *elftest.File) {
		for i, name := range names {
			f.Sections = append(f.Sections, elf.SectionHeader{Name: name, Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR,
				Addr: 0x1240 + 0xc0*uint64(i), Offset: 0x1240 + 0xc0*uint64(i), Size: 0x40})
		}
	}
}

// onlyPLT leaves the third FDE alone.
var onlyPLT = []ruletest.Edit{
	ruletest.Set(0x8, "00000001"), ruletest.Set(0xc, "00000002"), ruletest.Set(0x10, "0000000b"), ruletest.Set(0x18, "00000010"),
	ruletest.Delete(0xa2, 0xb6-0xa2), ruletest.Delete(0x6c, 0x92-0x6c-0), ruletest.Delete(0x4c, 0x20), ruletest.Delete(0x1c, 0x20),
	ruletest.Set(0x1c, "@8:1240"), ruletest.Set(0x28, "00000000"),
}

func TestPLT(t *testing.T) {
	run(t, []fileCase{
		{name: "covered", change: plt(".plt")},
		{name: "one of two is not", change: plt(".plt", ".plt.got"), want: []string{"SF6005 file 0x600+64"}},
		{name: "half", change: func(f *elftest.File) { plt(".plt")(f); f.Sections[0].Addr = 0x12a0 }, want: []string{"SF6005 file 0x5c0+64"}},
		{name: "no code", change: func(f *elftest.File) { plt(".plt", ".plt.got")(f); f.Sections[1].Flags = elf.SHF_ALLOC }},
		{name: "another section", change: plt(".plt", ".pltx")},
		{name: "object", object: true, change: plt(".plt", ".plt.got")},
		{name: "alone", edits: onlyPLT, change: plt(".plt"), want: []string{"SF6004 0x8+4"}},
		{name: "alone, without symbols", edits: onlyPLT, change: func(f *elftest.File) { plt(".plt")(f); f.Symbols = nil }},
		{name: "no PLT at all", edits: onlyPLT, want: []string{"SF6003 0x8+4"}},
	})
	require.Equal(t, "there is nothing but the PLT in 1 FDE, no function of the program, such as a: a tracer stops at the first",
		message(t, fileCase{edits: onlyPLT, change: plt(".plt")}))
}

func TestAgainstFlag(t *testing.T) {
	keep := func(n int, more ...elftest.Symbol) func(*elftest.File) {
		return func(f *elftest.File) { f.Symbols = append(f.Symbols[:n+1], more...) }
	}
	run(t, []fileCase{
		{name: "no more than half the other way", base: ruletest.V2AMD64, edits: []ruletest.Edit{ruletest.Set(3, "01")}, change: keep(2),
			want: []string{"SF6001 0x30+4", "SF6001 0x58+4"}},
		{name: "no more than half, one with an alias", base: ruletest.V2AMD64, edits: []ruletest.Edit{ruletest.Set(3, "01")}, change: keep(2, function("alias", 0x1000, 0x40)),
			want: []string{"SF6001 0x30+4", "SF6001 0x58+4"}},
		{name: "a quarter as flagged", base: ruletest.V2AMD64, edits: []ruletest.Edit{ruletest.Set(3, "01")}, change: more(function("x", 0x0fe4, 4)), want: []string{"SF6006 0x3+1"}},
		{name: "a symbol behind all", base: ruletest.V2AMD64, edits: []ruletest.Edit{ruletest.Set(3, "01")}, change: more(function("x", 0x13f0, 4)), want: []string{"SF6006 0x3+1"}},
		{name: "clear", edits: []ruletest.Edit{ruletest.Set(3, "01")}, want: []string{"SF6006 0x3+1"}},
		{name: "clear, V2", base: ruletest.V2AArch64, edits: []ruletest.Edit{ruletest.Set(3, "01")}, want: []string{"SF6006 0x3+1"}},
		{name: "set", edits: []ruletest.Edit{ruletest.Set(0x1c, "fffffffffffff000"), ruletest.Set(0x2c, "fffffffffffff040"), ruletest.Set(0x3c, "fffffffffffff240"),
			ruletest.Set(0x4c, "fffffffffffff280"), ruletest.Set(0x5c, "fffffffffffff290")}, want: []string{"SF6006 0x3+1"}},
		{name: "without symbols", edits: []ruletest.Edit{ruletest.Set(3, "01")}, change: func(f *elftest.File) { f.Symbols = nil }},
	})
	// Where no start is code as flagged, SF2015 tells.
	data := fileCase{edits: []ruletest.Edit{ruletest.Set(3, "01")}}.file(t).Bytes(t)
	copy(data[elftest.Header(elftest.TextIndex)+32:], "\x10\x00") // sh_size
	elftest.Read(t, data, func(o *reader.Object) { require.Empty(t, ruletest.Findings(t, cross.Rules, o)) })
	require.Equal(t, "SFRAME_F_FDE_FUNC_START_PCREL is clear, so the start fields count from the section's start; read so, few functions start at a symbol, but most do where the fields count from the field itself: the flag is wrong, and consumers find wrong rows",
		message(t, fileCase{edits: []ruletest.Edit{ruletest.Set(3, "01")}}))
}

// The fix of a finding leaves nothing to be found.
func TestFix(t *testing.T) {
	data := fileCase{edits: []ruletest.Edit{ruletest.Set(3, "01")}}.file(t).Bytes(t)
	elftest.Read(t, data, func(o *reader.Object) {
		res := (&rules.Driver{Rules: cross.Rules}).Run(o)
		require.Len(t, res.Findings, 1)
		require.Len(t, res.Findings[0].Fixes, 1)
		require.False(t, res.Findings[0].Fixes[0].Safe)
		elftest.Apply(data, res.Findings[0].Fixes[0])
	})
	elftest.Read(t, data, func(o *reader.Object) { require.Empty(t, ruletest.Findings(t, cross.Rules, o)) })

	run(t, []fileCase{{name: "version 1 has no flag to set", base: ruletest.V1AMD64, edits: []ruletest.Edit{
		ruletest.Set(0x1c, "@4:1000"), ruletest.Set(0x2d, "@4:1040")}, want: []string{"SF6006 0x3+1"}}})
}
