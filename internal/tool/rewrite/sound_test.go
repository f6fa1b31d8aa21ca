package rewrite_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

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
			data, err := os.ReadFile(path)
			require.NoError(t, err)
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
