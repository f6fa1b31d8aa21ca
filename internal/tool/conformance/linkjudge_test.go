package conformance_test

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

const corpusFiles = "../../../corpus/files/"

// corpusLink returns a case for a link of objects of the corpus.
func corpusLink(t *testing.T, inputs string, checks ...conformance.Outcome) *conformance.Link {
	l := &conformance.Link{Name: "link/corpus/" + inputs, Verdict: conformance.Accept, FramePointer: true, Checks: checks}
	for _, in := range strings.Fields(inputs) {
		b, err := os.ReadFile(corpusFiles + in + ".o")
		require.NoError(t, err)
		require.NoError(t, build.DescribeObject(l, in, b))
	}
	return l
}

// TestJudgeLink judges files that linkers wrote.
func TestJudgeLink(t *testing.T) {
	const v2, v3 = "binutils-2.44/amd64/", "binutils-2.47/amd64/"
	both := v3 + "main " + v3 + "frames"
	for _, x := range []struct {
		inputs, output string
		check          conformance.Outcome
		want           conformance.Outcome
	}{
		{both, v3 + "static.elf", "", conformance.Pass},
		{both, v3 + "static.elf", conformance.Unsorted, conformance.Pass},
		{both, v3 + "static.elf", conformance.WrongSegment, conformance.WrongSegment},
		{both, "mold-3/static.elf", conformance.WrongSegment, conformance.Pass},
		{v3 + "comdat-0 " + v3 + "comdat-1", v3 + "comdat.elf", "", conformance.Pass},
		{v3 + "comdat-0 " + v3 + "comdat-1", "mold-3/comdat.elf", "", conformance.Pass},
		{both, "lld-23/concatenated-v3.elf", "", conformance.Concatenated},
		{both, "gold-2.40/concatenated-v3.elf", "", conformance.Concatenated},
		{v3 + "frames", "lld-23/single-v3.elf", "", conformance.Pass},
		{v3 + "frames", "lld-23/single-v3.elf", conformance.Unsorted, conformance.Unsorted},
		{v3 + "frames", "lld-23/single-v3.elf", conformance.WrongSegment, conformance.WrongSegment},
		{v2 + "frames", "lld-23/single-v2.elf", "", conformance.WrongStart},
		{v2 + "frames", "mold-3/dropped-v2.elf", "", conformance.Dropped},
		{both, "mixed/v3-and-v2-by-ld-2.47.elf", "", conformance.Missing},
		{both, "field/discarded.elf", "", conformance.Dropped},
		{both, "field/discarded.elf", conformance.Kept, conformance.Pass},
		{both, v3 + "static.elf", conformance.Kept, conformance.Kept},
		{both, v3 + "one.elf", "", conformance.Missing}, // of a link without an input
		{v3 + "main", v3 + "static.elf", "", conformance.Stray},
		{both, "hand/v3-amd64-auxhdr-beyond-end.sframe", "", conformance.Damaged}, // no ELF file
	} {
		var checks []conformance.Outcome
		if x.check != "" {
			checks = append(checks, x.check)
		}
		b, err := os.ReadFile(corpusFiles + x.output)
		require.NoError(t, err)
		got, detail := conformance.JudgeLink(corpusLink(t, x.inputs, checks...), b, nil)
		assert.Equal(t, x.want, got, "%s: %s", x.output, detail)
	}
}

// TestJudgePLT: what files of linkers describe is right, but for their PLT.
func TestJudgePLT(t *testing.T) {
	for file, want := range map[string]conformance.Outcome{
		"binutils-2.47/amd64/pie.elf": conformance.Pass, "binutils-2.47/amd64/libprovider.so": conformance.Pass,
		"binutils-2.47/amd64/lost-plt.elf": conformance.LostPLT, "mold-3/pie.elf": conformance.LostPLT,
		"mold-3/static.elf": conformance.LostPLT, // it has none
	} {
		l := &conformance.Link{FramePointer: true, Checks: []conformance.Outcome{conformance.LostPLT}}
		b, err := os.ReadFile(corpusFiles + file)
		require.NoError(t, err)
		readObject(t, file, b, func(o *reader.Object) {
			for f := range o.SFrames[0].Section.FDEs() {
				at := slices.IndexFunc(o.ELF.Sections, func(x reader.Section) bool {
					return f.Start() >= x.Addr && f.Start()-x.Addr < x.Size && x.Addr > 0
				})
				if y, ok := o.ELF.Symbols.Func(at, f.Start()); ok && y.Value == f.Start() {
					l.Functions = append(l.Functions, conformance.LinkedOf(y.Name, conformance.Describe(f)))
				}
			}
		})
		require.NotEmpty(t, l.Functions, file)
		got, detail := conformance.JudgeLink(l, b, nil)
		assert.Equal(t, want, got, "%s: %s", file, detail)
	}
}

// TestJudgeRelocatable judges files that -r wrote.
func TestJudgeRelocatable(t *testing.T) {
	linked, err := os.ReadFile(corpusFiles + "binutils-2.47/amd64/static.elf")
	require.NoError(t, err)
	l := corpusLink(t, "binutils-2.47/amd64/main binutils-2.47/amd64/frames", conformance.StaleRelocs)
	for partial, want := range map[string]conformance.Outcome{
		"binutils-2.47/amd64/partial.o": conformance.Pass, "mold-3/partial.o": conformance.Pass,
		"binutils-2.44/amd64/partial.o": conformance.StaleRelocs, "binutils-2.40/amd64/partial.o": conformance.StaleRelocs,
	} {
		b, err := os.ReadFile(corpusFiles + partial)
		require.NoError(t, err)
		got, detail := conformance.JudgeLink(l, linked, b)
		assert.Equal(t, want, got, "%s: %s", partial, detail)
	}
}

// TestJudgeFaults makes faults that none of these linkers makes.
func TestJudgeFaults(t *testing.T) {
	good, err := os.ReadFile(corpusFiles + "mold-3/static.elf")
	require.NoError(t, err)
	l := corpusLink(t, "binutils-2.47/amd64/main binutils-2.47/amd64/frames")
	for want, change := range map[conformance.Outcome]func(s *model.Section, b []byte){
		conformance.Pass:       func(*model.Section, []byte) {},
		conformance.StaleSizes: func(_ *model.Section, b []byte) { b[12]++ }, // sfh_num_fres
		conformance.Damaged:    func(_ *model.Section, b []byte) { b[11]++ }, // sfh_num_fdes
		conformance.WrongFlags: func(_ *model.Section, b []byte) { b[3] |= byte(model.SFRAME_F_FRAME_POINTER) },
		conformance.WrongRows:  func(s *model.Section, b []byte) { b[s.FDE(0).FieldSpan(model.FDEFuncSize).Off]++ },
		conformance.Unsorted: func(s *model.Section, b []byte) { // the start and the size of two FDEs, whose FREs are the same
			swap(s, b, 2, 3)
		},
		conformance.Missing: func(s *model.Section, b []byte) { start(s, b, 1, s.FDE(0).Start()) }, // the function of FDE 1
	} {
		b := bytes.Clone(good)
		readObject(t, "static.elf", good, func(o *reader.Object) {
			f := o.SFrames[0]
			change(f.Section, b[f.Offset:f.Offset+int64(len(f.Data))])
		})
		got, detail := conformance.JudgeLink(l, b, nil)
		assert.Equal(t, want, got, detail)
	}
}

// TestJudgeDuplicate: two FDEs for one function, and none for that of the second one, which the case does not have.
func TestJudgeDuplicate(t *testing.T) {
	b, err := os.ReadFile(corpusFiles + "mold-3/static.elf")
	require.NoError(t, err)
	readObject(t, "static.elf", bytes.Clone(b), func(o *reader.Object) {
		f := o.SFrames[0]
		start(f.Section, b[f.Offset:f.Offset+int64(len(f.Data))], 1, f.Section.FDE(0).Start())
	})
	all := corpusLink(t, "binutils-2.47/amd64/main binutils-2.47/amd64/frames")
	got := map[conformance.Outcome]int{}
	for i := range all.Functions {
		fault, _ := conformance.JudgeLink(&conformance.Link{FramePointer: true, Functions: all.Functions[i : i+1]}, b, nil)
		got[fault]++
	}
	assert.Equal(t, map[conformance.Outcome]int{conformance.Duplicate: 1, conformance.WrongStart: 1, conformance.Stray: len(all.Functions) - 2}, got)
}

// swap exchanges two FDEs, and corrects the starts, which count from their fields.
func swap(s *model.Section, b []byte, i, j int) {
	x, y := s.FDE(i).Span(), s.FDE(j).Span()
	first, second := bytes.Clone(b[x.Off:x.End()]), bytes.Clone(b[y.Off:y.End()])
	copy(b[x.Off:], second)
	copy(b[y.Off:], first)
	start(s, b, i, s.FDE(j).Start())
	start(s, b, j, s.FDE(i).Start())
}

// start writes the start of an FDE of version 3.
func start(s *model.Section, b []byte, i int, addr uint64) {
	at := s.FDE(i).FieldSpan(model.FDEStart).Off
	s.ByteOrder().PutUint64(b[at:], addr-s.Addr()-uint64(at))
}

// TestLinkNames: the suite's names are those of the report.
func TestLinkNames(t *testing.T) {
	all, err := build.Links()
	require.NoError(t, err)
	require.Greater(t, len(all), 200)
	for _, l := range all {
		require.Equal(t, "link", strings.Split(l.Name, "/")[0])
		require.True(t, len(l.Functions) > 0 || strings.HasSuffix(l.Name, "/empty-only"), l.Name)
		require.Contains(t, l.Steps[len(l.Steps)-1], "out")
		for _, in := range l.Inputs {
			require.NotEmpty(t, path.Ext(in))
		}
	}
}

// readObject visits an object.
func readObject(t *testing.T, path string, b []byte, visit func(o *reader.Object)) {
	require.NoError(t, reader.ScanReader(path, bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		visit(o)
		return nil
	}))
}
