package browser_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTry checks the corpus in a browser with the program of the site in the directory SFRAME_SITE, and expects
// what the command finds. It asks no other host for anything.
func TestTry(t *testing.T) {
	root := os.Getenv("SFRAME_SITE")
	browser, err := exec.LookPath("chromium")
	if root == "" || err != nil {
		t.Skip("SFRAME_SITE names no site, or there is no Chromium")
	}
	const corpus = "../../corpus/files"
	var names []string
	require.NoError(t, filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(corpus, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(root)))
	mux.Handle("/corpus/", http.StripPrefix("/corpus/", http.FileServer(http.Dir(corpus))))
	server := httptest.NewServer(mux)
	defer server.Close()

	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+"/try.html"), chromedp.WaitReady(chromedp.CSS(".try input"))))
	list, err := json.Marshal(names)
	require.NoError(t, err)
	inBrowser := func(args ...string) string {
		t.Helper()
		words, err := json.Marshal(args)
		require.NoError(t, err)
		out, err := chromedp.Run(ctx, chromedp.Evaluate[string](`(async () => {
			window.files ??= await Promise.all(`+string(list)+`.map(async name => ({name, data: new Uint8Array(await (await fetch("corpus/" + name)).arrayBuffer())})));
			const got = await sframeLint(`+string(words)+`, files);
			return got.out + got.err;
		})()`, chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		return out
	}
	program := filepath.Join(t.TempDir(), "sframe-lint")
	out, err := exec.Command("go", "build", "-o", program, "../../cmd/sframe-lint").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, args := range [][]string{
		{"--no-config", "--limit", "max-findings=0", "."},
		{"dump", "--code", "--cfi", "wrong-cfi/adjust-sign.o"},
		{"dump", "binutils-2.47/amd64/program.elf"},
	} {
		c := exec.Command(program, args...)
		c.Dir = corpus
		var want bytes.Buffer
		c.Stdout, c.Stderr = &want, &want
		_ = c.Run()
		got := inBrowser(args...)
		require.Greater(t, len(got), 500, got)
		// Texts of system errors differ in their first letter.
		native, web := strings.ToLower(want.String()), strings.ToLower(got)
		assert.Empty(t, lacks(native, web), "%v: only the command", args)
		assert.Empty(t, lacks(web, native), "%v: only the browser", args)
	}
	// A clean file is called so.
	clean, err := chromedp.Run(ctx, chromedp.Evaluate[string](`sframeLint(["--format", "full", "binutils-2.47/aarch64/pauth.o"], files).then(r => r.err)`, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	assert.Contains(t, clean, "no findings: 1 file checked: 1 section with ")
	// View shows its page.
	page, err := chromedp.Run(ctx, chromedp.Evaluate[string](`sframeLint(["view", "lines/linked.elf"], files).then(r => r.out)`, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(page, "<!DOCTYPE html>") && strings.HasSuffix(page, "</html>\n"))
}

// lacks returns the lines of a text that another one lacks.
func lacks(a, b string) (out []string) {
	there := map[string]int{}
	for line := range strings.Lines(b) {
		there[line]++
	}
	for line := range strings.Lines(a) {
		if there[line]--; there[line] < 0 {
			out = append(out, line)
		}
	}
	return out
}
