package compare_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/reader"
)

// load reads files of the corpus.
func load(t *testing.T, names string) []*compare.Unit {
	t.Helper()
	var all []*compare.Unit
	for name := range strings.SplitSeq(names, ",") {
		before := len(all)
		require.NoError(t, reader.Scan(filepath.Join("../../../corpus/files", name), reader.Options{RawAddress: 0x2000, NoSurvey: true}, func(o *reader.Object) error {
			unit, err := loader.UnitOf(o)
			all = append(all, unit)
			return err
		}))
		require.Greater(t, len(all), before)
	}
	return all
}

func diff(t *testing.T, a, b, pattern string) (*compare.DiffReport, string) {
	t.Helper()
	r := compare.Files(compare.Side{Name: "A", Units: load(t, a)}, compare.Side{Name: "B", Units: load(t, b)}, pattern)
	var out bytes.Buffer
	require.NoError(t, compare.WriteDiff(&out, r))
	return r, out.String()
}

// Generations of gas and LLVM encode the same CFI in different versions of
// the format; linkers arrange it differently.
func TestSameMeaning(t *testing.T) {
	for _, x := range []struct {
		a, b      string
		functions int
	}{
		{"binutils-2.40/amd64/frames.o", "binutils-2.44/amd64/frames.o", 5},
		{"binutils-2.40/amd64/frames.o", "binutils-2.47/amd64/frames.o", 5},
		{"binutils-2.44/amd64/program.o", "llvm-23/amd64/program.o", 12},
		{"binutils-2.47/amd64/repeats.o", "llvm-23/amd64/repeats.o", 1},
		{"binutils-2.44/aarch64/pauth.o", "binutils-2.47/aarch64/pauth.o", 3},
		{"binutils-2.47/aarch64/frames.o", "binutils-2.47/aarch64-be/frames.o", 6},
		{"binutils-2.47/amd64/program.elf", "mold-3/program.elf", 16},
		{"binutils-2.47/amd64/comdat.elf", "mold-3/comdat.elf", 4},
		{"binutils-2.40/amd64/libprovider.so", "binutils-2.47/amd64/libprovider.so", 5}, // version 1 writes its stubs out
		{"binutils-2.47/amd64/archives/static.a", "binutils-2.44/amd64/archives/static.a", 6},
		{"binutils-2.47/amd64/archives/static.a", "binutils-2.47/amd64/archives/thin.a", 6},
		{"hand/v3-amd64.elf", "hand/v3-amd64.sframe", 6}, // by address: one has no names
	} {
		r, text := diff(t, x.a, x.b, "")
		assert.True(t, r.Equal, "%s %s: %s", x.a, x.b, text)
		assert.Equal(t, x.functions, r.Compared, "%s %s", x.a, x.b)
	}
}

func TestDifferences(t *testing.T) {
	for _, x := range []struct{ a, b, want string }{
		{"binutils-2.44/amd64/start.elf", "binutils-2.47/amd64/start.elf", `_start from +0x0 to +0x14:
    A: CFA = rsp+8, RA *(CFA-8), FP unchanged
    B: outermost frame
`},
		{"binutils-2.47/amd64/signal.o", "llvm-23/amd64/signal.o", `interrupted:
    A: signal frame
    B: ordinary frame
restore_rt: only A has an FDE (0x0, 9 bytes)
`},
		{"llvm-23/amd64/flexible.o", "binutils-2.47/amd64/flexible.o", `parked from +0x3 to +0x8:
    A: CFA = rsp+8, RA *(CFA-8), FP unchanged
    B: CFA = rsp+8, RA *(CFA-8), FP r11
drap: only B has an FDE (0x0, 40 bytes)
return_in_register: only B has an FDE (0x28, 9 bytes)
far_base: only B has an FDE (0x3a, 25 bytes)
`},
		{"binutils-2.47/amd64/libprovider.so", "mold-3/libprovider.so", `.plt+0x0: only A has an FDE (0x260, 16 bytes)
.plt+0x10: only A has an FDE (0x270, 16 bytes)
`},
		{"binutils-2.47/amd64/main.o", "binutils-2.47/aarch64/main.o", "A is for AMD64, B for AArch64\n"},
		{"binutils-2.47/amd64/archives/static.a", "binutils-2.47/amd64/archives/short.o",
			"(an_object_with_a_long_file_name.o): only A has this member (1 function)\n"},
		{"hand/v3-amd64.sframe", "hand/v3-amd64-repeated-rows.sframe", ""},
	} {
		r, text := diff(t, x.a, x.b, "")
		if x.want != "" {
			assert.Equal(t, x.want, text, "%s %s", x.a, x.b)
		}
		assert.False(t, r.Equal, "%s %s", x.a, x.b)
		back, _ := diff(t, x.b, x.a, "")
		assert.Len(t, slices.Collect(back.Differences()), len(slices.Collect(r.Differences())), "%s %s", x.b, x.a)
	}
}

func TestFuncPattern(t *testing.T) {
	r, text := diff(t, "binutils-2.47/amd64/flexible.o", "llvm-23/amd64/flexible.o", "*a*")
	assert.Equal(t, "drap: only A has an FDE (0x0, 40 bytes)\nfar_base: only A has an FDE (0x3a, 25 bytes)\n", text[strings.Index(text, "drap"):])
	assert.Equal(t, 2, r.Compared)
	r, _ = diff(t, "binutils-2.47/amd64/archives/static.a", "binutils-2.47/amd64/archives/short.o", "leaf")
	assert.True(t, r.Equal)
	assert.Equal(t, 1, r.Compared)
}

// kinds are what is lost in a link, without its words.
func kinds(r *compare.LinkReport) string {
	var out []string
	for l := range r.Losses() {
		out = append(out, strings.TrimSpace(string(l.Kind)+" "+l.Function))
	}
	return strings.Join(out, ", ")
}

func TestLinks(t *testing.T) {
	const amd64 = "binutils-2.47/amd64/"
	for _, x := range []struct {
		inputs, output          string
		described, kept, unseen int
		want                    string
	}{
		{amd64 + "main.o," + amd64 + "frames.o", amd64 + "static.elf", 6, 6, 0, ""},
		{amd64 + "main.o," + amd64 + "frames.o", amd64 + "partial.o", 6, 6, 0, ""},
		{amd64 + "archives/static.a", amd64 + "static.elf", 6, 6, 0, ""},
		{amd64 + "comdat-0.o," + amd64 + "comdat-1.o", amd64 + "comdat.elf", 6, 6, 0, ""},
		{amd64 + "comdat-0.o," + amd64 + "comdat-1.o", "mold-3/comdat.elf", 6, 6, 0, ""},
		{amd64 + "sections.o", amd64 + "sections.elf", 6, 6, 0, ""}, // two functions have no name
		{amd64 + "main.o," + amd64 + "frames.o," + amd64 + "sections.o", amd64 + "collected.elf", 12, 6, 6, ""},
		{"binutils-2.40/amd64/main.o,binutils-2.40/amd64/frames.o,binutils-2.40/amd64/sections.o",
			"binutils-2.40/amd64/collected.elf", 12, 0, 0, "section-gone"},
		{"binutils-2.44/amd64/main.o,binutils-2.44/amd64/frames.o", "mold-3/dropped-v2.elf", 6, 0, 0, "section-gone"},
		{amd64 + "main.o," + amd64 + "frames.o", "lld-23/concatenated-v3.elf", 6, 1, 0,
			"not-merged, fde-lost leaf, fde-lost framed, fde-lost pushes, fde-lost roomy, fde-lost vast"},
		{"llvm-23/amd64/main.o," + amd64 + "frames.o", "mixed/v3-and-v2-by-ld-2.47.elf", 6, 5, 0, "mixed-inputs, fde-lost main"},
		// The address of an IFUNC is its PLT stub, and link-time optimization replaces machine code.
		{"../regressions/ifunc-amd64.o", "../regressions/ifunc-by-its-plt-amd64.elf", 3, 3, 0, ""},
		{"../regressions/lto-strong-amd64.o,../regressions/lto-weak-amd64.o", "../regressions/lto-amd64.elf", 2, 1, 1, "not-comparable"},
		{"../regressions/lto-fat-strong-amd64.o,../regressions/lto-fat-weak-amd64.o", "../regressions/lto-fat-amd64.elf", 4, 0, 4, "not-comparable"},
		// A section without FDEs describes nothing that could be lost.
		{"../regressions/outgoing-args.o", "../regressions/only-dropped.so", 0, 0, 0, ""},
		// Only what the linker took of an archive counts.
		{"mixed/archive.a", "mixed/v2-by-ld-2.47.elf", 15, 0, 0, "section-gone, input-without"},
		{"mixed/archive.a", amd64 + "start.elf", 16, 15, 0, "input-without, mixed-inputs, fde-changed _start"},
	} {
		r := compare.Link(load(t, x.inputs), load(t, x.output)[0])
		assert.Equal(t, x.want, kinds(r), x.output)
		assert.Equal(t, [3]int{x.described, x.kept, x.unseen}, [3]int{r.Described, r.Kept, r.Unseen}, x.output)
	}
}

func TestLinkInWords(t *testing.T) {
	in := load(t, "binutils-2.47/amd64/main.o,binutils-2.44/amd64/frames.o")
	var out bytes.Buffer
	require.NoError(t, compare.WriteLink(&out, compare.Link(in, load(t, "binutils-2.47/amd64/start.elf")[0]), -1))
	assert.Equal(t, strings.ReplaceAll(`@/start.elf: 6 of 6 functions of the inputs are described in the same way
@/start.elf: the inputs differ: V2 AMD64: "../../../corpus/files/binutils-2.44/amd64/frames.o"; V3 AMD64: "@/main.o" [mixed-inputs]
`, "@", "../../../corpus/files/binutils-2.47/amd64"), out.String())
}

func TestCensus(t *testing.T) {
	c := compare.NewStat().Census
	for _, name := range []string{
		"lld-23/concatenated-v3.elf", "mold-3/static.elf", "binutils-2.40/amd64/static.elf", "mold-3/start.elf",
		"hand/short.o", "hand/v2-s390x.sframe", "other/none.elf",
	} {
		require.NoError(t, reader.Scan("../../../corpus/files/"+name, reader.Options{}, func(o *reader.Object) error {
			o.Path = strings.TrimPrefix(o.Path, "../../../corpus/files/")
			c.Add(o)
			return nil
		}))
	}
	c.Unreadable("gone\x1b.o")
	c.Finish()
	var out bytes.Buffer
	require.NoError(t, compare.WriteCensus(&out, c))
	assert.Equal(t, `FILE                            KIND    VERSION     ABI           FLAGS         TYPE        FDES  FRES  BYTES  LOOKS LIKE
lld-23/concatenated-v3.elf      linked  V3          AMD64 little  PCREL         GNU_SFRAME  1     4     270    binutils 2.46 to 2.47 or mold 3; 1 more after it, unmerged
mold-3/static.elf               linked  V3          AMD64 little  SORTED,PCREL  GNU_SFRAME  6     26    242    binutils 2.46 to 2.47 or mold 3
binutils-2.40/amd64/static.elf  linked  V1          AMD64 little  SORTED        PROGBITS    6     26    218    binutils 2.40
mold-3/start.elf                linked  V3          AMD64 little  SORTED,PCREL  GNU_SFRAME  7     27    265    binutils 2.46 to 2.47 or mold 3
hand/short.o                    object  no-header
hand/v2-s390x.sframe            raw     V2          s390x big     SORTED,PCREL              4     10    152    binutils 2.45 or LLVM 23
other/none.elf                  linked  no-sframe
gone\x1b.o                              unreadable
3 linked: V3 AMD64 little-endian PCREL GNU_SFRAME
1 linked: V1 AMD64 little-endian PROGBITS
1 linked: no-sframe
1 object: no-header
1 raw: V2 s390x big-endian PCREL
odd one out: binutils-2.40/amd64/static.elf: V1 AMD64 little-endian PROGBITS, where 3 of 5 linked files are V3 AMD64 little-endian PCREL GNU_SFRAME
odd one out: other/none.elf: no-sframe, where 3 of 5 linked files are V3 AMD64 little-endian PCREL GNU_SFRAME
`, out.String())
	out.Reset()
	require.NoError(t, compare.WriteBuilds(&out, &compare.Stat{Census: &compare.Census{Rows: c.Rows[1:3]}}))
	assert.Equal(t, `FILE                            CODE  .EH_FRAME     SFRAME           ALL  AGAINST FIRST
mold-3/static.elf               112   280 (250.0%)  V3 242 (216.1%)  634  +0.0%
binutils-2.40/amd64/static.elf  112   212 (189.3%)  V1 218 (194.6%)  542  -14.5%
`, out.String())
}

// Sections that a linker has put one after the other are counted, with or
// without zeros between them.
func TestUnmerged(t *testing.T) {
	for name, want := range map[string]int{
		"lld-23/concatenated-v1.elf": 1, "lld-23/concatenated-v2.elf": 1, "lld-23/concatenated-v3.elf": 1,
		"gold-2.40/concatenated-v1.elf": 1, "gold-2.40/concatenated-v2.elf": 1, "lld-23/single-v3.elf": 0,
		"hand/v3-amd64-concatenated.elf": 1, "hand/v3-amd64-trailing-bytes.sframe": 0, "hand/v3-amd64-trailing-zeros.sframe": 0,
	} {
		assert.Equal(t, want, load(t, name)[0].Sections[0].Unmerged, name)
	}
}
