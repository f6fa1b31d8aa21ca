package consumers_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropShared rewrites the sections of linked files so that FDEs share FREs, and asks readers at the first and the
// last byte of each FRE: they must answer as for the section of the file. The files are those of the corpus and,
// if SFRAME_REAL names a directory, those in it. SFRAME_LINUX names a source tree for the reader of Linux.
func TestInteropShared(t *testing.T) {
	// A library of this machine swaps the bytes of shared FREs once for each FDE: it refuses big-endian sections.
	lib := filepath.Join(filepath.Dir(toolchain.Bin(t)), "sid/usr/lib/x86_64-linux-gnu/libsframe.so.3")
	libsframe := serve(t, campaign.Libsframe, lib)
	linux := map[model.ABI]*campaign.Server{}
	if os.Getenv("SFRAME_LINUX") != "" {
		linux = linuxDrivers(t)
	}
	files, asked := 0, 0
	ask := func(path string, o *reader.Object) error {
		if o.ELF == nil || o.ELF.Relocatable() || o.ELF.BigEndian() || len(o.SFrames) == 0 || o.SFrames[0].Section == nil || len(o.SFrames[0].Faults) > 0 {
			return nil
		}
		old := o.SFrames[0]
		c, err := rewrite.Section(o, old, rewrite.Changes{Narrow: true, Dead: func(uint64) bool { return false }})
		if err != nil || old.Section.Version() != model.SFRAME_VERSION_3 || ambiguous(old.Section) {
			return nil
		}
		pcs := boundaries(old.Section)
		files, asked = files+1, asked+len(pcs)
		was := answers(t, libsframe, old.Section, old.Data, [2]uint64{}, pcs)
		assert.Equal(t, was, answers(t, libsframe, c.Section, c.Data, [2]uint64{}, pcs), path)
		if d := linux[o.ELF.ABI().ID]; d != nil {
			was := answers(t, d, old.Section, old.Data, campaign.AnyText, pcs)
			assert.Equal(t, was, answers(t, d, c.Section, c.Data, campaign.AnyText, pcs), path)
		}
		return nil
	}
	for _, dir := range []string{"../../../corpus/files/binutils-2.47", "../../../corpus/files/mold-3", os.Getenv("SFRAME_REAL")} {
		if dir == "" {
			continue
		}
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".work") {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || slices.Contains([]string{".o", ".a", ".tsv"}, filepath.Ext(path)) {
				return err
			}
			return reader.Scan(path, reader.Options{NoSurvey: true}, func(o *reader.Object) error { return ask(path, o) })
		}))
	}
	assert.Greater(t, files, 20)
	t.Logf("%d files, %d PCs", files, asked)
}

// boundaries returns the first and the last PC of each FRE.
func boundaries(s *model.Section) (all []uint64) {
	for f := range s.FDEs() {
		for r := range f.FREs() {
			if !unreachable(f, r) && r.End() > r.Start() {
				all = append(all, f.Start()+uint64(r.Start()), f.Start()+uint64(r.End())-1)
			}
		}
	}
	return all
}

// answers returns what a reader says of each PC, or that it refuses the section.
func answers(t *testing.T, driver *campaign.Server, s *model.Section, data []byte, text [2]uint64, pcs []uint64) (all []string) {
	const atOnce = 500 // so many that the driver of libsframe does not list the functions
	for from := 0; from < len(pcs); from += atOnce {
		r := campaign.Request{Data: data, Addr: s.Addr(), Text: text}
		for _, pc := range pcs[min(from, max(len(pcs)-atOnce, 0)):min(from+atOnce, len(pcs))] {
			l := campaign.Lookup{PC: pc}
			if f, ok := s.Find(pc); ok {
				l.FDEType = uint64(f.Type())
			}
			r.Lookups = append(r.Lookups, l)
		}
		got, err := driver.Read(t.Context(), []campaign.Request{r})
		require.NoError(t, err)
		require.False(t, got[0].Crashed, got[0].Text)
		n := len(all)
		for line := range strings.Lines(got[0].Text) {
			if strings.HasPrefix(line, "pc ") {
				all = append(all, line)
			}
		}
		if strings.HasPrefix(got[0].Text, "refused") {
			all = append(all, got[0].Text)
			continue
		}
		require.Len(t, all[n:], len(r.Lookups), got[0].Text)
	}
	return all
}
