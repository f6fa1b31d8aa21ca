package consumers_test

import (
	"cmp"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropJavaProfiler holds the profile of java-profiler against its parser, of the
// source tree that SFRAME_JAVA_PROFILER names: all sections of the corpus in files of
// AMD64, and every section that one bit tells from a good one.
func TestInteropJavaProfiler(t *testing.T) {
	tree := sourceTree(t, "SFRAME_JAVA_PROFILER", "java-profiler")
	dir := gather(t, filepath.Join(tree, "ddprof-lib/src/main/cpp/sframe.*"), "testdata/java-profiler/*")
	driver := compile(t, "g++", filepath.Join(dir, "driver.cc"), filepath.Join(dir, "sframe.cpp"))
	d := &driven{profile: "java-profiler", takes: amd64, see: func(t *testing.T, o *reader.Object, f *reader.SFrame) outcome {
		return seeJavaProfiler(t, driver, o, f)
	}}
	d.corpus(t)
	d.flips(t, 0x2000, "v2-amd64-section-relative", "v2-amd64")
}

// seeJavaProfiler returns what the parser makes of a section.
func seeJavaProfiler(t *testing.T, driver string, o *reader.Object, f *reader.SFrame) outcome {
	if _, ok := segment(o, f); !ok {
		return outcome{consumers.Ignores, "there is no segment"}
	}
	out, err := exec.Command(driver, sectionFile(t, f)).Output()
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
