package properties

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// pair is the SFrame data and the CFI of a linked file.
type pair struct {
	name   string
	s      *model.Section
	frames *cfi.Frames
	p      *generator.Plan

	// Functions on which the two do not agree in everything.
	fdes map[int]bool
	cfi  map[int64]bool // by section and offset
	all  []cfi.Difference
}

func cfiKey(section int, off int64) int64 { return int64(section)<<40 | off }

// pairOf returns the pair of a linked file, nil if it has none.
func pairOf(name string, data []byte) (out *pair) {
	_ = reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		if o.ELF == nil || o.ELF.Relocatable() || len(o.SFrames) != 1 || o.SFrames[0].Section == nil {
			return nil
		}
		frames, err := cfi.Load(o, 0)
		if err != nil || !frames.Any() {
			return nil
		}
		x := &pair{name: name, s: o.SFrames[0].Section, frames: frames, fdes: map[int]bool{}, cfi: map[int64]bool{}}
		if x.p, err = generator.FromModel(x.s); err != nil || len(x.p.Funcs) == 0 || !x.s.Disjoint() {
			return nil
		}
		cfi.Compare(x.s, frames, func(d cfi.Difference) {
			x.all = append(x.all, d)
			if d.FDE >= 0 {
				x.fdes[d.FDE] = true
			}
			if d.Section >= 0 {
				x.cfi[cfiKey(d.Section, d.CFI.Off)] = true
			}
		})
		out = x
		return nil
	})
	return out
}

// agree reports whether the two agree on the function of a frame.
func (x *pair) agree(f *unwind.Frame, c *cfiSteps, a aframe) bool {
	fde, row, pc, ok := c.at(a)
	if !ok || !f.HasFDE || x.fdes[f.FDE.Index()] {
		return false
	}
	for i := range x.frames.Sections {
		if d, ok := x.frames.Sections[i].FDEAt(fde.Span.Off); ok && d == fde && x.cfi[cfiKey(i, fde.Span.Off)] {
			return false
		}
	}
	r := fde.Recover(&row, pc)
	abi := x.s.ABI()
	switch {
	case r.CFAReason|r.RAReason|r.FPReason != cfi.Comparable || r.FP.Kind == model.Undefined:
		return false // nothing was compared
	case r.RA.Kind == model.Unchanged && !abi.TracksRA():
		return false // CFI that says nothing of RA, which the format always has
	case f.Signal() && f.FDE.NumFREs() == 0:
		return false // CFI of a signal frame that no FRE can express
	case fde.CIE.Signal && !x.s.Version().Info().Signal:
		return false // the version does not say that it is a signal frame
	case f.FDE.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.FDE.RepSize() == 0:
		return false // version 1 does not say how large the stubs are
	}
	return true
}

// tally counts frames.
type tally struct{ steps, deepest, ends map[string]int }

// trace steps by both, as long as the two agree on the function. It returns how they
// differ, "" if they do not.
func (x *pair) trace(seed uint64, n *tally) string {
	d := &drawn{p: x.p, s: x.s, seed: seed, bias: seed * 0x9e3779b97f4a7c15 &^ 0xfff}
	abi := x.s.ABI()
	by := &cfiSteps{frames: x.frames, abi: abi, bias: d.bias, read: d.word, reg: d.value}
	c := unwind.New(abi, d, d, d, unwind.Options{MaxFrames: maxSteps})
	a := aframe{pc: d.PC(), sp: d.value(abi.SP), fp: d.value(abi.FP), topmost: true, exact: true}
	where := abi.Name + x.s.Version().String()
	for {
		f := c.Frame()
		if f.PC != a.pc || f.SP != a.sp || f.FP != a.fp || f.Exact != a.exact {
			return fmt.Sprintf("seed %d: frame %d is %x %x %x, by CFI %+v", seed, f.Index, f.PC, f.SP, f.FP, a)
		}
		n.deepest[where] = max(n.deepest[where], f.Index)
		if !x.agree(&f, by, a) {
			return ""
		}
		next, why := by.next(a)
		if why == odd {
			return ""
		}
		stop := c.Step()
		n.steps[where]++
		switch {
		case stop == nil && why == "":
			a = next
			continue
		case stop == nil:
			return fmt.Sprintf("seed %d: frame %d: a step from %x, by CFI %s", seed, f.Index, f.PC-d.bias, why)
		case stop.Reason == unwind.TooManyFrames || stop.Reason == unwind.Loop:
			return ""
		case asCFI(stop.Reason) != why:
			return fmt.Sprintf("seed %d: frame %d, %x: %s, by CFI %q", seed, f.Index, f.PC-d.bias, stop.Reason, why)
		}
		n.ends[string(stop.Reason)]++
		return ""
	}
}

// real checks that a difference in CFA, RA or FP is one: from the first instruction of
// its PCs, the two lead to different frames, for all but some stacks.
func (x *pair) real(d *cfi.Difference) bool {
	abi := x.s.ABI()
	for seed := range uint64(64) {
		m := &drawn{p: x.p, s: x.s, seed: seed << 20, frame: seed%2 == 1}
		by := &cfiSteps{frames: x.frames, abi: abi, read: m.word, reg: m.value}
		c := unwind.New(abi, at{m, d.Start}, m, m, unwind.Options{})
		next, why := by.next(aframe{pc: d.Start, sp: m.value(abi.SP), fp: m.value(abi.FP), topmost: true, exact: true})
		stop := c.Step()
		if f := c.Frame(); why == odd || (stop == nil) != (why == "") || stop == nil && (f.PC != next.pc || f.SP != next.sp || f.FP != next.fp) {
			return true
		}
	}
	return false
}

// at is a program that stands at another PC.
type at struct {
	*drawn
	pc uint64
}

func (a at) PC() uint64 { return a.pc }

func newTally() *tally { return &tally{map[string]int{}, map[string]int{}, map[string]int{}} }

// check traces stacks of a pair.
func (x *pair) check(t *testing.T, n *tally, traces int) {
	t.Helper()
	for seed := range uint64(traces) {
		if how := x.trace(seed<<20, n); how != "" {
			t.Errorf("%s: %s", x.name, how)
			return
		}
	}
	for i := range x.all {
		d := &x.all[i]
		if k := d.Kind; (k == cfi.CFADiffers || k == cfi.RADiffers || k == cfi.FPDiffers) && !x.real(d) {
			t.Errorf("%s: no step shows the difference %+v", x.name, d)
		}
	}
}

// linked returns the linked files of the corpus that have both.
func linked(t *testing.T) (out []*pair) {
	require.NoError(t, filepath.WalkDir("../../../corpus/files", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if x := pairOf(path, data); x != nil {
			out = append(out, x)
		}
		return err
	}))
	return out
}

// TestSteppingByCFI: wherever SFrame data and CFI agree, stepping by one equals stepping
// by the other, on drawn stacks; and where they are said to differ, it does not.
func TestSteppingByCFI(t *testing.T) {
	n := newTally()
	files := linked(t)
	require.Greater(t, len(files), 50)
	for _, x := range files {
		x.check(t, n, 300)
	}
	t.Log(len(files), n.steps, n.deepest, n.ends)
	for where, steps := range n.steps {
		assert.Greater(t, steps, 500, where)
	}
	assert.Greater(t, len(n.steps), 6, "versions of ABIs")
}

// TestSteppingByDamagedCFI does the same after one byte of the section or of the CFI was
// changed: what the comparison then takes for equal must be so.
func TestSteppingByDamagedCFI(t *testing.T) {
	n := newTally()
	changed, same := 0, 0
	for _, x := range linked(t) {
		h := fnv.New64a() // a new file of the corpus changes no draw of the others
		h.Write([]byte(x.name))
		r := rand.New(rand.NewPCG(1, h.Sum64()))
		data, err := os.ReadFile(x.name)
		require.NoError(t, err)
		for _, part := range [][]byte{x.s.Bytes(model.Span{Len: x.s.Size()}), x.frames.Sections[0].Input().Data} {
			at := bytes.Index(data, part)
			require.Positive(t, at)
			for range 12 {
				i, bit := at+r.IntN(len(part)), byte(1)<<r.IntN(8)
				data[i] ^= bit
				if y := pairOf(x.name, data); y != nil {
					y.name = fmt.Sprintf("%s, bit 0x%x of byte 0x%x", x.name, bit, i)
					y.check(t, n, 30)
					changed++
					if len(y.all) == len(x.all) {
						same++
					}
				}
				data[i] ^= bit
			}
		}
	}
	t.Log(changed, same, n.steps, n.ends)
	assert.Greater(t, changed, 500)
	assert.Greater(t, changed, 2*same, "most changes are differences")
}

// TestInteropSteppingByCFI does the same with CFI of every kind, assembled and
// linked by real tools.
func TestInteropSteppingByCFI(t *testing.T) {
	bin := toolchain.Bin(t)
	programs, err := txtar.ParseFile("testdata/cfi.txtar")
	require.NoError(t, err)
	n, assembled := newTally(), map[string]int{}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, tool := range []struct {
		arch, suite string
		abi         model.ABI
		args        []string
	}{
		{"x86_64", "sid", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, nil},
		{"x86_64", "trixie", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, nil},
		{"x86_64", "bookworm", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, nil},
		{"aarch64", "sid", model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, []string{"-EL"}},
		{"aarch64", "sid", model.SFRAME_ABI_AARCH64_ENDIAN_BIG, []string{"-EB"}},
		{"s390x", "sid", model.SFRAME_ABI_S390X_ENDIAN_BIG, nil},
	} {
		run := func(name string, args ...string) bool {
			cmd := exec.Command(filepath.Join(bin, strings.Join([]string{tool.suite, tool.arch, name}, "-")), append(tool.args, args...)...)
			out, err := cmd.CombinedOutput()
			require.True(t, err == nil || name == "as", "%s", out)
			return err == nil
		}
		for _, source := range programs.Files {
			if !strings.HasPrefix(source.Name, model.LookupABI(tool.abi).Short()+"/") {
				continue
			}
			require.NoError(t, os.WriteFile(file("p.s"), source.Data, 0o666))
			if !run("as", "--gsframe", "-o", file("p.o"), file("p.s")) {
				continue // some directives make some releases abort
			}
			assembled[tool.suite+tool.arch]++
			run("ld", "-e", "0", "-o", file("p"), file("p.o"))
			data, err := os.ReadFile(file("p"))
			require.NoError(t, err)
			if x := pairOf(fmt.Sprintf("%s-%s, %s", tool.suite, tool.arch, source.Name), data); x != nil {
				x.check(t, n, 60)
			}
		}
	}
	t.Log(assembled, n.steps, n.deepest, n.ends)
	assert.Len(t, assembled, 5)
	assert.Len(t, n.steps, 5, "versions of ABIs")
}
