//go:build linux && amd64

package execute

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
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

// TestInteropRecordSigned records a program whose return addresses are signed. Its own SFrame
// data are right; without their mangled bits, FREs at which the address is signed are not.
func TestInteropRecordSigned(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("testdata", "progs", "sid-aarch64-be-pac-signal", "prog"))
	require.NoError(t, err)
	prog := filepath.Join(t.TempDir(), "prog")
	require.NoError(t, os.WriteFile(prog, image, 0o777))
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	rec := NewRecorder()
	r, err := Emulate(context.Background(), Config{
		Qemu: toolchain.Tool(t, "qemu-aarch64_be"), Path: prog, Args: []string{"prog"}, Dir: t.TempDir(),
		Files: [3]*os.File{null, null, null}, Check: Options{Recorder: rec},
	})
	require.NoError(t, err)
	assert.Empty(t, r.Mismatches)
	truth := reread(t, rec.Truth(r.ABI))
	matches(t, "truth", truth)
	assert.Empty(t, judged(t, truth, prog).Wrong)

	require.NoError(t, reader.Scan(prog, reader.Options{}, func(o *reader.Object) error {
		plan, err := generator.FromModel(o.SFrames[0].Section)
		require.NoError(t, err)
		marked := map[[2]int]bool{}
		for i := range plan.Funcs {
			for k := range plan.Funcs[i].Rows {
				if row := &plan.Funcs[i].Rows[k]; row.Mangled {
					marked[[2]int{i, k}], row.Mangled = true, false
				}
			}
		}
		b, err := generator.Encode(plan)
		require.NoError(t, err)
		s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: plan.Addr})
		require.Empty(t, faults)
		x := truth.File(Identify(o))
		wrong := x.Judge(s).Wrong
		assert.NotEmpty(t, wrong)
		for _, w := range wrong {
			assert.Equal(t, whatRA, w.What)
			assert.True(t, marked[[2]int{w.FDE, w.FRE}], "%+v", w)
		}
		x.Exact = false
		assert.Empty(t, x.Judge(s).Wrong)
		return nil
	}))
}
