package table_test

import (
	"bytes"
	"cmp"
	"debug/elf"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

//go:generate go test . -run TestGolden -update

var update = flag.Bool("update", false, "write the golden files anew")

const corpus = "../../../../corpus/files"

// open returns the table of an object with the findings of the default rules.
func open(t *testing.T, o *reader.Object, opts table.Selection) *table.Table {
	t.Helper()
	d := rules.Driver{Rules: catalogue.Default()}
	opts.Findings = d.Run(o).Findings
	if l := new(lint.Sources).LinesOf(o, ""); l != nil {
		opts.Line = l.At
	}
	x := must.Get(table.Open(o, opts))(t)
	return x
}

// write writes all functions.
func write(t *testing.T, x *table.Table, w table.Writer) {
	t.Helper()
	require.NoError(t, w.Begin(true))
	require.NoError(t, x.Functions(func(f *table.Function) bool {
		require.NoError(t, w.Function(f))
		return true
	}))
	require.NoError(t, w.Flush())
}

// files are of each producer, ABI, byte order and kind.
var files = []string{
	"../regressions/fre-at-end.o",
	"binutils-2.40/amd64/flexible.o",
	"binutils-2.44/aarch64-be/pie.elf",
	"binutils-2.47/aarch64/pauth.elf",
	"binutils-2.47/amd64/pltgot.elf",
	"binutils-2.47/amd64/program.o",
	"binutils-2.47/s390x/program.elf",
	"field/vmlinux-stripped.elf",
	"hand/segment-alone.elf",
	"lines/linked.elf",
	"lines/stripped.elf",
	"llvm-23/amd64/sections.o",
	"wrong-cfi/adjust-sign.o",
	"wrong-cfi/row-inside.o",
}

func TestGolden(t *testing.T) {
	const path = "testdata/golden.txtar"
	golden := must.Get(txtar.ParseFile(path))(t)
	require.Len(t, golden.Files, len(files))
	for i, file := range files {
		t.Run(file, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, reader.Scan(filepath.Join(corpus, file), reader.Options{}, func(o *reader.Object) error {
				o.Path = file
				x := open(t, o, table.Selection{CFI: true})
				write(t, x, table.NewText(&b, x, false))
				return nil
			}))
			if *update {
				golden.Files[i] = txtar.File{Name: file, Data: []byte(b.String())}
				require.NoError(t, os.WriteFile(path, txtar.Format(golden), 0o666))
			}
			require.Equal(t, file, golden.Files[i].Name)
			require.Equal(t, string(golden.Files[i].Data), b.String())
		})
	}
}

// each visits the objects of the corpus.
func each(t *testing.T, visit func(o *reader.Object)) {
	t.Helper()
	n := 0
	require.NoError(t, filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") {
			return err
		}
		return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			n++
			visit(o)
			return nil
		})
	}))
	require.Greater(t, n, 300)
}

// TestWholeCorpus: the functions of each file list each byte of its code once, in order, and each finding that
// is about listed code once; the JSON of them is as the schema says.
func TestWholeCorpus(t *testing.T) {
	schema := must.Get(jsonschema.NewCompiler().Compile("../../../../docs/schema/code.schema.json"))(t)
	lines, found, written := 0, 0, 0
	each(t, func(o *reader.Object) {
		x := open(t, o, table.Selection{CFI: true})
		shown := map[*rules.Finding]int{}
		for _, f := range x.OtherFindings() {
			shown[f]++
		}
		type span struct {
			place      uint32
			start, end uint64
		}
		var listed []span
		require.NoError(t, x.Functions(func(f *table.Function) bool {
			at := f.Start
			for i := range f.Lines {
				l := &f.Lines[i]
				lines++
				require.Equal(t, at, l.PC, o.Path)
				require.NotEmpty(t, l.Text, o.Path)
				at += uint64(len(l.Bytes))
				for _, g := range l.Findings {
					shown[g]++
					found++
				}
			}
			if len(f.Lines) > 0 {
				require.Equal(t, f.End, at, "%s 0x%x", o.Path, f.Start)
			}
			listed = append(listed, span{f.Place, f.Start, f.End})
			return true
		}))
		for f, n := range shown {
			require.Equal(t, 1, n, "%s %s", o.Path, f.Message)
		}
		if o.ELF == nil || len(listed) == 0 {
			return
		}
		slices.SortFunc(listed, func(a, b span) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.start, b.start)) })
		for i, s := range listed[1:] {
			require.True(t, s.place != listed[i].place || s.start >= listed[i].end, "%s: 0x%x", o.Path, s.start)
		}
		total, want := uint64(0), uint64(0)
		for _, s := range listed {
			total += s.end - s.start
		}
		for _, s := range o.ELF.Sections {
			if s.Flags&elf.SHF_EXECINSTR != 0 && s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
				want += s.Size
			}
		}
		if len(o.ELF.Sections) > 0 {
			require.Equal(t, want, total, o.Path)
		}
		var b bytes.Buffer
		write(t, x, table.NewJSON(&b, x))
		if written++; written%8 != 0 {
			return // the schema takes most of the time
		}
		for line := range strings.Lines(b.String()) {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			require.NoError(t, err, o.Path)
			require.NoError(t, schema.Validate(v), o.Path)
		}
	})
	require.Greater(t, lines, 10000)
	require.Greater(t, found, 100)
}

// TestMarks: code is marked where a rule on code or CFI reports it, and healthy files have no marks.
func TestMarks(t *testing.T) {
	for file, want := range map[string][]string{
		"wrong-cfi/adjust-sign.o":        {"0x12 code: CFA"},
		"binutils-2.47/amd64/program.o":  {"0x2af code: FP", "0x2b3 code: FP"},             // SF3120
		"binutils-2.47/amd64/pltgot.elf": {"0x2f0 CFA, code: CFA", "0x2f6 CFA, code: CFA"}, // SF6018
		"binutils-2.47/s390x/program.o":  nil,
		"binutils-2.47/aarch64/pauth.o":  nil,
		"llvm-23/amd64/sections.o":       nil,
	} {
		require.NoError(t, reader.Scan(filepath.Join(corpus, file), reader.Options{}, func(o *reader.Object) error {
			var got []string
			x := open(t, o, table.Selection{CFI: true, OnlyDifferences: true})
			require.NoError(t, x.Functions(func(f *table.Function) bool {
				for i := range f.Lines {
					if d := f.Lines[i].Differs; d != 0 {
						got = append(got, fmt.Sprintf("0x%x ", f.Lines[i].PC)+strings.Join(d.Names(), ", "))
					}
				}
				return true
			}))
			assert.Equal(t, want, got, file)
			return nil
		}))
	}
}

// TestHostile: files with bytes that are changed are listed without a crash, within the budget, and without
// control characters.
func TestHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, file := range files {
		data := must.Get(os.ReadFile(filepath.Join(corpus, file)))(t)
		for range 30 {
			bad := bytes.Clone(data)
			for range 1 + rnd.IntN(20) {
				bad[rnd.IntN(len(bad))] = byte(rnd.IntN(256))
			}
			_ = reader.ScanReader(file, bytes.NewReader(bad), int64(len(bad)), reader.Options{}, func(o *reader.Object) error {
				x, err := table.Open(o, table.Selection{CFI: true})
				if err != nil {
					return nil
				}
				var b bytes.Buffer
				w := table.NewText(&b, x, false)
				_ = x.Functions(func(f *table.Function) bool { return w.Function(f) == nil && b.Len() < 1<<22 })
				require.NoError(t, w.Flush())
				require.False(t, bytes.ContainsFunc(b.Bytes(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }))
				return nil
			})
		}
	}
}

// TestMemory: the memory that many functions take is counted once, and given back where it was only needed for
// a while.
func TestMemory(t *testing.T) {
	const functions = 50_000
	out := must.Get(asm.Assemble(fmt.Appendf(nil, ".elf exec\n.abi amd64\n.repeat %d\n.func 0x401000+16*i, 16\n  0: cfa = rsp+8\n.end\n", functions), asm.Options{}))(t)
	b := budget.New(t.Context(), budget.Limits{})
	require.NoError(t, reader.ScanReader("many", bytes.NewReader(out.Bytes), int64(len(out.Bytes)), reader.Options{Context: b}, func(o *reader.Object) error {
		before := b.Used(budget.Memory)
		x := must.Get(table.Open(o, table.Selection{CFI: true}))(t)
		n := 0
		require.NoError(t, x.Functions(func(*table.Function) bool { n++; return true }))
		require.Equal(t, functions, n)
		require.Less(t, b.Used(budget.Memory)-before-insn.PrinterMemory, int64(functions)*250)
		return nil
	}))
	require.Zero(t, b.Used(budget.Memory))
}

// TestManyRows: the rows of a function count as memory while they are listed.
func TestManyRows(t *testing.T) {
	const rows = 1<<16 - 1
	text := fmt.Appendf(nil, ".elf exec\n.abi amd64\n.func 0x401000, %d\n", rows)
	for i := range rows {
		text = fmt.Appendf(text, "  %d: cfa = rsp+%d\n", i, 8+8*(i%2))
	}
	out := must.Get(asm.Assemble(text, asm.Options{}))(t)
	b := budget.New(t.Context(), budget.Limits{budget.Memory: 16 << 20})
	require.Error(t, reader.ScanReader("rows", bytes.NewReader(out.Bytes), int64(len(out.Bytes)), reader.Options{Context: b}, func(o *reader.Object) error {
		x, err := table.Open(o, table.Selection{})
		require.NoError(t, err)
		err = x.Functions(func(*table.Function) bool { return true })
		require.ErrorAs(t, err, new(*budget.Exceeded))
		return err
	}))
}

// TestLongFunction: a function of more instructions than are listed together is listed in parts that lack none.
func TestLongFunction(t *testing.T) {
	const lines = 1<<14 + 5
	out := must.Get(asm.Assemble(fmt.Appendf(nil, ".elf exec\n.abi amd64\n.func 0x401000, %d\n  0: cfa = rsp+8\n", lines), asm.Options{}))(t)
	b := budget.New(t.Context(), budget.Limits{})
	require.NoError(t, reader.ScanReader("long", bytes.NewReader(out.Bytes), int64(len(out.Bytes)), reader.Options{Context: b}, func(o *reader.Object) error {
		x := must.Get(table.Open(o, table.Selection{CFI: true}))(t)
		var parts [][3]uint64
		require.NoError(t, x.Functions(func(f *table.Function) bool {
			parts = append(parts, [3]uint64{f.Start, f.End, uint64(len(f.Lines))})
			return true
		}))
		require.Equal(t, [][3]uint64{{0x401000, 0x405000, 1 << 14}, {0x405000, 0x405005, 5}}, parts)
		return nil
	}))
}
