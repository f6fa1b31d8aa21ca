package crosscheck_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
)

// fileCase is a file whose symbols agree with its section, changed in some
// way, and what is found in it.
type fileCase struct {
	name   string
	base   ruletest.Base // V3AMD64 where there is none
	object bool          // an object file instead of an executable
	edits  []ruletest.Edit
	change func(*elftest.File)
	early  bool   // .text begins before the functions
	code   []byte // of the third FDE's function
	want   []string
}

// bytes lays the file out.
func (c fileCase) bytes(t *testing.T) []byte {
	t.Helper()
	f := c.file(t)
	data := f.Bytes(t)
	copy(data[0x1240:], c.code)
	if c.early {
		require.False(t, f.Big)
		head := data[elftest.Header(elftest.TextIndex):]
		copy(head[0x10:], "\x00\x0f") // sh_addr 0xf00
		copy(head[0x20:], "\x00\x05") // sh_size 0x500
	}
	return data
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

func relocType(abi model.ABIInfo, v model.Version) uint32 {
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
			elftest.Read(t, c.bytes(t), func(o *reader.Object) {
				require.Equal(t, want, ruletest.Findings(t, crosscheck.Rules, o))
			})
		})
	}
}

// message returns what the family says of a file with one finding.
func message(t *testing.T, c fileCase) string {
	t.Helper()
	var text string
	elftest.Read(t, c.bytes(t), func(o *reader.Object) {
		res := (&rules.Driver{Rules: crosscheck.Rules}).Run(o)
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
			want: []string{"SF6014 0x8+4"}}, // x claims to be in .text
	))
}

func TestRulesAreComplete(t *testing.T) {
	last := ""
	for _, r := range crosscheck.Rules {
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
		require.Empty(t, ruletest.Findings(t, crosscheck.Rules, ruletest.Raw(data)))
		require.Empty(t, ruletest.Findings(t, crosscheck.Rules, ruletest.Linked(data, abi)))
		require.Empty(t, ruletest.Findings(t, crosscheck.Rules, ruletest.Relocatable(data, abi, nil)))
	}
	require.Empty(t, ruletest.Findings(t, crosscheck.Rules, ruletest.Raw(nil)))
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
		{name: "in no function", change: symbol(1, func(y *elftest.Symbol) { y.Name, y.Value, y.Size = "x", 0x1300, 8 }), want: []string{"SF6014 0x8+4"}},
		{name: "one symbol over all", change: func(f *elftest.File) { f.Symbols = append(f.Symbols[:2], function("text", 0x1000, 0x400)) },
			want: []string{"SF6001 0x2c+8", "SF6001 0x4c+8", "SF6001 0x5c+8"}},
	})
	require.Equal(t, "sfdi_func_start_offset points to 0x1044, inside \"b\" and at no symbol: unless the source has separate CFI for this part, the FREs are for other code",
		message(t, fileCase{edits: []ruletest.Edit{ruletest.Set(0x2c, "@8:1044")}}))
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
		{name: "overlap with the last is SF2013's", edits: []ruletest.Edit{ruletest.Set(0x54, "00000018")}},
		{name: "longer, up to the next", change: symbol(3, func(y *elftest.Symbol) { y.Size = 8 }), want: []string{"SF6002 0x54+4"}},
		{name: "longer, up to the end of the section", edits: []ruletest.Edit{ruletest.Set(0x64, "00000170")}, want: []string{"SF6002 0x64+4"}},
		{name: "size beyond 32 bits", change: symbol(4, func(y *elftest.Symbol) { y.Size = 1<<32 | 0x28 }), want: []string{"SF6002 0x64+4"}},
	})
	require.Equal(t, "sfdi_func_size is 496, but st_size of the function's symbol is 512: the rest of the function has no FRE", message(t, fileCase{edits: shorter}))
	require.Equal(t, "sfdi_func_size is 48, but st_size of the function's symbol is 40: the last FRE applies to code after the function",
		message(t, fileCase{edits: []ruletest.Edit{ruletest.Set(0x64, "00000030")}}))
}

func TestCoverage(t *testing.T) {
	bad := []string{"SF6014 0x8+4"}
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
		{name: "before all", change: func(f *elftest.File) { f.Symbols[1].Size = 0; more(function("x", 0x0ff0, 0x10))(f) }, want: bad},
		{name: "an FDE begins inside", change: func(f *elftest.File) { f.Symbols[1].Value, f.Symbols[1].Size = 0xff0, 0x50 }, want: []string{"SF6001 0x1c+8"}},
		{name: "right after a function", change: more(function("x", 0x12b8, 4)), want: bad},
		{name: "an entry inside a function", change: more(function("x", 0x12b7, 4))},
		{name: "without a size", change: more(function("x", 0x1300, 0))},
		{name: "sections", object: true, change: group, want: bad},
		{name: "after its section", object: true, change: more(function("x", 0x400, 4))},
		{name: "at the end of its section", object: true, change: more(function("x", 0x3ff, 4)), want: bad},
	})
	require.Equal(t, `no FDE covers 2 functions: a tracer stops in "start", "end" (no CFI)`,
		message(t, fileCase{change: more(function("start", 0x1300, 0x20), function("end", 0x1320, 0x20))}))
	require.Equal(t, `no FDE covers 4 functions: a tracer stops in "x", "y", "z" and 1 more (no CFI)`, message(t, fileCase{object: true, change: group}))
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
