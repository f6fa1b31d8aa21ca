package dump_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// visitCorpus passes the sections of a corpus file to visit.
func visitCorpus(t *testing.T, file string, visit func(*reader.Object, *reader.SFrame)) {
	t.Helper()
	n := 0
	err := reader.Scan(corpusPath(file), reader.Options{}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			visit(o, s)
			n++
		}
		return nil
	})
	require.NoError(t, err)
	require.NotZero(t, n)
}

func full(t *testing.T, o *reader.Object, s *reader.SFrame, opts dump.Selection) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, dump.Full(&b, o, s, opts))
	return b.String()
}

// headings returns the lines that open an FDE.
func headings(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "FDE [") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func TestFilterFunc(t *testing.T) {
	for _, file := range []string{"binutils-2.47/amd64/start.elf", "binutils-2.44/aarch64/frames.o"} {
		visitCorpus(t, file, func(o *reader.Object, s *reader.SFrame) {
			require.Greater(t, len(headings(full(t, o, s, dump.Selection{}))), 1)
			found := headings(full(t, o, s, dump.Selection{Func: "framed"}))
			require.Len(t, found, 1)
			require.True(t, strings.HasSuffix(found[0], "] framed"), found)
			require.Empty(t, headings(full(t, o, s, dump.Selection{Func: "frame"})))
		})
	}
}

// TestSelectsAlias selects a function by any of its symbols, and no other section by it.
func TestSelectsAlias(t *testing.T) {
	for name, want := range map[string]bool{"after": true, "nothing": true, "none": false} {
		require.NoError(t, reader.Scan("../../../corpus/files/llvm-23/amd64/zerosize.o", reader.Options{}, func(o *reader.Object) error {
			require.Equal(t, want, dump.Selection{Func: name}.Selects(o, o.SFrames[0]), name)
			return nil
		}))
	}
}

func TestFilterPC(t *testing.T) {
	o, s := rawSection("raw", unhex(t, everything), 0x400000)
	for pc, want := range map[uint64][]string{
		0x400fff: nil,
		0x401000: {"FDE [0]"},
		0x40101f: {"FDE [0]"},
		0x401020: {"FDE [1]"},
		0x40108f: {"FDE [2]"}, // in the last of the stubs
		0x4012a0: nil,
	} {
		text := full(t, o, s, dump.Selection{PC: pc, ByPC: true})
		require.Equal(t, want, headings(text), "PC 0x%x", pc)
		require.NotContains(t, text, "belong to nothing")
		require.Contains(t, text, "\nHeader ")
	}
	var b strings.Builder
	require.NoError(t, dump.JSON(&b, o, s, dump.Selection{PC: 0x401090, ByPC: true}))
	var got struct{ FDEs []struct{ Index int } }
	require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
	require.Len(t, got.FDEs, 1)
	require.Equal(t, 3, got.FDEs[0].Index)
}

// TestFilterPCZero: an address of 0 is one like others.
func TestFilterPCZero(t *testing.T) {
	visitCorpus(t, "binutils-2.47/amd64/start.o", func(o *reader.Object, s *reader.SFrame) {
		require.Len(t, headings(full(t, o, s, dump.Selection{ByPC: true})), 1)
	})
}

// TestJSONSaysWhatTheModelSays reads the JSON back.
func TestJSONSaysWhatTheModelSays(t *testing.T) {
	type recovery struct {
		Text     string
		Register uint32
		Offset   int64
		Deref    bool
	}
	type object struct {
		Header struct {
			Bytes   string
			Version int
		}
		FDEs []struct {
			Start, End string
			Size       uint32
			FREs       []struct {
				Offset      int64
				Start       uint32
				Words       []int32
				MangledRA   bool `json:"mangled_ra"`
				CFA, RA, FP recovery
			}
		}
	}
	for _, c := range sections {
		o, s := rawSection(c.name, unhex(t, c.hex), c.addr)
		if s.Section == nil {
			continue
		}
		var b strings.Builder
		require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
		require.True(t, strings.HasSuffix(b.String(), "}\n"))
		var got object
		require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
		require.Equal(t, int(s.Section.Version()), got.Header.Version)
		require.Len(t, got.Header.Bytes, 2*28)
		require.Len(t, got.FDEs, s.Section.NumFDEs())
		for i, g := range got.FDEs {
			f := s.Section.FDE(i)
			require.Equal(t, f.Size(), g.Size)
			require.Len(t, g.FREs, f.NumFREs())
			for r := range f.FREs() {
				row, h := r.Row(), g.FREs[r.Index()]
				require.Equal(t, r.Span().Off, h.Offset)
				require.Equal(t, r.Start(), h.Start)
				require.Equal(t, r.MangledRA(), h.MangledRA)
				require.Equal(t, r.Words([]int32{}), h.Words)
				for v, x := range map[model.Recovery]recovery{row.CFA: h.CFA, row.RA: h.RA, row.FP: h.FP} {
					require.Equal(t, recovery{v.Format(s.Section.ABI()), v.Reg, v.Offset, v.Deref}, x)
				}
			}
		}
	}
}

// TestHostileNames: what a file calls itself and its symbols must not reach
// a terminal as it is.
func TestHostileNames(t *testing.T) {
	o, s := rawSection("a\x1b[2J\xff\u202e\U000e0001\"b\\", unhex(t, first), 0)
	o.Member, s.Name = "x\ny", ".s\tframe"
	text := full(t, o, s, dump.Selection{})
	require.Contains(t, text, `a\x1b[2J\xff\u202e\U000e0001"b\\(x\ny): raw section`)
	var b strings.Builder
	require.NoError(t, dump.Objdump(&b, o, s))
	require.Contains(t, b.String(), "Contents of the SFrame section .s\\tframe:\n")
	b.Reset()
	require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
	require.True(t, plain(b.String()))
	require.NotContains(t, b.String(), "\u202e")
	var got struct{ Path, Member string }
	require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
	require.Equal(t, "a\x1b[2J\ufffd\u202e\U000e0001\"b\\", got.Path)
	require.Equal(t, "x\ny", got.Member)
}

// TestFaultsHaveWords: no fault is shown as a number.
func TestFaultsHaveWords(t *testing.T) {
	o, s := rawSection("raw", unhex(t, first), 0)
	for c := reader.TooShort; c <= reader.BudgetExceeded; c++ {
		if c > reader.FaultsCut && c < reader.ELFDamaged {
			continue
		}
		fault := reader.Fault{Code: c, FDE: -1, FRE: -1, Want: 12345, Got: 678, Detail: "the detail"}
		s.Faults, o.Faults = nil, []reader.Fault{fault}
		if c <= reader.FaultsCut {
			s.Faults, o.Faults = o.Faults, nil
		}
		text := full(t, o, s, dump.Selection{})
		require.Contains(t, text, "\n!! ", "fault %d", c)
		require.NotContains(t, text, "!! fault ", "fault %d", c)
	}
}

// TestRepeatedIsBounded: what each section repeats of its object does not
// grow with the object.
func TestRepeatedIsBounded(t *testing.T) {
	visitCorpus(t, "binutils-2.47/amd64/one.elf", func(o *reader.Object, s *reader.SFrame) {
		fault := reader.Fault{Code: reader.ELFDamaged, FDE: -1, FRE: -1, Detail: "again"}
		for range 1000 {
			o.Faults = append(o.Faults, fault)
			o.ELF.Segments = append(o.ELF.Segments, reader.Segment{Type: reader.PT_GNU_SFRAME})
		}
		text := full(t, o, s, dump.Selection{})
		require.Contains(t, text, "\n!! 936 more faults\n")
		require.Less(t, strings.Count(text, "again"), 100)
		require.Less(t, strings.Count(text, "PT_GNU_SFRAME"), 100)
		var b strings.Builder
		require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
		require.Contains(t, b.String(), `"object_faults_left_out":936`)
		require.Less(t, strings.Count(b.String(), "PT_GNU_SFRAME"), 100)
	})
}

// TestFaultsAtTheirPlace: a fault stands where the damage is.
func TestFaultsAtTheirPlace(t *testing.T) {
	o, s := rawSection("raw", unhex(t, damaged), 0)
	text := full(t, o, s, dump.Selection{})
	_, after, ok := strings.Cut(text, "FDE [1]\n")
	require.True(t, ok)
	fde, _, _ := strings.Cut(after, "\nFDE [")
	lines := strings.Split(strings.TrimRight(fde, "\n"), "\n")
	require.Contains(t, lines[len(lines)-1], "!! word size code 3 is undefined")
	require.Contains(t, lines[len(lines)-2], "00 03 08", "the previous row is there")
}

// TestSchema holds the JSON of all sections of the corpus, and of sections cut short, against
// the published schema.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/dump.schema.json")
	require.NoError(t, err)
	valid := func(o *reader.Object, s *reader.SFrame) {
		var b strings.Builder
		require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(b.String()))
		require.NoError(t, err, o.Path)
		require.NoError(t, schema.Validate(v), o.Path)
	}
	const dir = "../../../corpus/files"
	sections := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") {
			return err
		}
		return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				valid(o, s)
				sections++
			}
			return nil
		})
	}))
	require.Greater(t, sections, 300)
	for _, c := range sectionsCut(t) {
		o, s := rawSection("cut", c, 0x1000)
		valid(o, s)
	}
}

// sectionsCut returns a section cut at each of its bytes.
func sectionsCut(t *testing.T) (all [][]byte) {
	data := unhex(t, first)
	for n := range data {
		all = append(all, data[:n])
	}
	return all
}

// TestStubAddresses: from and to are addresses, also of the FREs of a MASK FDE, and absent
// where the start is not known.
func TestStubAddresses(t *testing.T) {
	type object struct {
		FDEs []struct {
			PCType string `json:"pc_type"`
			FREs   []struct {
				Start, End uint32
				From, To   string
			}
		}
	}
	visitCorpus(t, "binutils-2.47/amd64/pltgot.elf", func(o *reader.Object, s *reader.SFrame) {
		var b strings.Builder
		require.NoError(t, dump.JSON(&b, o, s, dump.Selection{}))
		var got object
		require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
		require.Equal(t, "MASK", got.FDEs[1].PCType)
		r := got.FDEs[1].FREs[1]
		require.Equal(t, []any{uint32(0xb), uint32(0x10), "0x2eb", "0x2f0"}, []any{r.Start, r.End, r.From, r.To})
		r = got.FDEs[3].FREs[1]
		require.Equal(t, []any{uint32(0x1), uint32(0x15), "0x2f9", "0x30d"}, []any{r.Start, r.End, r.From, r.To})
	})
}
