//go:build linux

package campaign

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// TestInteropLibrary reads valid sections with the real library: what it decodes is what they state,
// or its profile has the reason. It crashes on broken ones, at known places.
func TestInteropLibrary(t *testing.T) {
	lib := filepath.Join(filepath.Dir(toolchain.Bin(t)), "sid/usr/lib/x86_64-linux-gnu/libsframe.so.3")
	if _, err := os.Stat(lib); err != nil {
		t.Skip("there is no libsframe.so.3 among the toolchains")
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler")
	}
	target, err := NewLibrary("libsframe="+lib, Limits{Timeout: time.Minute})
	require.NoError(t, err)
	s, err := Run(t.Context(), Setup{Dir: t.TempDir(), Targets: []*Target{target}, Seed: 1, Count: 2048})
	require.NoError(t, err)
	crashed := false
	for _, f := range s.Finds {
		crashed = crashed || f.Kind == Crash
		if f.Kind == Misreads || f.Kind == RejectsValid {
			assert.True(t, strings.HasPrefix(f.Key, "libsframe-api-2.47: "), "no profile explains it: %s", f.Key)
		}
	}
	assert.True(t, crashed)
}

// TestInteropTargets finds the crashes of real programs that a few inputs show, at their places.
func TestInteropTargets(t *testing.T) {
	bin := toolchain.Bin(t)
	var all []*Target
	for _, line := range []string{"objdump=" + bin + "/sid-{arch}-objdump --sframe @@", "mold=" + bin + "/sid-mold -o @out @@"} {
		target, err := NewTarget(line, Limits{Timeout: time.Minute})
		require.NoError(t, err)
		all = append(all, target)
	}
	assert.False(t, all[0].Linker)
	assert.True(t, all[1].Linker)
	s, err := Run(t.Context(), Setup{Dir: t.TempDir(), Targets: all, Seed: 2, Count: 64})
	require.NoError(t, err)
	keys := map[string]bool{}
	for _, f := range s.Finds {
		keys[f.Target+" "+f.Key] = true
	}
	assert.Contains(t, keys, "objdump assertion sframe.c:1877 ifre.fre_start_addr <= fdep->func_size")
	located, panics := false, false
	for k := range keys {
		located = located || strings.Contains(k, "SIGSEGV at libsframe.so.3")
		panics = panics || strings.HasPrefix(k, "mold panic ")
	}
	assert.True(t, located, "%v", keys)
	assert.True(t, panics, "%v", keys)
	assert.Contains(t, s.Targets[0].Compared, "V3 amd64")
}

// TestInteropRelocatable links to object files. GNU ld drops the auxiliary header there, but does not
// move the relocations; mold copies the section.
func TestInteropRelocatable(t *testing.T) {
	bin := toolchain.Bin(t)
	var all []*Target
	for _, line := range []string{"ld=" + bin + "/sid-{arch}-ld -r -o @out @@", "mold=" + bin + "/sid-mold -r -o @out @@"} {
		target, err := NewTarget(line, Limits{Timeout: time.Minute})
		require.NoError(t, err)
		all = append(all, target)
	}
	s, err := Run(t.Context(), Setup{Dir: t.TempDir(), Targets: all, Seed: 5, Count: 2 * batchSize})
	require.NoError(t, err)
	keys := map[Bucket]bool{}
	for _, f := range s.Finds {
		keys[f.Bucket] = true
		assert.False(t, f.Target == "mold" && (f.Kind == Worsens || f.Kind == RejectsValid), f.Key)
	}
	assert.Contains(t, keys, Bucket{"ld", Worsens, "SF5016", ""})
}

// TestInteropFinds runs the targets on the files of the corpus that make them crash: nearly all crash
// at the same places. Where a program reads out of bounds, what is there decides.
func TestInteropFinds(t *testing.T) {
	bin := toolchain.Bin(t)
	c, err := corpus.LoadConsumers("../../../corpus")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, corpus.UnpackConsumers("../../../corpus", dir))
	total, same := 0, 0
	for _, want := range c.Targets {
		if strings.Contains(want.Version, "source tree") {
			continue // the tools have no source tree
		}
		line, parse := want.Name+"="+bin+"/"+want.Command, NewTarget
		if lib, ok := strings.CutPrefix(want.Command, "libsframe="); ok {
			line, parse = "libsframe="+filepath.Join(filepath.Dir(bin), "sid/usr/lib/x86_64-linux-gnu", lib), NewLibrary
		}
		target, err := parse(line, Limits{Timeout: time.Minute, Memory: 2 << 30})
		require.NoError(t, err)
		var files, keys []string
		for _, f := range c.Finds {
			if f.Target == want.Name && Outcome(f.Kind) == Crash {
				files, keys = append(files, filepath.Join(dir, f.File)), append(keys, f.Key)
			}
		}
		all, err := Try(t.Context(), []*Target{target}, files)
		require.NoError(t, err)
		for i, x := range all {
			total++
			if x.Key == keys[i] {
				same++
			} else {
				t.Logf("%s: %s %s, not %s", x.File, x.Kind, x.Key, keys[i])
			}
		}
	}
	assert.Greater(t, total, 30)
	assert.Greater(t, same*10, total*9)
}

// TestAccess tells reads and writes apart by the instruction.
func TestAccess(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("instructions of AMD64")
	}
	for code, want := range map[string]string{
		"\x89\x07":                 badWrite, // mov [rdi], eax
		"\x8b\x07":                 badRead,  // mov eax, [rdi]
		"\x83\x3f\x01":             badRead,  // cmp dword [rdi], 1
		"\xff\x30":                 badRead,  // push [rax]
		"\xf3\xaa":                 badWrite, // rep stosb
		"\xf3\xa4":                 "",       // rep movsb
		"\xc5\xfe\x7f\x07":         badWrite, // vmovdqu [rdi], ymm0
		"\xc5\xfe\x6f\x06":         badRead,  // vmovdqu ymm0, [rsi]
		"\x62\xe1\xfe\x28\x7f\x07": badWrite, // vmovdqu64 [rdi], ymm16
	} {
		assert.Equal(t, want, access(strings.NewReader(code), 0), "%x", code)
	}
}
