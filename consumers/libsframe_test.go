package consumers_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/internal/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropLibsframe holds the profile of libsframe's functions against the library:
// all sections of the corpus in linked files, and a lookup for each FRE.
func TestInteropLibsframe(t *testing.T) { libsframeDriven(t).corpus(t) }

// TestInteropLibsframeFlips does the same for every section that one bit tells from a
// good one.
func TestInteropLibsframeFlips(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	// At an address from which that of few functions wraps.
	libsframeDriven(t).flips(t, 1<<60, "v2-amd64", "v3-amd64", "v3-aarch64-be")
}

func libsframeDriven(t *testing.T) *driven {
	driver := libsframeDriver(t)
	return &driven{profile: "libsframe-api-2.47", unclear: ambiguous, see: func(t *testing.T, _ *reader.Object, f *reader.SFrame) outcome {
		return seeLibsframe(t, driver, f)
	}}
}

// ambiguous reports whether nothing says what a lookup should find: the ABI is not known,
// functions overlap, no PC has an FRE or its words make no sense, or the distance of one from the section is beyond an end of the
// address space.
func ambiguous(s *model.Section) bool {
	if s == nil {
		return false
	}
	if !s.ABI().Known() || s.StartsAscend() && !s.Disjoint() {
		return true
	}
	for f := range s.FDEs() {
		for r := range f.FREs() {
			if unreachable(f, r) || f.Type() <= model.SFRAME_FDE_TYPE_FLEX && !r.Row().Valid() {
				return true
			}
		}
		if int64(f.Start()-s.Addr()) < 0 != (f.Start() < s.Addr()) {
			return true
		}
	}
	return false
}

// libsframeDriver compiles a program that uses the library, and returns a command that
// runs it.
func libsframeDriver(t *testing.T) []string {
	lib := filepath.Join(filepath.Dir(toolchain.Bin(t)), "sid/usr/lib/x86_64-linux-gnu")
	if _, err := os.Stat(filepath.Join(lib, "libsframe.so.3")); err != nil {
		t.Skip("there is no libsframe.so.3 among the toolchains")
	}
	driver := compile(t, "cc", "testdata/libsframe/driver.c", filepath.Join(lib, "libsframe.so.3"), "-Wl,--allow-shlib-undefined")
	return []string{filepath.Join(lib, "ld-linux-x86-64.so.2"), "--library-path", lib, driver}
}

// seeLibsframe returns what the library does with a section, at all FREs that it can find.
func seeLibsframe(t *testing.T, driver []string, f *reader.SFrame) outcome {
	t.Helper()
	var pcs bytes.Buffer
	var wants []string
	eachLookup(f.Section, func(fde model.FDE, pc uint64, r model.FRE) {
		pc -= f.Section.Addr()
		fmt.Fprintln(&pcs, int64(pc), uint8(fde.Type()))
		want := "an FRE"
		if fde.NumFREs() > 0 && (fde.Type() <= model.SFRAME_FDE_TYPE_FLEX || r.NumWords() == 0) {
			want = fmt.Sprint(int64(pc)) + libsframeRule(r)
		}
		wants = append(wants, want)
	})
	c := exec.Command(driver[0], append(driver[1:], sectionFile(t, f))...)
	c.Stdin = &pcs
	out, err := c.Output()
	if err != nil {
		return outcome{consumers.Crashes, err.Error()}
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if strings.HasPrefix(lines[0], "decode ") {
		return outcome{consumers.Rejects, lines[0]}
	}
	misread := ""
	for i, want := range wants {
		switch got := lines[i]; {
		case strings.HasSuffix(got, "not found"):
			return outcome{consumers.Rejects, got}
		case got != want && misread == "":
			misread = fmt.Sprintf("%s, expected %s", got, want)
		}
	}
	if misread != "" {
		return outcome{consumers.Misreads, misread}
	}
	return outcome{consumers.Reads, ""}
}

// libsframeRule is what the driver should write for an FRE.
func libsframeRule(r model.FRE) string {
	row := r.Row()
	if row.Outermost() {
		return " outermost"
	}
	out := ""
	for _, v := range []struct {
		name string
		model.Recovery
	}{{"cfa", row.CFA}, {"ra", row.RA}, {"fp", row.FP}} {
		out += " " + v.name
		switch words := r.FDE().Section().ABI().LSBRegs && r.FDE().Section().Version() < model.SFRAME_VERSION_3; {
		case v.Kind == model.InRegister && words && v.name != "cfa":
			out += fmt.Sprintf(" %d", v.Reg<<1|1)
		case v.Kind != model.Unchanged:
			out += fmt.Sprintf(" %d", v.Offset)
		case v.name == "ra" && r.NumWords() > 1 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT:
			out += " 0" // padding
		default:
			out += " none"
		}
	}
	return out
}
