package browser_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
)

// TestInBrowser opens pages in one browser without a window, each in a tab.
func TestInBrowser(t *testing.T) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && path == "" {
			path = p
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1200, 900), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	require.NoError(t, chromedp.Do(ctx)) // starts it
	t.Run("filters", func(t *testing.T) { testFilters(t, ctx) })
	t.Run("folds", func(t *testing.T) { testFolds(t, ctx) })
	t.Run("phone", func(t *testing.T) { testPhone(t, ctx) })
	t.Run("print", func(t *testing.T) { testPrint(t, ctx) })
	t.Run("hostile names", func(t *testing.T) { testHostileNames(t, ctx) })
	t.Run("policy", func(t *testing.T) { testPolicy(t, ctx) })
	t.Run("view", func(t *testing.T) { testView(t, ctx) })
	t.Run("code", func(t *testing.T) { testCode(t, ctx) })
	t.Run("two", func(t *testing.T) { testTwo(t, ctx) })
	t.Run("accessible", func(t *testing.T) { testAccessible(t, ctx) })
	t.Run("without scripts", func(t *testing.T) { testWithoutScripts(t, ctx) })
}

// do runs actions.
func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx, actions...))
}

// tab opens a tab, which ends after two minutes, and gathers what it complains of and asks for.
func tab(t *testing.T, ctx context.Context) (context.Context, func() []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	var mu sync.Mutex
	var seen []string
	require.NoError(t, chromedp.Listen(ctx, func(ev any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			seen = append(seen, "exception: "+e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			seen = append(seen, "log: "+e.Entry.Text)
		case *network.EventRequestWillBeSent:
			seen = append(seen, "request: "+e.Request.URL)
		}
	}))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

// get runs an action for its value.
func get[T any](t *testing.T, ctx context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, a)
	require.NoError(t, err)
	return v
}

// open writes a page and returns its URL.
func open(t *testing.T, page string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(page), 0o666))
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// visible lists the findings that can be seen, by severity and rule.
const visible = `Array.from(document.querySelectorAll(".finding")).filter(e => e.checkVisibility())
	.map(e => e.dataset.level + " " + e.dataset.rule).join(", ")`

// put sets a control of the filter as a user does.
func put(name, v string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[bool](`{ const e = document.forms.filter.elements["`+name+`"]; e.value = "`+v+`";
			e.dispatchEvent(new Event("input", {bubbles: true})) }`)(ctx, target)
		return chromedp.Void{}, err
	}
}

func testFilters(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	files := outputtest.Files()
	first := &files[0].Objects[0]
	first.Findings[0].Listing = outputtest.Listing()
	page := open(t, render(t, files))

	after := func(actions ...chromedp.Action[chromedp.Void]) string {
		t.Helper()
		do(t, ctx, actions...)
		return get(t, ctx, chromedp.Evaluate[string](visible)) + "; " +
			get(t, ctx, chromedp.Evaluate[string](`document.forms.filter.elements.shown.value`))
	}
	click := func(level string) chromedp.Action[chromedp.Void] {
		return chromedp.Click(chromedp.CSS(`input[value="` + level + `"]`))
	}
	all := "error SF1003, error SF5001, warning SF2004, warning SF2004, note SF5001; "
	assert.Equal(t, all, after(chromedp.Navigate(page)))
	assert.Equal(t, "warning SF2004, warning SF2004, note SF5001; 3 of 5", after(click("error")))
	assert.Equal(t, "note SF5001; 1 of 5", after(click("warning")))
	assert.Equal(t, all, after(click("error"), click("warning")))
	assert.Equal(t, "error SF5001, note SF5001; 2 of 5", after(put("rule", "SF5001")))
	assert.Equal(t, "error SF5001; 1 of 5", after(chromedp.SendKeys(chromedp.CSS(`input[name="text"]`), "Z.O  damaged")))
	assert.Equal(t, "2 errors, lib.a(z.o)", get(t, ctx, chromedp.Evaluate[string](
		`Array.from(document.querySelectorAll(".gravity > h2, .path")).filter(e => e.checkVisibility()).map(e => e.textContent).join(", ")`)),
		"headings without findings are gone")
	assert.Equal(t, "; 0 of 5", after(put("text", "no such thing")))
	assert.Equal(t, "Nothing matches.", get(t, ctx, chromedp.Text(chromedp.CSS("#nothing"))))
	assert.Equal(t, all, after(put("text", ""), put("rule", "")))

	do(t, ctx, chromedp.Click(chromedp.CSS("#SF1003 > summary")))
	assert.Equal(t, "error SF1003; 1 of 5", after(put("rule", "SF1003")))
	fragment := get(t, ctx, chromedp.Evaluate[string](`location.hash`))
	assert.Equal(t, "#rule=SF1003&x=SF1003", fragment)
	assert.Equal(t, all, after(put("rule", "")))
	assert.Equal(t, "error SF1003; 1 of 5", after(chromedp.Navigate("about:blank"), chromedp.Navigate(page+fragment)), "the address has the state of the page")
	assert.True(t, get(t, ctx, chromedp.Evaluate[bool](`document.getElementById("SF1003").open`)))
	assert.Equal(t, all, after(chromedp.Click(chromedp.CSS(`button[name="everything"]`))))

	assert.Equal(t, "0002  07     sfp_version = 7, unknown", get(t, ctx, chromedp.Text(chromedp.CSS("mark"))))
	link := get(t, ctx, chromedp.AttributeValue(chromedp.CSS("#SF1003 > p:last-child a"), "href")).Value
	assert.True(t, strings.HasSuffix(link, "rules/internal/header/SF1003.md"), link)
	do(t, ctx, chromedp.EmulateViewport(360, 700, chromedp.EmulateMobile))
	width := get(t, ctx, chromedp.Evaluate[[]int64](`[document.documentElement.scrollWidth, window.innerWidth]`))
	assert.LessOrEqual(t, width[0], int64(360), "the page is no wider than a phone")
	for _, x := range seen() {
		assert.Contains(t, []string{"request: " + page, "request: about:blank"}, strings.TrimSuffix(x, fragment))
	}
}

// Names that want to be markup stay names.
func testHostileNames(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := open(t, render(t, outputtest.Hostile()))
	do(t, ctx, chromedp.Navigate(page))
	assert.Equal(t, "sframe-lint: 1 error, 0 warnings, 0 notes", get(t, ctx, chromedp.Title()))
	assert.Equal(t, 1, get(t, ctx, chromedp.Evaluate[int](`document.images.length + document.scripts.length`)), "the one script is ours")
	message := get(t, ctx, chromedp.Text(chromedp.CSS(".message")))
	assert.True(t, strings.HasPrefix(message, `"><script>document.title="owned"</script>`), message)
	assert.Equal(t, []string{"request: " + page}, seen())
}

// The policy in the page is in force: what is not ours does not run.
func testPolicy(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := strings.Replace(render(t, outputtest.Files()), "<main>", `<main><script>document.title = "owned"</script><p id="p" onclick="">`, 1)
	do(t, ctx, chromedp.Navigate(open(t, page)))
	assert.NotEqual(t, "owned", get(t, ctx, chromedp.Title()))
	assert.Contains(t, strings.Join(seen(), "\n"), "Content Security Policy")
}

// Without scripts the page shows all there is, and no controls.
func testWithoutScripts(t *testing.T, ctx context.Context) {
	ctx, _ = tab(t, ctx)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	do(t, ctx, chromedp.Navigate(open(t, render(t, outputtest.Files()))))
	assert.Equal(t, 5, len(strings.Split(get(t, ctx, chromedp.Evaluate[string](visible)), ", ")))
	assert.False(t, get(t, ctx, chromedp.Evaluate[bool](`document.getElementById("filter").checkVisibility()`)))
}
