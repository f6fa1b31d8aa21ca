package reader

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
)

const corpusDir = "../corpus"

// corpusEntry is what the corpus says of one of its files.
type corpusEntry struct {
	File       string   `json:"file"`
	Producer   string   `json:"producer"`
	Kind       string   `json:"kind"`
	ABI        string   `json:"abi"`
	Version    int      `json:"sframe_version"`
	ByteOrder  string   `json:"byte_order"`
	RawAddress string   `json:"raw_address"`
	Findings   []string `json:"findings"`
}

func corpus(t testing.TB) []corpusEntry {
	t.Helper()
	b := must.Get(os.ReadFile(filepath.Join(corpusDir, "manifest.json")))(t)
	var all []corpusEntry
	require.NoError(t, json.Unmarshal(b, &all))
	require.NotEmpty(t, all)
	return all
}

func (e corpusEntry) path() string { return filepath.Join(corpusDir, filepath.FromSlash(e.File)) }

// corpusSection is a section of the corpus.
type corpusSection struct {
	corpusEntry
	obj *Object
	*SFrame
}

func corpusSections(t testing.TB) []corpusSection {
	t.Helper()
	var out []corpusSection
	for _, e := range corpus(t) {
		err := Scan(e.path(), Options{}, func(o *Object) error {
			if o.ELF != nil {
				require.NoError(t, o.ELF.Symbols.Err())
			}
			for _, f := range o.SFrames {
				out = append(out, corpusSection{e, o, f})
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.NotEmpty(t, out)
	return out
}

func TestCorpusIsReadAsItIsDescribed(t *testing.T) {
	abis := map[string]model.ABI{"aarch64-be": 1, "aarch64": 2, "amd64": 3, "s390x": 4}
	for _, e := range corpus(t) {
		t.Run(e.File, func(t *testing.T) {
			all := scanFile(t, e.path())
			archive := e.Kind == "archive" || e.Kind == "thin-archive"
			require.True(t, archive || len(all) == 1)
			for _, o := range all {
				// A damaged archive comes itself, after its members.
				assert.Equal(t, archive, o.Member != "" || archive && o.Status == StatusDamaged)
				assert.Equal(t, e.Kind == "raw", o.Status == StatusNotELF || o.ELF == nil && len(o.SFrames) > 0 && o.Foreign == "")
				for _, f := range o.SFrames {
					if len(f.Data) == 0 || f.Section == nil || strings.HasPrefix(e.File, "files/hand/") || misread(e) {
						continue
					}
					assert.Empty(t, f.Faults)
					if archive {
						continue // its members may differ
					}
					assert.Equal(t, model.Version(e.Version), f.Section.Version())
					assert.Equal(t, e.ByteOrder == "big", f.Section.BigEndian())
					assert.Equal(t, abis[e.ABI], f.Section.ABI().ID)
				}
			}
		})
	}
}

// misread reports whether an assembler was told each byte of a section that follows another layout (SF6027).
func misread(e corpusEntry) bool {
	return slices.ContainsFunc(e.Findings, func(f string) bool { return strings.HasPrefix(f, "SF6027") })
}

// The functions that .eh_frame names are the other half of what an assembler
// knows: each function of a .sframe section must be among them. It holds for
// producers of before and after the PCREL flag alike.
func TestStartsAgreeWithEhFrame(t *testing.T) {
	seen := map[model.Version]int{}
	for _, c := range corpusSections(t) {
		if c.obj.ELF == nil || !c.obj.ELF.Relocatable() || c.Section == nil || c.Producer != "gas" && c.Producer != "llvm-mc" || misread(c.corpusEntry) {
			continue
		}
		file := c.path()
		if c.obj.Member != "" {
			continue
		}
		known := ehFrameStarts(t, file)
		if len(known) == 0 {
			continue // assembled without .eh_frame
		}
		for i := range c.Section.NumFDEs() {
			f := c.Section.FDE(i)
			assert.True(t, f.Resolved(), "%s FDE %d", c.File, i)
			assert.True(t, known[model.Start{Addr: f.Start(), Place: uint32(f.Place()), OK: true}],
				"%s FDE %d at section %d + %#x", c.File, i, f.Place(), f.Start())
			seen[c.Section.Version()]++
		}
	}
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		assert.Greater(t, seen[v], 50, v)
	}
}

// ehFrameStarts returns what the relocations of .eh_frame lead to.
func ehFrameStarts(t *testing.T, path string) map[model.Start]bool {
	t.Helper()
	f := must.Get(elf.Open(path))(t)
	defer f.Close()
	syms, err := f.Symbols()
	if err != elf.ErrNoSymbols {
		require.NoError(t, err)
	}
	out := map[model.Start]bool{}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || f.Sections[s.Info].Name != ".eh_frame" {
			continue
		}
		b := must.Get(s.Data())(t)
		for ; len(b) >= relaSize; b = b[relaSize:] {
			y := syms[f.ByteOrder.Uint64(b[8:])>>32-1]
			out[model.Start{Addr: y.Value + f.ByteOrder.Uint64(b[16:]), Place: uint32(y.Section), OK: true}] = true
		}
	}
	return out
}

// Linked files have no relocations to go by: their functions must start where
// function symbols are, or in a PLT. What was linked wrong, by linkers that
// do not know the format, is left out, and so are functions without a name.
func TestStartsAgreeWithSymbols(t *testing.T) {
	hits := 0
	for _, c := range corpusSections(t) {
		if c.obj.ELF == nil || c.obj.ELF.Relocatable() || c.Section == nil || c.Producer != "ld" && c.Producer != "mold" ||
			filepath.Base(filepath.Dir(c.File)) == "mixed" || filepath.Base(filepath.Dir(c.File)) == "lines" || filepath.Base(c.File) == "sections.elf" {
			continue
		}
		for i := range c.Section.NumFDEs() {
			f := c.Section.FDE(i)
			sec, ok := c.obj.ELF.SectionAt(f.Start())
			if !ok {
				continue
			}
			if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK || c.obj.ELF.Sections[sec].Name != ".text" {
				continue
			}
			y, ok := c.obj.ELF.Symbols.Func(-1, f.Start())
			if ok && y.Value == f.Start() {
				hits++
			}
			assert.True(t, ok && y.Value == f.Start(), "%s FDE %d at %#x: %v", c.File, i, f.Start(), y)
		}
	}
	assert.Greater(t, hits, 100)
}

func TestCorpusSections(t *testing.T) {
	for _, c := range corpusSections(t) {
		if len(c.Data) > 0 {
			checkSection(t, c.Data, 0x1000)
		}
	}
}

// mutate changes a few bytes, cuts or doubles some.
func mutate(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		if len(b) < 2 {
			return b
		}
		at := r.IntN(len(b))
		if r.IntN(3) == 0 {
			at = r.IntN(min(len(b), headerSize))
		}
		switch r.IntN(8) {
		case 0:
			b = b[:at]
		case 1:
			n := min(r.IntN(40), len(b)-at)
			b = append(b[:at:at], append(bytes.Clone(b[at:at+n]), b[at:]...)...)
		case 2:
			b[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
		case 3:
			b[at]++
		case 4:
			b[at]--
		default:
			b[at] ^= 1 << r.IntN(8)
		}
	}
	return b
}

func TestMutatedCorpusSections(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 5
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range corpusSections(t) {
		for range rounds {
			checkSection(t, mutate(r, c.Data), 0x1000)
		}
	}
}

func TestMutatedCorpusFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, e := range corpus(t) {
		b := must.Get(os.ReadFile(e.path()))(t)
		if e.Kind == "thin-archive" {
			continue // a changed name could lead anywhere
		}
		for range 10 {
			checkFile(t, mutate(r, b))
		}
	}
}

// checkFile scans bytes and uses all that it gets.
func checkFile(t testing.TB, data []byte) {
	t.Helper()
	for _, o := range scan(t, data, Options{}) {
		require.NotEmpty(t, o.Status)
		require.LessOrEqual(t, o.Base+o.Size, int64(len(data)))
		require.Equal(t, o.Status == StatusOK, o.Detail == "")
		if o.Status == StatusDamaged {
			require.NotEmpty(t, o.Faults)
		}
		for _, f := range o.Faults {
			require.Equal(t, f.Span, f.Span.Clip(o.Size), "%v", f)
			_ = f.String()
		}
		for _, f := range o.SFrames {
			require.True(t, bytes.Equal(data[o.Base+f.Offset:][:len(f.Data)], f.Data))
			checkSFrame(t, o, f)
		}
		if o.ELF != nil {
			checkELF(t, o.ELF)
		}
	}
}

func checkSFrame(t testing.TB, o *Object, f *SFrame) {
	t.Helper()
	if f.Section == nil {
		return
	}
	for _, rel := range f.Relocs {
		require.Equal(t, rel.Entry, rel.Entry.Clip(o.Size))
	}
	rel := o.Foreign != "" || o.ELF != nil && o.ELF.Relocatable()
	for i := range f.Section.NumFDEs() {
		fde := f.Section.FDE(i)
		require.True(t, rel || fde.Resolved() && fde.Place() == 0)
		if fde.Place() != 0 {
			require.Less(t, fde.Place(), len(o.ELF.Sections))
		}
		if o.ELF != nil {
			o.ELF.SectionAt(fde.Start())
			o.ELF.Symbols.Func(fde.Place(), fde.Start())
			o.ELF.Symbols.Func(-1, fde.Start())
		}
	}
}

func checkELF(t testing.TB, e *ELF) {
	t.Helper()
	require.NotNil(t, e.ABI())
	require.NoError(t, e.Symbols.Err())
	for i := range e.Symbols.Len() {
		y, ok := e.Symbols.Symbol(i)
		require.True(t, ok)
		require.LessOrEqual(t, len(y.Name), maxSymbolName)
	}
	for i, r := range e.ExecRanges() {
		require.LessOrEqual(t, r.First, r.Last)
		require.True(t, i == 0 || r.First > 0)
	}
	for i := range e.Sections {
		_, _ = e.SectionData(i, 1<<20)
	}
	e.SFrameSegments()
}

// Inputs that were read wrongly once. Each is named after what it showed.
func TestRegressions(t *testing.T) {
	files := must.Get(filepath.Glob(filepath.Join(corpusDir, "regressions", "*")))(t)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b := must.Get(os.ReadFile(file))(t)
			checkFile(t, b)
			checkSection(t, b, 0x1000)
		})
	}
}
