package consumers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// sourceTree returns the source tree that a variable of the environment names.
func sourceTree(t *testing.T, variable, of string) string {
	t.Helper()
	tree := os.Getenv(variable)
	if tree == "" {
		t.Skipf("%s names no source tree of %s", variable, of)
	}
	return tree
}

// serve compiles and starts the driver of a reader.
func serve(t *testing.T, kind campaign.Reader, path string) *campaign.Server {
	t.Helper()
	run, err := (&campaign.Library{Kind: kind, Path: path}).Compile(t.Context(), t.TempDir())
	require.NoError(t, err)
	s, err := campaign.StartServer(run, nil)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// seeLookups returns what a reader does with a section, at all FREs that it can find.
func seeLookups(t *testing.T, driver *campaign.Server, kind campaign.Reader, f *reader.SFrame, r campaign.Request) outcome {
	t.Helper()
	if r.Data = f.Data; f.Section != nil && r.Addr == 0 {
		r.Addr = f.Section.Addr()
	}
	var wants []string
	eachLookup(f.Section, func(fde model.FDE, pc uint64, row model.FRE) {
		r.Lookups = append(r.Lookups, campaign.Lookup{PC: pc, FDEType: uint64(fde.Type())})
		want := "an FRE"
		if fde.NumFREs() > 0 && (fde.Type() <= model.SFRAME_FDE_TYPE_FLEX || row.NumWords() == 0) {
			want = kind.Rule(row)
		}
		wants = append(wants, want)
	})
	all, err := driver.Read(t.Context(), []campaign.Request{r})
	require.NoError(t, err)
	if all[0].Crashed {
		return outcome{consumers.Crashes, all[0].Text}
	}
	var lines []string
	for line := range strings.Lines(all[0].Text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "refused"), strings.HasPrefix(line, "validate") && line != "validate 0":
			return outcome{consumers.Rejects, line}
		case strings.HasPrefix(line, "pc "):
			lines = append(lines, line)
		}
	}
	require.Len(t, lines, len(wants))
	misread := ""
	for i, want := range wants {
		got, ok := strings.CutPrefix(lines[i], fmt.Sprintf("pc %x", r.Lookups[i].PC))
		require.True(t, ok, lines[i])
		switch {
		case got == want:
		case strings.HasSuffix(got, " not found"), kind == campaign.Linux && !strings.HasPrefix(got, " found 0 step 0 "):
			return outcome{consumers.Rejects, lines[i]}
		case misread == "":
			misread = fmt.Sprintf("%s, expected %s", lines[i], want)
		}
	}
	if misread != "" {
		return outcome{consumers.Misreads, misread}
	}
	return outcome{consumers.Reads, ""}
}

// gather copies the files that match patterns into a directory of their own, so that no other
// header of a tree takes the place of the system's.
func gather(t *testing.T, patterns ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, path := range files {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), data, 0o666))
		}
	}
	return dir
}

// compile compiles a driver and returns its path.
func compile(t *testing.T, compiler string, args ...string) string {
	t.Helper()
	driver := filepath.Join(t.TempDir(), "driver")
	out, err := exec.Command(compiler, append(args, "-O1", "-w", "-I", "testdata", "-o", driver)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return driver
}

// sectionFile writes a section to a file and returns its path.
func sectionFile(t *testing.T, f *reader.SFrame) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "section")
	require.NoError(t, os.WriteFile(path, f.Data, 0o666))
	return path
}

// driven is a profile that is held against a driver.
type driven struct {
	profile string
	// takes reports whether the driver can be tried on a linked file.
	takes func(*reader.Object) bool
	// unclear reports whether nothing says what the driver should do with a section.
	unclear func(*model.Section) bool
	see     func(*testing.T, *reader.Object, *reader.SFrame) outcome
}

// corpus tries all sections of the corpus in linked files.
func (d *driven) corpus(t *testing.T) {
	y := &tally{profile: profile(t, d.profile)}
	for _, e := range corpus(t) {
		for _, s := range e.subjects(t, false) {
			o := s.read(t)
			if len(o.SFrames) > 0 && o.ELF != nil && !o.ELF.Relocatable() && d.clear(o) {
				y.compare(s.name, o, o.SFrames[0], d.see(t, o, o.SFrames[0]))
			}
		}
	}
	y.report(t)
}

func (d *driven) clear(o *reader.Object) bool {
	return (d.takes == nil || d.takes(o)) && (d.unclear == nil || !d.unclear(o.SFrames[0].Section))
}

// flips tries every section that one bit tells from a good one of corpus/files/hand.
func (d *driven) flips(t *testing.T, addr uint64, names ...string) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			good, err := os.ReadFile(filepath.Join("../../../corpus/files/hand", name+".sframe"))
			require.NoError(t, err)
			host := hostOf(decode(good, addr).Section)
			flipAll(t, d.profile, good, func(data []byte, _ string) (*reader.Object, outcome) {
				o := subject{name, host.exec(decode(data, addr), addr), true}.read(t)
				if !d.clear(o) {
					o.SFrames = nil
					return o, outcome{}
				}
				return o, d.see(t, o, o.SFrames[0])
			})
		})
	}
}

// amd64 reports whether a file is one of AMD64.
func amd64(o *reader.Object) bool { return archOf(o) == "x86_64" }
