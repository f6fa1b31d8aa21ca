package conformance_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
)

// decoders are those that the page is about.
func decoders(t *testing.T) (all []decoder) {
	bin := toolchain.Bin(t)
	tool := func(name, profile, program string) {
		all = append(all, decoder{name, profile, &conformance.Tool{Command: []string{filepath.Join(bin, program), "--sframe", "@@"},
			LLVM: strings.Contains(program, "llvm"), Timeout: 20 * time.Second, Dir: t.TempDir()}})
	}
	tool("objdump 2.40", "libsframe-2.40", "bookworm-{arch}-objdump")
	tool("objdump 2.44", "libsframe-2.44", "trixie-{arch}-objdump")
	tool("objdump 2.47", "libsframe-2.47", "sid-{arch}-objdump")
	tool("readelf 2.47", "libsframe-2.47", "sid-{arch}-readelf")
	tool("llvm-readobj 23", "llvm-23", "sid-llvm-readobj")
	if tree := os.Getenv("SFRAME_BINUTILS"); tree != "" {
		all = append(all, decoder{"libsframe 2.47", "libsframe-api-2.47",
			&conformance.Process{Command: []string{libsframe(t, tree)}, Timeout: 20 * time.Second}})
	}
	if tree := os.Getenv("SFRAME_LINUX"); tree != "" {
		all = append(all, decoder{"Linux, look-ups, AMD64", "linux-user", newLookups(t, campaign.Linux, tree)},
			decoder{"Linux, look-ups, AArch64", "linux-user", newLookups(t, campaign.LinuxARM64, tree)})
	}
	if tree := os.Getenv("SFRAME_GLIBC"); tree != "" {
		all = append(all, decoder{"glibc 2.43, look-ups", "glibc-2.42", newLookups(t, campaign.Glibc, tree)})
	}
	return all
}

// decoder is a consumer, with its profile of package consumers.
type decoder struct {
	name, profile string
	conformance.Decoder
}

// libsframe compiles the driver of libsframe with a source tree of binutils.
func libsframe(t *testing.T, tree string) string {
	dir := t.TempDir()
	config := "#define HAVE_BYTESWAP_H 1\n#define HAVE_DECL_BSWAP_16 1\n#define HAVE_DECL_BSWAP_32 1\n#define HAVE_DECL_BSWAP_64 1\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.h"), []byte(config), 0o644))
	args := []string{"-O1", "-w", "-D_GNU_SOURCE", "-DHAVE_CONFIG_H", "-I" + dir, "-o", filepath.Join(dir, "driver"), "../../../conformance/drivers/libsframe.c"}
	for _, sub := range []string{"include", "libsframe", "libctf"} {
		args = append(args, "-I"+filepath.Join(tree, sub))
	}
	files, err := filepath.Glob(filepath.Join(tree, "libsframe", "sframe*.c"))
	require.NoError(t, err)
	out, err := exec.Command("cc", append(args, files...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(dir, "driver")
}

// TestConsumers asks real consumers, and writes their rows of the page on request.
func TestConsumers(t *testing.T) {
	if !*update {
		t.Skip("asks every consumer, which takes minutes: run with -update and SFRAME_TOOLS")
	}
	cases, err := build.Cases("")
	require.NoError(t, err)
	old, err := os.ReadFile(resultsPage)
	require.NoError(t, err)
	page := string(old)
	for _, x := range decoders(t) {
		r, err := conformance.Run(context.Background(), x.name, x, cases, nil)
		require.NoError(t, err)
		require.NoError(t, x.Close())
		_, isTool := x.Decoder.(*conformance.Tool)
		groups, open := triage(t, x.profile, !isTool, r)
		assert.Empty(t, open, "no cause is known of these failures of %s", x.name)
		t.Log(causesText(x.name, x.profile, groups))
		row := "| " + x.name
		for _, o := range []conformance.Outcome{conformance.Pass, conformance.Partial, conformance.Skipped, conformance.Wrong,
			conformance.Refused, conformance.Taken, conformance.Crash} {
			row += fmt.Sprintf(" | %d", r.Count("", o))
		}
		broken := r.Broken()
		var ids []string
		for _, c := range broken[:min(len(broken), 6)] {
			ids = append(ids, fmt.Sprintf("%s (%d)", c.ID, len(c.Cases)))
		}
		page = replaceRow(t, page, row+fmt.Sprintf(" | %d: %s |\n", len(broken), strings.Join(ids, ", ")))
	}
	require.NoError(t, os.WriteFile(resultsPage, []byte(page), 0o644))
}

// TestNothingChecked: a decoder that refuses everything, or whose answers state nothing, has not been checked, one that does not
// support some sections has been checked in part, and the status of a decoder counts.
func TestNothingChecked(t *testing.T) {
	cases, err := build.Cases("")
	require.NoError(t, err)
	cases, err = conformance.Select(cases, "valid/v3-*", func(c *conformance.Case) string { return c.Name })
	require.NoError(t, err)
	for answer, want := range map[string]string{`{"error":"no"}`: "refuses each section of version 3: no", `{"error":"","unsupported":true}`: "not supported by the decoder", `{}`: "states nothing"} {
		d := &conformance.Process{Command: []string{"sh", "-c", `while read x; do echo "$0"; done; echo "ERROR: LeakSanitizer: detected memory leaks" >&2; exit 3`, answer}, Timeout: 20 * time.Second}
		r, err := conformance.Run(t.Context(), answer, d, cases, nil)
		require.NoError(t, err)
		assert.ErrorContains(t, r.Incomplete(100), "nothing was checked", answer)
		yes, no := r.Compared()
		assert.Empty(t, yes)
		require.NotEmpty(t, no)
		assert.Contains(t, no[0].Why, want)
		assert.Zero(t, r.Failed(), answer)
		r.End(d.Close())
		require.Equal(t, 1, r.Failed())
		end := r.Results[len(r.Results)-1]
		assert.Equal(t, []string{"end/of-input", "exit status 3: leak at the end of the input"}, []string{end.Case.Name, end.Detail})
	}
	r, err := conformance.Run(t.Context(), "half", &sleepy{every: 1 << 30}, cases, nil)
	require.NoError(t, err)
	for i := range r.Results {
		if i%5 > 0 {
			r.Results[i].Outcome = conformance.Pass
		}
	}
	assert.ErrorContains(t, r.Incomplete(10), "more than 10 %")
	assert.NoError(t, r.Incomplete(25))
}

// TestExample runs the example decoder, which must pass all cases, and programs that do not
// meet the protocol.
func TestExample(t *testing.T) {
	decoder := filepath.Join(t.TempDir(), "example")
	out, err := exec.Command("go", "build", "-o", decoder, "../plain/example").CombinedOutput()
	require.NoError(t, err, "%s", out)
	cases, err := build.Cases("")
	require.NoError(t, err)
	d := &conformance.Process{Command: []string{decoder}, Timeout: time.Minute}
	r, err := conformance.Run(context.Background(), "example", d, cases, nil)
	require.NoError(t, err)
	require.NoError(t, d.Close())
	assert.Equal(t, len(cases), r.Count("", conformance.Pass))
	var text strings.Builder
	require.NoError(t, r.Text(&text))
	assert.Contains(t, text.String(), fmt.Sprintf("%d cases, %d pass\ncompared: V1 ", len(cases), len(cases)))
	assert.NotContains(t, text.String(), "not compared")
	assert.NoError(t, r.Incomplete(0))

	some := cases[:5]
	for _, command := range [][]string{{"false"}, {"cat"}, {"/nonexistent"}, {"yes"}, {"sh", "-c", "read x; kill -SEGV $$"}} {
		d := &conformance.Process{Command: command, Timeout: 5 * time.Second}
		r, err := conformance.Run(context.Background(), command[0], d, some, nil)
		require.NoError(t, err)
		_ = d.Close()            // yes does not end
		if command[0] != "cat" { // an echo is an answer that states nothing
			assert.Equal(t, len(some), r.Count("", conformance.Crash), command)
		}
	}
}
