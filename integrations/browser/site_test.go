package browser_test

import (
	"html"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	siteLink  = regexp.MustCompile(`<a [^>]*href="?([^" >]+)"?[^>]*>(.*?)</a>`)
	siteID    = regexp.MustCompile(` id="?([^" >]+)`)
	siteTitle = regexp.MustCompile(`<title>([^<]*)</title>`)
	siteTag   = regexp.MustCompile(`<[^>]*>`)
)

// TestSite follows the links of the site in the directory SFRAME_SITE, which scripts/site has built:
// none is broken, and two clicks lead from the first page to each other one.
func TestSite(t *testing.T) {
	root := os.Getenv("SFRAME_SITE")
	if root == "" {
		t.Skip("SFRAME_SITE names no site")
	}
	pages := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		rel, err := filepath.Rel(root, name)
		require.NoError(t, err)
		text, err := os.ReadFile(name)
		pages[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	index, err := os.ReadFile(filepath.Join(root, "search-index.js"))
	require.NoError(t, err)
	ids := map[string]map[string]bool{}
	for name, text := range pages {
		ids[name] = map[string]bool{}
		for _, m := range siteID.FindAllStringSubmatch(text, -1) {
			ids[name][html.UnescapeString(m[1])] = true
		}
		title := siteTitle.FindStringSubmatch(text)
		require.NotNil(t, title, name)
		assert.NotContains(t, title[1], ".md", name)
		assert.Contains(t, string(index), `"url":"`+name+`"`, "the search finds every page")
		fix, example := strings.Index(text, ` id="fix"`), strings.Index(text, ` id="example"`)
		assert.False(t, fix > example && example > 0 && strings.HasPrefix(name, "rules/"), "%s has the example before the fix", name)
	}
	clicks := map[string]int{"index.html": 0}
	for queue := []string{"index.html"}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		for _, m := range siteLink.FindAllStringSubmatch(pages[from], -1) {
			to := html.UnescapeString(m[1])
			if strings.Contains(to, ":") {
				continue // another site
			}
			name := html.UnescapeString(siteTag.ReplaceAllString(m[2], ""))
			assert.False(t, strings.HasSuffix(name, ".md") && !strings.Contains(to, "://") && path.Base(from) != "changelog.html", "%s: the link %q names a file", from, name)
			to, fragment, _ := strings.Cut(to, "#")
			if to = path.Join(path.Dir(from), to); strings.HasSuffix(m[1], "#"+fragment) && strings.HasPrefix(m[1], "#") {
				to = from
			}
			if !assert.True(t, ids[to] != nil, "%s: the link %q leads nowhere", from, m[1]) {
				continue
			}
			assert.True(t, fragment == "" || ids[to][fragment], "%s: %s has no part %q", from, to, fragment)
			if _, ok := clicks[to]; !ok {
				clicks[to] = clicks[from] + 1
				queue = append(queue, to)
			}
		}
	}
	assert.Greater(t, len(pages), 200)
	searchSite(t, root)
	for name := range pages {
		n, ok := clicks[name]
		assert.True(t, ok && n <= 2, "%s: clicks from the first page: %d (reached: %v)", name, n, ok)
	}
}

// searchSite searches the site from the disk in a browser as narrow as a phone, if there is one.
func searchSite(t *testing.T, root string) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	page := (&url.URL{Scheme: "file", Path: filepath.Join(root, "rules", "SF3114.html")}).String()
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 800), chromedp.Navigate(page)))
	width, err := chromedp.Run(ctx, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`))
	require.NoError(t, err)
	assert.LessOrEqual(t, width, int64(390))
	for words, want := range map[string]string{
		"sf1003": "rules/SF1003.html", "unknown version": "rules/SF1003.html", "threat model": "security.html", "junit": "usage.html#junit", "xyzzy": "",
	} {
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page),
			chromedp.SendKeys(chromedp.CSS("#search input"), words), chromedp.WaitVisible(chromedp.CSS("#results"))))
		first, err := chromedp.Run(ctx, chromedp.Evaluate[string](`new Promise((done) => {
			const look = () => document.querySelector("#results p").textContent === "Loading" ? setTimeout(look, 10) : done(document.querySelector("#results a")?.href ?? "");
			look();
		})`, chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(first, want) && (want != "" || first == ""), "%s: %s", words, first)
	}
}
