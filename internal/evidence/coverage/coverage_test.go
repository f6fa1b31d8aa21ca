package coverage

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/reader"
)

const files = "../../../corpus/files/"

func measure(t *testing.T, path string, most int) (out []*File) {
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		f, err := Measure(o, most)
		out = append(out, f)
		return err
	}))
	return out
}

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		file    string
		share   Share
		code    uint64
		outside uint64
		missing []Reason
		gaps    []Gap
	}{
		{
			file: "mixed/v3-and-v2-by-ld-2.47.elf", share: Share{7, 5, 112, 98}, code: 112,
			missing: []Reason{{OnlyCFI, 1, 13}, {NoCFI, 1, 1}},
			gaps: []Gap{
				{"main", ".text", 0x4000e8, 13, 13, OnlyCFI, "", "", true, ""},
				{"bare", ".text", 0x400157, 1, 1, NoCFI, "", drops.NoCFIHelp, false, ""},
			},
		},
		{ // version 1 has no flexible FDEs
			file: "binutils-2.40/amd64/flexible.o", share: Share{6, 1, 86, 1}, code: 86,
			missing: []Reason{{Inexpressible, 5, 85}},
			gaps:    []Gap{{"drap", ".text", 0, 40, 40, Inexpressible, "rbp has an expression; GNU as 2.40 then writes no FDE", "assemble with GNU as 2.46 or later, which writes one", true, ""}},
		},
		{ // the linker drops sections of version 2
			file: "mold-3/dropped-v2.elf", share: Share{6, 0, 99, 0}, code: 99,
			missing: []Reason{{NoSection, 5, 98}, {NoCFI, 1, 1}},
		},
	} {
		f := measure(t, files+c.file, -1)[0]
		assert.Equal(t, c.share, f.Share, c.file)
		assert.Equal(t, c.code, f.Code, c.file)
		assert.Equal(t, c.outside, f.Outside, c.file)
		assert.Equal(t, c.missing, f.Missing, c.file)
		for i, g := range c.gaps {
			assert.Equal(t, g, f.Gaps[i], c.file)
		}
	}
}

// TestSums holds what must be true of every file: the parts add up, gaps are in
// order, and the number of gaps that are asked for changes nothing else.
func TestSums(t *testing.T) {
	entries := must.Get(corpus.Load("../../../corpus"))(t)
	seen := 0
	for i := range entries {
		if strings.HasSuffix(entries[i].File, "archive-damaged.a") || strings.HasSuffix(entries[i].File, "thin-missing.a") {
			continue
		}
		path := filepath.Join("../../../corpus", filepath.FromSlash(entries[i].File))
		short := measure(t, path, 1)
		for k, f := range measure(t, path, -1) {
			seen++
			functions, missed, gone := f.CoveredFunctions, uint64(0), uint64(0)
			for _, r := range f.Missing {
				missed += r.Bytes
				if r.Reason != Stub {
					functions += r.Functions
					gone += r.Bytes
				}
			}
			assert.Equal(t, f.Functions, functions, path)
			assert.Equal(t, f.Bytes, f.CoveredBytes+gone, path)
			assert.LessOrEqual(t, f.Bytes+f.Outside, f.Code, path)
			for j, g := range f.Gaps {
				missed -= g.Bytes
				assert.LessOrEqual(t, g.Bytes, g.Size, path)
				assert.True(t, j == 0 || f.Gaps[j-1].Bytes >= g.Bytes, path)
			}
			assert.Zero(t, missed, path)
			var sum Share
			parts := map[Why]Reason{}
			for _, s := range f.Sections {
				sum = sum.Plus(s.Share)
				for _, r := range s.Missing {
					p := parts[r.Reason]
					parts[r.Reason] = Reason{r.Reason, p.Functions + r.Functions, p.Bytes + r.Bytes}
				}
			}
			assert.Equal(t, f.Share, sum, path)
			assert.Len(t, parts, len(f.Missing), path)
			for _, r := range f.Missing {
				assert.Equal(t, r, parts[r.Reason], path)
			}
			assert.Equal(t, f.Share, short[k].Share, path)
			assert.Equal(t, f.Gaps[:min(1, len(f.Gaps))], short[k].Gaps, path)
		}
	}
	assert.Greater(t, seen, 300)
}

// TestStripped checks that CFI stands in for a symbol table that is gone.
func TestStripped(t *testing.T) {
	path := files + "mixed/v3-and-v2-by-ld-2.47.elf"
	data := must.Get(os.ReadFile(path))(t)
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		for i := range o.ELF.Sections {
			if s := &o.ELF.Sections[i]; s.Name == ".symtab" {
				binary.LittleEndian.PutUint32(data[elf64.In(s.Header.Off, elf64.ShdrType).Off:], 1)
			}
		}
		return nil
	}))
	require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		f, err := Measure(o, -1)
		assert.Equal(t, []string{".eh_frame", ".sframe"}, f.Sources)
		assert.Equal(t, Share{6, 5, 111, 98}, f.Share) // bare has no CFI
		assert.Equal(t, Gap{"", ".text", 0x4000e8, 13, 13, OnlyCFI, "", "", true, ""}, f.Gaps[0])
		return err
	}))
}

func TestSpans(t *testing.T) {
	u := spans{{1, 8, 12}, {0, 4, 6}, {1, 0, 4}, {1, 2, 6}, {1, 12, 14}}.union()
	assert.Equal(t, spans{{0, 4, 6}, {1, 0, 6}, {1, 8, 14}}, u)
	assert.EqualValues(t, 14, u.total())
	for _, c := range []struct {
		x    span
		want uint64
	}{{span{0, 0, 10}, 2}, {span{1, 5, 9}, 2}, {span{1, 6, 8}, 0}, {span{1, 0, 100}, 12}, {span{2, 0, 100}, 0}} {
		assert.Equal(t, c.want, u.within(c.x), c.x)
	}
}

func TestPercent(t *testing.T) {
	var p Percent
	assert.Empty(t, p.String())
	for _, s := range []string{"99.5%", "99.5"} {
		require.NoError(t, p.Set(s))
		assert.Equal(t, "99.5%", p.String())
	}
	for _, s := range []string{"", "%", "-1", "100.1", "NaN", "most"} {
		assert.Error(t, p.Set(s), s)
	}
	assert.True(t, Share{Bytes: 1000, CoveredBytes: 994}.Below(p))
	assert.False(t, Share{Bytes: 1000, CoveredBytes: 995}.Below(p))
	assert.False(t, Share{}.Below(100))
	assert.Equal(t, "1 of 1 function (100.0%), 999 of 1000 bytes (99.9%)", Share{1, 1, 1000, 999}.String())
}
