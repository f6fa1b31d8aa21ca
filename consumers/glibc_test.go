package consumers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropGlibc holds the profile of glibc against sysdeps/generic/sframe-read.c of
// the source tree that SFRAME_GLIBC names: all sections of the corpus in linked files of
// AMD64, every section that one bit tells from a good one, and a lookup for each FRE.
func TestInteropGlibc(t *testing.T) {
	tree := os.Getenv("SFRAME_GLIBC")
	if tree == "" {
		t.Skip("SFRAME_GLIBC names no source tree of glibc 2.42")
	}
	// Alone, so that no other header of glibc takes the place of the system's.
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(tree, "sysdeps/generic/sframe*.[ch]"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), data, 0o666))
	}
	driver := filepath.Join(dir, "driver")
	out, err := exec.Command("gcc", "-O1", "-w", "-I", dir, "-o", driver, "testdata/glibc/driver.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	see := func(o *reader.Object) outcome {
		f := o.SFrames[0]
		if _, ok := segment(o, f); !ok {
			return outcome{"ignores", "there is no segment"}
		}
		return seeLibsframe(t, []string{driver}, f)
	}
	y := &tally{profile: profile(t, "glibc")}
	for _, e := range corpus(t) {
		for _, s := range e.subjects(t, false) {
			o := s.read(t)
			if len(o.SFrames) > 0 && o.ELF != nil && !o.ELF.Relocatable() && archOf(o) == "x86_64" && !ambiguous(o.SFrames[0].Section) {
				y.compare(s.name, o, o.SFrames[0], see(o))
			}
		}
	}
	y.report(t)
	for _, name := range []string{"v2-amd64", "v2-amd64-section-relative"} {
		t.Run(name, func(t *testing.T) {
			good, err := os.ReadFile(filepath.Join("../corpus/files/hand", name+".sframe"))
			require.NoError(t, err)
			const addr = 0x2000
			host := hostOf(decode(good, addr).Section)
			flipAll(t, "glibc", good, func(data []byte, _ string) (*reader.Object, outcome) {
				o := subject{name, host.exec(decode(data, addr), addr), true}.read(t)
				if s := o.SFrames[0].Section; ambiguous(s) || partial(s) {
					o.SFrames = nil
					return o, outcome{}
				}
				return o, see(o)
			})
		})
	}
}

// partial reports whether a lookup for each FRE does not show all that the reader does: FREs
// are missing or out of order, or have a signed RA, which a later step of glibc meets.
func partial(s *model.Section) bool {
	if s != nil && s.NumFDEs() == 0 {
		return true // there is nothing to look up
	}
	for i := 0; s != nil && i < s.NumFDEs(); i++ {
		f := s.FDE(i)
		if f.NumFREs() != int(f.ClaimedFREs()) {
			return true
		}
		last := int64(-1)
		for r := range f.FREs() {
			if r.MangledRA() || int64(r.Start()) <= last {
				return true
			}
			last = int64(r.Start())
		}
	}
	return false
}
