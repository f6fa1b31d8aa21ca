//go:build linux && amd64

package execute

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// emulated runs a program in qemu and checks each step.
func emulated(t *testing.T, arch, prog string, change func(*Config)) *Report {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	cfg := Config{
		Qemu: toolchain.Tool(t, "qemu-"+arch), Path: prog, Args: []string{prog}, Dir: t.TempDir(),
		Files: [3]*os.File{null, null, null}, Check: Options{Every: 7},
	}
	if change != nil {
		change(&cfg)
	}
	r, err := Emulate(context.Background(), cfg)
	require.NoError(t, err)
	return r
}

// TestInteropSources: the plugin of qemu finds what ptrace finds, in programs that leave functions in all ways.
func TestInteropSources(t *testing.T) {
	toolchain.Tool(t, "qemu-x86_64")
	words := func(r *Report) (all []string) {
		for _, m := range inMain(r) {
			all = append(all, fmt.Sprintf("%s %#x FRE %d, %s by %s: %s, %d steps", m.Function, m.PC, m.FRE, m.What, m.Cause, m.Row, m.Steps))
		}
		return all
	}
	for _, x := range []string{"signals.c", "jumps.c", "coroutines.c", "adjacent.c", "threads.c", "realign.c"} {
		t.Run(x, func(t *testing.T) {
			prog := compiled(t, x, "-static")
			traced, plugin := executed(t, prog, nil), emulated(t, "x86_64", prog, nil)
			assert.Equal(t, words(traced), words(plugin))
			assert.Equal(t, traced.Exit, plugin.Exit)
			if x != "threads.c" { // which waits for another thread or does not
				assert.Equal(t, traced.Stats.Checked, plugin.Stats.Checked)
				assert.Equal(t, traced.Files, plugin.Files)
			}
		})
	}
	t.Run("children", func(t *testing.T) {
		r := emulated(t, "x86_64", compiled(t, "threads.c", "-static"), func(c *Config) { c.Children = true })
		assert.Empty(t, inMain(r))
		assert.Equal(t, &Exit{}, r.Exit)
		assert.Equal(t, 3, r.Stats.Processes)
	})
}

// TestInteropPlanted: a row whose CFA is wrong is found, with the first step on it and what was true. Where RA is
// at an offset from the CFA, RA is what cannot be recovered.
func TestInteropPlanted(t *testing.T) {
	for _, x := range []struct{ arch, dir, what string }{
		{"x86_64", "sid-x86_64-signal", whatCFA}, {"aarch64", "sid-aarch64-signal", whatRA},
		{"aarch64_be", "sid-aarch64-be-signal", whatRA}, {"s390x", "sid-s390x-signal", whatCFA},
	} {
		t.Run(x.arch, func(t *testing.T) {
			prog, fde, fre := plant(t, x.dir)
			for _, every := range []int{0, 1, 7} {
				r := emulated(t, x.arch, prog, func(c *Config) { c.Check.Every = every })
				require.NotEmpty(t, r.Mismatches)
				m := r.Mismatches[0]
				assert.Equal(t, x.what, m.What)
				assert.Equal(t, CauseSFrame, m.Cause)
				assert.Equal(t, fde.Index(), m.FDE)
				assert.Equal(t, fre.Index(), m.FRE)
				assert.Equal(t, fde.Start()+uint64(fre.Start()), m.PC)
				if x.what == whatCFA {
					assert.Equal(t, hex(hexNumber(m.Want.SP)+8), m.Have.SP)
				}
				if every == 0 {
					assert.Equal(t, r.Stats.Wrong, m.Steps)
				}
			}
		})
	}
}

// hexNumber returns a hexadecimal number.
func hexNumber(text string) (v uint64) {
	_, _ = fmt.Sscanf(text, "0x%x", &v)
	return v
}

// plant copies a program, with a CFA that is 8 bytes too high in the second FRE of its last function with several.
func plant(t *testing.T, dir string) (prog string, fde model.FDE, fre model.FRE) {
	t.Helper()
	image, err := os.ReadFile(filepath.Join("testdata", "progs", dir, "prog"))
	require.NoError(t, err)
	prog = filepath.Join(t.TempDir(), "prog")
	require.NoError(t, os.WriteFile(prog, image, 0o777))
	f, err := elf.Open(prog)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, reader.Scan(prog, reader.Options{}, func(o *reader.Object) error {
		s := o.SFrames[0].Section
		for d := range s.FDEs() {
			if d.NumFREs() > 1 {
				fde, fre = d, d.FRE(1)
			}
		}
		return nil
	}))
	sp := fre.Span()
	at := int(f.Section(".sframe").Offset) + int(sp.Off) + 2
	step := byte(8)
	if strings.Contains(dir, "s390x") {
		step = 1 // the words of s390x are in units of 8 bytes
	}
	image[at] += step
	require.NoError(t, os.WriteFile(prog, image, 0o777))
	return prog, fde, fre
}

// TestInteropClaims: claims are counted at each step, and one that is wrong is found with its place.
func TestInteropClaims(t *testing.T) {
	prog := filepath.Join(t.TempDir(), "prog")
	image, err := os.ReadFile(filepath.Join("testdata", "progs", "sid-aarch64-signal", "prog"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(prog, image, 0o777))
	const entry = 0x400240 // of deep
	same := model.Recovery{Kind: model.Unchanged}
	rules := []unwind.Rules{{Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 31}, RA: same, FP: same}}}
	c := &Claims{Of: func(_ *Image, addr uint64) []unwind.Rules {
		if addr == entry {
			return rules
		}
		return nil
	}}
	emulated(t, "aarch64", prog, func(cfg *Config) { cfg.Check = Options{Claims: c} })
	assert.NotZero(t, c.Checked[0])
	assert.Equal(t, [3]uint64{c.Checked[0], c.Checked[0], c.Checked[0]}, c.Checked)
	assert.Zero(t, c.Wrong)
	assert.Empty(t, c.Refuted)

	rules = append(rules, unwind.Rules{Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 31, Offset: -16}}})
	visits := c.Checked[0]
	emulated(t, "aarch64", prog, func(cfg *Config) { c.Checked = [3]uint64{}; cfg.Check = Options{Claims: c} })
	assert.Equal(t, [3]uint64{2 * visits, visits, visits}, c.Checked)
	assert.Equal(t, [3]uint64{visits}, c.Wrong)
	require.Len(t, c.Refuted, 1)
	x := c.Refuted[0]
	assert.Equal(t, "deep", strings.TrimSuffix(x.Function, ".localalias"))
	assert.Equal(t, uint64(entry), x.Addr)
	assert.Equal(t, whatCFA, x.What)
	assert.Equal(t, visits, x.Steps)
	assert.Less(t, hexNumber(x.Have), hexNumber(x.Want))
}

// TestInteropLink: an instruction that stores its address in another register than that of RA, as in the stubs of
// mold on s390x, is no call.
func TestInteropLink(t *testing.T) {
	dir := t.TempDir()
	object, prog := filepath.Join(dir, "link.o"), filepath.Join(dir, "link")
	for _, c := range [][]string{
		{toolchain.Tool(t, "sid-s390x-as"), "--gsframe", "-o", object, filepath.Join("testdata", "src", "link-s390x.s")},
		{toolchain.Tool(t, "sid-s390x-ld"), "-o", prog, object},
	} {
		text, err := exec.Command(c[0], c[1:]...).CombinedOutput()
		require.NoError(t, err, "%s", text)
	}
	for _, every := range []int{0, 1} {
		r := emulated(t, "s390x", prog, func(c *Config) { c.Check.Every = every })
		assert.Empty(t, r.Mismatches)
		assert.Equal(t, &Exit{}, r.Exit)
		assert.Equal(t, uint64(29), r.Stats.Checked)
	}
}
