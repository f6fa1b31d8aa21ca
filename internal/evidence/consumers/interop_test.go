package consumers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// show is a consumer that prints a section: how it is run and what is seen.
type show struct {
	profile string
	command func(arch string) string
	args    []string
	see     func(r result, o *reader.Object, f *reader.SFrame) outcome
}

func byArch(suite, tool string) func(string) string {
	return func(arch string) string { return suite + "-" + arch + "-" + tool }
}

var shows = []show{
	{"libsframe-2.40", byArch("bookworm", "objdump"), []string{"--sframe"}, seeBinutils},
	{"libsframe-2.40", byArch("bookworm", "readelf"), []string{"--sframe"}, seeBinutils},
	{"libsframe-2.44", byArch("trixie", "objdump"), []string{"--sframe"}, seeBinutils},
	{"libsframe-2.44", byArch("trixie", "readelf"), []string{"--sframe"}, seeBinutils},
	{"libsframe-2.47", byArch("sid", "objdump"), []string{"--sframe"}, seeBinutils},
	{"libsframe-2.47", byArch("sid", "readelf"), []string{"--sframe"}, seeBinutils},
	{"llvm-23", func(string) string { return "sid-llvm-readobj" }, []string{"--sframe"}, seeLLVM},
}

// refusals are the words with which objdump and readelf of binutils refuse a
// section.
var refusals = []string{
	"decode failure", "file format not recognized", "file in wrong format", "SFrame version not supported",
	"Can't get contents", "no debugging data", "no data to dump",
	"has an invalid size", "file truncated",
}

func seeBinutils(r result, o *reader.Object, f *reader.SFrame) outcome {
	if r.killed {
		return outcome{consumers.Crashes, lastLine(r.err)}
	}
	if strings.Contains(r.out, "No .sframe section present") {
		return outcome{consumers.Ignores, lastLine(r.err)}
	}
	for _, words := range refusals {
		if strings.Contains(r.out+r.err, words) {
			return outcome{consumers.Rejects, lastLine(r.err)}
		}
	}
	if !strings.Contains(r.out, "Contents of the SFrame section") {
		return outcome{consumers.Ignores, lastLine(r.out)}
	}
	// Of several sections objdump shows one, and readelf the others after it.
	_, text, _ := strings.Cut(r.out, "Contents of the SFrame section")
	text, _, _ = strings.Cut(text, "Contents of the SFrame section")
	if d := dump.Compare(o, f, dump.ParseObjdump(text), dump.ObjdumpRule); d != nil {
		return outcome{consumers.Misreads, d.String()}
	}
	return outcome{consumers.Reads, ""}
}

func seeLLVM(r result, o *reader.Object, f *reader.SFrame) outcome {
	switch {
	case r.killed:
		return outcome{consumers.Crashes, lastLine(r.err)}
	case strings.Contains(r.err, "could not find section"):
		return outcome{consumers.Ignores, lastLine(r.err)}
	case strings.Contains(r.err, "warning:"), strings.Contains(r.err, "error:"):
		return outcome{consumers.Rejects, lastLine(r.err)}
	}
	if d := dump.Compare(o, f, dump.ParseLLVM(r.out), dump.LLVMRule); d != nil {
		return outcome{consumers.Misreads, d.String()}
	}
	return outcome{consumers.Reads, ""}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// tally counts comparisons of what a profile says with what its tool does.
type tally struct {
	profile     *consumers.Profile
	exact       int
	luck, wrong []string // luck: the profile says that it is not certain
}

func (y *tally) compare(name string, o *reader.Object, f *reader.SFrame, got outcome) {
	v := y.profile.Judge(o, f, asked.Of(o))[0]
	switch {
	case v.Outcome == got.kind:
		y.exact++
	case v.Maybe:
		y.luck = append(y.luck, fmt.Sprintf("%s: may be %s (%s), %s (%s)", name, v.Outcome, v.Why, got.kind, got.detail))
	default:
		y.wrong = append(y.wrong, fmt.Sprintf("%s: %s (%s), but it %s (%s)", name, v.Outcome, v.Why, got.kind, got.detail))
	}
}

// report fails where the profile is wrong, and returns the number of comparisons.
func (y *tally) report(t *testing.T) int {
	t.Helper()
	n := y.exact + len(y.luck) + len(y.wrong)
	t.Logf("%d comparisons: %d as said, %d otherwise where the profile is not certain, %d wrong\n%s",
		n, y.exact, len(y.luck), len(y.wrong), strings.Join(y.luck, "\n"))
	require.NotZero(t, y.exact)
	require.Empty(t, y.wrong, strings.Join(y.wrong, "\n"))
	return n
}

// verified requires as many comparisons as the profile says.
func verified(t *testing.T, name string, n int) {
	t.Helper()
	text := regexp.MustCompile(`on more than (\d+) objects`).FindStringSubmatch(profile(t, name).Verified)
	require.NotNil(t, text, name)
	want, err := strconv.Atoi(text[1])
	require.NoError(t, err)
	require.Greater(t, n, want, name)
}

func profile(t *testing.T, name string) *consumers.Profile {
	t.Helper()
	all, err := consumers.Select(name)
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

// TestInteropShow holds the profiles of tools that print sections against
// those tools, on all files of the corpus.
func TestInteropShow(t *testing.T) {
	bin := toolchain.Bin(t)
	var all []subject
	for _, e := range corpus(t) {
		all = append(all, e.subjects(t, false)...)
	}
	all = sampled(all)
	for _, c := range shows {
		t.Run(c.command("ARCH"), func(t *testing.T) { c.compare(t, bin, all) })
	}
}

// sampled returns an eighth of the subjects with -short, and all without.
func sampled(all []subject) []subject {
	if !testing.Short() {
		return all
	}
	var eighth []subject
	for i := 0; i < len(all); i += 8 {
		eighth = append(eighth, all[i])
	}
	return eighth
}

// compare shows the tool all subjects that have a section.
func (c *show) compare(t *testing.T, bin string, all []subject) {
	path := filepath.Join(t.TempDir(), "file")
	y := &tally{profile: profile(t, c.profile)}
	for _, s := range all {
		o := s.read(t)
		if len(o.SFrames) == 0 || o.Foreign != "" { // a tool for another machine does not read the file
			continue
		}
		require.NoError(t, os.WriteFile(path, s.file, 0o600))
		r := run(t, filepath.Join(bin, c.command(archOf(o))), append(c.args, path)...)
		f := named(o)
		y.compare(s.name, o, f, c.see(r, o, f))
	}
	y.report(t)
}

// named returns the section that tools find by its name, otherwise the first.
func named(o *reader.Object) *reader.SFrame {
	for _, f := range o.SFrames {
		if f.Name == ".sframe" {
			return f
		}
	}
	return o.SFrames[0]
}
