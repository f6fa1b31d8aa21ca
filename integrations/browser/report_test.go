package browser_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A large report is a few screens long, its links open what is folded, and a filter that leaves
// few findings shows them.
func testFolds(t *testing.T, ctx context.Context) {
	ctx, _ = tab(t, ctx)
	page := open(t, render(t, outputtest.Many(600, 3)))
	height := func() int64 { return get(t, ctx, chromedp.Evaluate[int64](`document.documentElement.scrollHeight`)) }
	for _, width := range []int64{1280, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(page))
		assert.Less(t, height(), int64(2500), width)
		do(t, ctx, chromedp.Click(chromedp.CSS("#error-SF1003 > summary")))
		assert.Less(t, height(), int64(8000), "an open rule shows some functions at %d", width)
		assert.LessOrEqual(t, get(t, ctx, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)), width)
	}
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page), chromedp.Click(chromedp.CSS(`.overview a[href="#f4"]`)))
	assert.Equal(t, "error SF1003, error SF1003, error SF1003, warning SF2004", get(t, ctx, chromedp.Evaluate[string](visible)))
	assert.Contains(t, get(t, ctx, chromedp.Text(chromedp.CSS(".finding.here"))), `"function_1"`)

	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page), chromedp.SendKeys(chromedp.CSS(`input[name="text"]`), "function_577"))
	assert.Equal(t, "error SF1003, error SF1003, error SF1003", get(t, ctx, chromedp.Evaluate[string](visible)))
	do(t, ctx, chromedp.Click(chromedp.CSS(`button[name="everything"]`)))
	assert.Equal(t, "warning SF2004", get(t, ctx, chromedp.Evaluate[string](visible)), "folded again")
}

// testPhone: on a phone, nothing of a picture of three sides is cut.
func testPhone(t *testing.T, ctx context.Context) {
	ctx, _ = tab(t, ctx)
	files, frame := outputtest.Files(), &rules.Frame{ABI: model.SFRAME_ABI_AMD64_ENDIAN_LITTLE}
	saved := func(off int64) model.Recovery { return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off} }
	for i, source := range []string{"SFrame", "code", "CFI"} {
		frame.Sides = append(frame.Sides, rules.Side{Source: source, Row: model.Row{
			CFA: model.Recovery{Kind: model.InRegister, Reg: 7, Offset: int64(24 + 8*i)}, RA: saved(-8), FP: saved(-16)}})
	}
	files[0].Objects[0].Findings[0].Frame = frame
	do(t, ctx, chromedp.EmulateViewport(390, 900), chromedp.Navigate(open(t, render(t, files))))
	assert.Less(t, get(t, ctx, chromedp.Evaluate[float64](`Math.max(...Array.from(document.querySelectorAll(".stack td")).map(e => e.getBoundingClientRect().right))`)), 390.0)
}

// On paper, folded rules are open, and a folded function is a line with its message.
func testPrint(t *testing.T, ctx context.Context) {
	ctx, _ = tab(t, ctx)
	do(t, ctx, chromedp.Navigate(open(t, render(t, outputtest.Many(60, 3)))))
	unfolded := func() string {
		return get(t, ctx, chromedp.Evaluate[string](`["group", "file", "function", "rest"].map(c => c + " " + Array.from(document.querySelectorAll(".gravity." + c + ", .gravity ." + c))
			.filter(e => getComputedStyle(e, "::details-content").contentVisibility === "visible").length).join(", ")`))
	}
	if !get(t, ctx, chromedp.Evaluate[bool](`CSS.supports("selector(::details-content)")`)) {
		t.Skip("the browser is too old to open folded parts by a style")
	}
	assert.Equal(t, "group 1, file 2, function 0, rest 0", unfolded())
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	require.NoError(t, err)
	assert.Equal(t, "group 2, file 2, function 0, rest 0", unfolded())
	assert.Equal(t, "none", get(t, ctx, chromedp.Evaluate[string](`getComputedStyle(document.getElementById("filter")).display`)))
	assert.Equal(t, "rgb(255, 255, 255)", get(t, ctx, chromedp.Evaluate[string](`getComputedStyle(document.body).backgroundColor`)), "paper is white in dark mode, too")
}
