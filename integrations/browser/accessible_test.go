package browser_test

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axe returns axe-core, which scripts/axe downloads.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SFRAME_AXE")
	if path == "" {
		t.Skip("SFRAME_AXE does not name axe.min.js")
	}
	code, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(code) + ";0"
}

// testAccessible runs axe-core on both kinds of page, light and dark, wide and narrow.
func testAccessible(t *testing.T, ctx context.Context) {
	code, browser := axe(t), ctx
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	for name, page := range map[string]string{
		"report":   open(t, render(t, append(outputtest.Files(), outputtest.Hostile()...))),
		"findings": open(t, render(t, checked(t, "../../corpus/files/wrong-cfi", "../../corpus/files/cfi"))),
		"folded":   open(t, render(t, outputtest.Many(60, 3))),
		"view":     open(t, view(t, "program", data)) + "#f=1&r=0",
		"code":     open(t, coded(t, "lines/linked.elf", table.Selection{})) + "#f=0&r=1&p=400145",
		"two":      open(t, twoFiles(t)) + "#m=new.elf&a=4001c6",
		"damaged":  open(t, view(t, "program", damaged(t))),
	} {
		ctx, _ := tab(t, browser)
		for _, mode := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 390} {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: mode}}})
				require.NoError(t, err)
				do(t, ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(page))
				if name == "view" || name == "damaged" {
					do(t, ctx, chromedp.WaitReady(chromedp.CSS("html[data-ready]")))
				}
				if name == "code" || name == "two" {
					do(t, ctx, chromedp.WaitReady(chromedp.CSS("#codebox tr[aria-selected='true']")))
				}
				_ = get(t, ctx, chromedp.Evaluate[int](code))
				assert.Empty(t, get(t, ctx, chromedp.Evaluate[string](`axe.run().then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html.slice(0, 200)).join("; ")).join(", "))`, chromedp.EvalAwaitPromise)), "%s %s %d", name, mode, width)
				assert.LessOrEqual(t, get(t, ctx, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)), width, "%s %s", name, mode)
			}
		}
	}
}

// checked returns the results of files.
func checked(t *testing.T, paths ...string) (files []*lint.File) {
	t.Helper()
	l, err := lint.New(lint.Options{Listings: true})
	require.NoError(t, err)
	for f := range l.Run(t.Context(), paths...).Files() {
		files = append(files, f)
	}
	return files
}
