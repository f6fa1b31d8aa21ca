package main

import (
	"bytes"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
)

// patched is a directory with an assembly source and its object.
type patched struct {
	*testing.T
	as  string
	dir string
}

// check assembles the source and returns the findings, as rules and functions, and the patch that they advise; ok is
// false if the assembler does not take the source.
func (p *patched) check() (found []string, patch string, ok bool) {
	c := exec.Command(p.as, "-g", "--gsframe", "-o", "mutant.o", "mutant.s")
	c.Dir = p.dir
	if c.Run() != nil {
		return nil, "", false
	}
	l, err := lint.New(lint.Options{Sources: lint.Sources{Root: p.dir}})
	require.NoError(p, err)
	var b bytes.Buffer
	w := reports.NewPatch(&b, func(path string) io.ReadCloser {
		f, err := os.Open(filepath.Join(p.dir, path))
		require.NoError(p, err)
		return f
	}, nil)
	for f := range l.Run(p.Context(), filepath.Join(p.dir, "mutant.o")).Files() {
		require.NoError(p, w.File(f))
		for i := range f.Objects {
			for _, x := range f.Objects[i].Findings {
				found = append(found, x.Rule.ID+" "+x.Function)
			}
		}
	}
	require.NoError(p, w.Close(lint.Summary{}))
	return found, b.String(), true
}

// TestPatch makes faults in the directives of compiled code, and applies the patches that the findings advise: git and the
// assembler take each. Most patched sources have no finding that the source without the fault does not have. In the others
// the fault is where the right CFA is not known, or before states that are restored; --verify-patch leaves them out.
func TestPatch(t *testing.T) {
	o := &flags{Tools: filepath.Dir(toolchain.Bin(t)), Work: t.TempDir()}
	faults, patches, partial := 0, 0, 0
	for _, abi := range []string{"amd64", "aarch64", "s390x"} {
		text, _, err := corpus.Source("../../corpus", "src/"+abi+"/program.s")
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), abi, "program.s")
		require.NoError(t, os.Mkdir(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, text, 0o666))
		s, err := loadSource(path, o)
		require.NoError(t, err)
		p := &patched{t, s.tools.As[0], o.Work}
		write := func(bodies map[*proc][]line) {
			text, _ := s.with(bodies)
			require.NoError(t, os.WriteFile(filepath.Join(o.Work, "mutant.s"), []byte(text), 0o666))
		}
		write(nil)
		before, _, _ := p.check()
		rnd := rand.New(rand.NewSource(1))
		for i := range directiveKinds {
			for range 8 {
				f := s.procs[rnd.Intn(len(s.procs))]
				body, _ := s.mutate(f, directiveKinds[i], rnd)
				if body == nil {
					continue
				}
				write(map[*proc][]line{f: body})
				found, patch, ok := p.check()
				if !ok || slices.Equal(found, before) {
					continue
				}
				faults++
				if !strings.Contains(patch, "\n@@ ") {
					continue
				}
				patches++
				c := exec.Command("git", "apply", "--unsafe-paths", "-")
				c.Dir, c.Stdin = o.Work, strings.NewReader(patch)
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s%s", out, patch)
				after, _, ok := p.check()
				require.True(t, ok, patch)
				if slices.ContainsFunc(after, func(f string) bool { return !slices.Contains(before, f) }) {
					partial++
				}
			}
		}
	}
	assert.Equal(t, []int{123, 113, 8}, []int{faults, patches, partial})
}
