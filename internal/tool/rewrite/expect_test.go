package rewrite_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// What the call frame information of real and hand-made files leads to says the same as it,
// by the comparison that the rules use. Only functions that were omitted have no FDE.
func TestExpectedSaysWhatCFISays(t *testing.T) {
	fdes, omitted := map[model.Version]int{}, 0
	err := filepath.WalkDir("../../../corpus/files", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return reader.Scan(path, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
			if o.ELF == nil {
				return nil
			}
			for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
				for _, flex := range []bool{true, false} {
					if !o.ELF.ABI().InVersion(v) {
						continue
					}
					x, err := rewrite.Expect(o, v, flex, 0x100000)
					if err != nil {
						continue // the FDEs are too far away, or the file has no bytes
					}
					fdes[v] += x.FDEs
					omitted += len(x.Omitted)
					sameAsCFI(t, o, x, path)
				}
			}
			return nil
		})
	})
	require.NoError(t, err)
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		assert.Greater(t, fdes[v], 1000, v)
	}
	assert.Greater(t, omitted, 100)
}

func sameAsCFI(t *testing.T, o *reader.Object, x *rewrite.Expected, path string) {
	t.Helper()
	frames := must.Get(cfi.Load(o, 0))(t)
	cfi.Compare(x.SFrame.Section, frames, func(d cfi.Difference) {
		if d.Kind == cfi.NoCFI && x.Proven > 0 {
			return
		}
		if d.Kind == cfi.NoFDE || d.Kind == cfi.RangeDiffers {
			for _, m := range x.Omitted {
				if d.Place == m.Place && d.Start >= m.Start && d.Start-m.Start < m.Size {
					return
				}
			}
		}
		assert.Fail(t, "it differs from the CFI", "%s V%d: %v from 0x%x to 0x%x: %+v", path, x.SFrame.Section.Version(), d.Kind, d.Start, d.End, d)
	})
}

// GNU as 2.47 and llvm-mc write what is expected of their version.
func TestExpectedOfAssemblers(t *testing.T) {
	equal := 0
	for _, pattern := range []string{"../../../corpus/files/binutils-2.47/*/*.o", "../../../corpus/files/llvm-23/*.o"} {
		paths := must.Get(filepath.Glob(pattern))(t)
		for _, path := range paths {
			err := reader.Scan(path, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
				if o.ELF == nil || len(o.SFrames) != 1 || o.SFrames[0].Section == nil || strings.Contains(path, "partial") {
					return nil
				}
				have := o.SFrames[0].Section
				x, err := rewrite.Expect(o, have.Version(), true, 0)
				if err == nil && x.SFrame.Section.NumFDEs() == have.NumFDEs() && x.SFrame.Section.Size() == have.Size() {
					equal++
				}
				return err
			})
			require.NoError(t, err)
		}
	}
	assert.Greater(t, equal, 20, "of the same size")
}

// Every byte of a valid section has a part, and what is saved has a cause.
func TestMeasure(t *testing.T) {
	measured, shared, repeated := 0, int64(0), int64(0)
	plans(t, 300, func(rng *rand.Rand, p *generator.Plan) {
		data, n := joined(t, rng, p)
		o := &reader.Object{SFrames: []*reader.SFrame{reader.DecodeSFrame(data, reader.SectionOptions{Addr: p.Addr})}}
		z := must.Get(rewrite.Measure(o, o.SFrames[0], 3))(t)
		assert.EqualValues(t, len(data), z.Bytes)
		assert.EqualValues(t, n*28, z.Parts.Header)
		assert.GreaterOrEqual(t, z.Parts.Other, int64(0))
		c := z.Costs
		assert.Equal(t, z.Bytes-z.Least, c.Repeated+c.Starts+c.Words+c.Shared+c.Rest)
		if z.Reason != "" {
			return
		}
		measured++
		shared, repeated = shared+c.Shared, repeated+c.Repeated
		r := must.Get(build(t, data, p.Addr, rewrite.Changes{Narrow: true}))(t)
		assert.EqualValues(t, len(r.Data), z.Least)
		if n == 1 && r.Joined+r.Repeated == 0 {
			q := reader.DecodeSFrame(r.Data, reader.SectionOptions{Addr: p.Addr})
			least := must.Get(rewrite.Measure(&reader.Object{SFrames: []*reader.SFrame{q}}, q, 0))(t)
			assert.Zero(t, least.Costs, "what was written has no costs")
			assert.GreaterOrEqual(t, c.Rest, int64(0))
		}
	})
	assert.Greater(t, measured, 100)
	assert.Positive(t, shared)
	assert.Positive(t, repeated)
}

// Functions without CFI have the rows that their code proves, or a reason why not.
func TestInteropProvenFunctions(t *testing.T) {
	as, dir := toolchain.Tool(t, "sid-x86_64-as"), t.TempDir()
	source, object := filepath.Join(dir, "s.s"), filepath.Join(dir, "s.o")
	require.NoError(t, os.WriteFile(source, []byte(provenSource), 0o666))
	out, err := exec.Command(as, "-o", object, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	data := must.Get(os.ReadFile(object))(t)
	written, x, err := synthesized(t, object, data, rewrite.Addition{Version: 3, Flex: true})
	require.NoError(t, err)
	assert.Equal(t, 1, x.Proven)
	assert.Equal(t, 2, x.FDEs)
	var why []string
	for _, m := range x.Omitted {
		why = append(why, m.Why)
	}
	assert.Equal(t, []string{
		"it has no call frame information, and no return in it proves the state at its start",
		"it has no call frame information, and no return in it proves the state at its start",
		"it has no call frame information, and nothing is known to lead to the instruction at 0x15",
	}, why)
	require.NoError(t, scanBytes(t, object, written, func(o *reader.Object) error {
		s := o.SFrames[0].Section
		var rows []string
		for i := range s.NumFDEs() {
			f := s.FDE(i)
			for r := range f.FREs() {
				row := r.Row()
				rows = append(rows, row.CFA.Format(model.LookupABI(s.Header().ABI)))
			}
		}
		assert.Equal(t, []string{"rsp+8", "rsp+16", "rsp+16", "rsp+8", "rsp+8"}, rows)
		return nil
	}))
}

const provenSource = `	.text
	.type pushes, @function
pushes:	push %rbp
	mov %rsp, %rbp
	pop %rbp
	ret
	.size pushes, .-pushes
	.type stops, @function
stops:	push %rbx
	ud2
	.size stops, .-stops
	.type cfi, @function
cfi:	.cfi_startproc
	ret
	.cfi_endproc
	.size cfi, .-cfi
	.type tail, @function
tail:	sub $16, %rsp
	add $16, %rsp
	jmp pushes
	.size tail, .-tail
	.type hidden, @function
hidden:	ret
	mov %rbx, %rax
	ret
	.size hidden, .-hidden
`

// TestWrittenFilesAreSound: what Synthesize and Section write from a file without findings has none.
func TestWrittenFilesAreSound(t *testing.T) {
	driver := &rules.Driver{Rules: catalogue.Default(), Limits: rules.Limits{Findings: -1}}
	found := func(path string, data []byte) (all []string, sections int) {
		require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
			sections += len(o.SFrames)
			for _, f := range driver.Run(o).Findings {
				if f.Severity > rules.Note {
					all = append(all, f.Rule.ID+": "+f.Message)
				}
			}
			return nil
		}))
		return all, sections
	}
	// Their CFI contradicts their code, which the FREs of the file do not repeat.
	unsound := map[string]bool{
		"binutils-2.47/aarch64/flexible.o": true, "binutils-2.47/aarch64-be/flexible.o": true, "llvm-23/amd64/signal.o": true,
		"cfi/llvm-23/fp-register.o": true, "cfi/llvm-23/ra-register.o": true,
	}
	written := 0
	hold := func(path, how string, data []byte) {
		all, _ := found(path, data)
		assert.Empty(t, all, "%s, %s", path, how)
		written++
	}
	for _, root := range []string{"../../../corpus/files", "../../../corpus/regressions"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data := must.Get(os.ReadFile(path))(t)
			if unsound[strings.TrimPrefix(filepath.ToSlash(path), "../../../corpus/files/")] || len(data) < 64 || string(data[:4]) != "\x7fELF" {
				return nil
			}
			before, sections := found(path, data)
			if len(before) > 0 {
				return nil
			}
			for v := model.SFRAME_VERSION_2; v <= model.SFRAME_VERSION_3; v++ {
				if out, _, err := synthesized(t, path, data, rewrite.Addition{Version: v, Flex: true, Replace: true}); err == nil {
					hold(path, "synth "+v.String(), out)
				}
			}
			if sections == 1 {
				require.NoError(t, scanBytes(t, path, data, func(o *reader.Object) error {
					if c, err := rewrite.Section(o, o.SFrames[0], rewrite.Changes{Narrow: true}); err == nil {
						hold(path, "rewrite", changed(data, c))
					}
					return nil
				}))
			}
			return nil
		}))
	}
	assert.Greater(t, written, 300)
}
