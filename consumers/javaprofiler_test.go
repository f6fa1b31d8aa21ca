package consumers_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropJavaProfiler holds the profile of java-profiler against its parser, of the
// source tree that SFRAME_JAVA_PROFILER names: all sections of the corpus in files of
// AMD64, and every section that one bit tells from a good one.
func TestInteropJavaProfiler(t *testing.T) {
	driver := javaProfilerDriver(t)
	y := &tally{profile: profile(t, "java-profiler")}
	for _, e := range corpus(t) {
		for _, s := range e.subjects(t, false) {
			o := s.read(t)
			if len(o.SFrames) > 0 && o.ELF != nil && !o.ELF.Relocatable() && archOf(o) == "x86_64" {
				y.compare(s.name, o, o.SFrames[0], seeJavaProfiler(t, driver, o, o.SFrames[0]))
			}
		}
	}
	y.report(t)
	for _, name := range []string{"v2-amd64-section-relative", "v2-amd64"} {
		t.Run(name, func(t *testing.T) {
			good, err := os.ReadFile(filepath.Join("../corpus/files/hand", name+".sframe"))
			require.NoError(t, err)
			const addr = 0x2000
			host := hostOf(decode(good, addr).Section)
			flipAll(t, "java-profiler", good, func(data []byte, _ string) (*reader.Object, outcome) {
				o := subject{name, host.exec(decode(data, addr), addr), true}.read(t)
				return o, seeJavaProfiler(t, driver, o, o.SFrames[0])
			})
		})
	}
}

// javaProfilerDriver compiles the parser.
func javaProfilerDriver(t *testing.T) string {
	tree := os.Getenv("SFRAME_JAVA_PROFILER")
	if tree == "" {
		t.Skip("SFRAME_JAVA_PROFILER names no source tree of java-profiler")
	}
	dir := t.TempDir()
	for _, pattern := range []string{filepath.Join(tree, "ddprof-lib/src/main/cpp/sframe.*"), "testdata/java-profiler/*"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, path := range files {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), data, 0o666))
		}
	}
	c := exec.Command("g++", "-O1", "-o", "driver", "driver.cc", "sframe.cpp")
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(dir, "driver")
}

// seeJavaProfiler returns what the parser makes of a section.
func seeJavaProfiler(t *testing.T, driver string, o *reader.Object, f *reader.SFrame) outcome {
	if _, ok := segment(o, f); !ok {
		return outcome{consumers.Ignores, "there is no segment"}
	}
	path := filepath.Join(t.TempDir(), "section")
	require.NoError(t, os.WriteFile(path, f.Data, 0o666))
	out, err := exec.Command(driver, path).Output()
	got := strings.TrimSpace(string(out))
	switch {
	case err != nil:
		return outcome{consumers.Crashes, err.Error()}
	case got == "rejected":
		return outcome{consumers.Rejects, got}
	}
	if want := javaProfilerTable(f.Section); got != want {
		return outcome{consumers.Misreads, fmt.Sprintf("%q, expected %q", got, want)}
	}
	return outcome{consumers.Reads, ""}
}

// javaProfilerTable is what the driver should write: all FREs of functions that are no
// repeated stubs.
func javaProfilerTable(s *model.Section) string {
	type entry struct {
		loc  int32
		text string
	}
	var all []entry
	for f := range s.FDEs() {
		if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK {
			continue
		}
		for r := range f.FREs() {
			row, loc := r.Row(), int32(f.Start()-s.Addr())+int32(r.Start())
			fp := int64(math.MinInt32)
			if row.FP.Kind == model.FromCFA {
				fp = row.FP.Offset
			}
			all = append(all, entry{loc, fmt.Sprintln(loc, row.CFA.Reg, row.CFA.Offset, fp, row.RA.Offset)})
		}
	}
	if s.Header().Flags&model.SFRAME_F_FDE_SORTED == 0 {
		slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(uint32(a.loc), uint32(b.loc)) })
	}
	var out strings.Builder
	for _, x := range all {
		out.WriteString(x.text)
	}
	return strings.TrimSpace(out.String())
}
