//go:build linux && amd64

package execute

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropEmulate executes programs of other machines, which crash in a function that a
// signal handler called.
func TestInteropEmulate(t *testing.T) {
	for arch, dir := range map[string]string{
		"x86_64": "sid-x86_64-signal", "aarch64": "sid-aarch64-signal", "aarch64_be": "sid-aarch64-be-signal", "s390x": "sid-s390x-signal",
	} {
		t.Run(arch, func(t *testing.T) {
			image, err := os.ReadFile(filepath.Join("testdata", "progs", dir, "prog"))
			require.NoError(t, err)
			prog := filepath.Join(t.TempDir(), "prog")
			require.NoError(t, os.WriteFile(prog, image, 0o777))
			null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
			require.NoError(t, err)
			defer null.Close()
			cfg := Config{
				Qemu: toolchain.Tool(t, "qemu-"+arch), Path: prog, Args: []string{"prog"}, Dir: t.TempDir(),
				Files: [3]*os.File{null, null, null}, Check: Options{Every: 1},
			}
			r, err := Emulate(context.Background(), cfg)
			require.NoError(t, err)
			assert.Empty(t, r.Mismatches)
			assert.Equal(t, 11, r.Exit.Signal)
			assert.Greater(t, r.Stats.Steps, uint64(50))
			assert.Equal(t, r.Stats.Steps, r.Stats.Checked+r.Stats.Transit)
			assert.Greater(t, r.Stats.Frames, r.Stats.Steps)
			require.Len(t, r.Files, 1)
			assert.Equal(t, prog, r.Files[0].Path)

			cfg.Steps = 10
			r, err = Emulate(context.Background(), cfg)
			require.NoError(t, err)
			assert.Equal(t, &Exit{Status: -1, Signal: 9, Cut: "steps"}, r.Exit)
			assert.Equal(t, uint64(10), r.Stats.Steps)

			cfg.Steps, cfg.Check.Every = 100, 0
			r, err = Emulate(context.Background(), cfg)
			require.NoError(t, err)
			assert.Equal(t, uint64(100), r.Stats.Steps)
		})
	}
}

// TestInteropSigned executes a program whose return addresses are signed. Its own SFrame data are right; without their
// mangled bits, FREs at which the address is signed are not.
func TestInteropSigned(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("testdata", "progs", "sid-aarch64-be-pac-signal", "prog"))
	require.NoError(t, err)
	prog := filepath.Join(t.TempDir(), "prog")
	require.NoError(t, os.WriteFile(prog, image, 0o777))
	assert.Empty(t, emulated(t, "aarch64_be", prog, nil).Mismatches)

	marked := map[[2]int]bool{}
	require.NoError(t, reader.Scan(prog, reader.Options{}, func(o *reader.Object) error {
		for f := range o.SFrames[0].Section.FDEs() {
			for r := range f.FREs() {
				if r.MangledRA() {
					marked[[2]int{f.Index(), r.Index()}] = true
					image[o.SFrames[0].Offset+r.InfoSpan().Off] &^= model.FREInfoMangledBit
				}
			}
		}
		return nil
	}))
	require.NoError(t, os.WriteFile(prog, image, 0o777))
	wrong := emulated(t, "aarch64_be", prog, func(c *Config) { c.Check.Every = 0 }).Mismatches
	assert.NotEmpty(t, wrong)
	for _, m := range wrong {
		assert.Equal(t, whatRA, m.What)
		assert.True(t, marked[[2]int{m.FDE, m.FRE}], "%+v", m)
	}
}
