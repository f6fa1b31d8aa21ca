package html

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/dump/table"
	"github.com/sframe-lint/sframe-lint/internal/testkit/escapetest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/sample"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

const program = "../../corpus/files/binutils-2.47/amd64/program.elf"

// view returns the page of a file.
func view(t *testing.T, name string, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	v := NewView(&b, tool, name, nil)
	require.NoError(t, reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if err := v.Section(o, s); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, v.Close())
	return b.String()
}

// hostileProgram is a program with a function that is called like markup.
func hostileProgram(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	require.Contains(t, string(data), "\x00main\x00")
	return bytes.Replace(data, []byte("\x00main\x00"), []byte("\x00<b>x\x00"), 1)
}

// testView goes through a page as a user does, by keyboard and by mouse.
func testView(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := open(t, view(t, `<img src=x>"&.elf`, hostileProgram(t)))
	value := func(expression string) string {
		t.Helper()
		return get(t, ctx, chromedp.Evaluate[string](expression))
	}
	ready := chromedp.WaitReady(chromedp.CSS("html[data-ready]"))
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(page), ready))
	assert.Equal(t, `<img src=x>"&.elf`, value(`document.querySelector("h1").textContent`))

	require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#q"), "<B>\r")))
	assert.Equal(t, "<b>x", value(`document.getElementById("name").textContent`))
	assert.Equal(t, "<b>x", value(`document.querySelector("[role=option] span").textContent`))
	assert.Regexp(t, `^1 of \d+ functions$`, value(`document.getElementById("count").textContent`))
	assert.Equal(t, "list", value(`document.activeElement.id`))
	assert.Contains(t, value(`document.getElementById("frame").textContent`), "rsp return address")

	require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#list"), "\r"), chromedp.KeyEvent(kb.ArrowDown)))
	assert.Equal(t, "3", value(`document.activeElement.getAttribute("aria-rowindex")`), "Enter leads to the first FRE, the arrow to the next one")
	fragment := value("location.hash")
	assert.Regexp(t, `^#q=%3CB%3E&f=\d+&r=\d+&b=0x[0-9a-f]+$`, fragment)
	owner := value(`document.getElementById("owner").textContent`)
	assert.Contains(t, owner, "start of FRE ")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+fragment), ready))
	assert.Equal(t, owner, value(`document.getElementById("owner").textContent`), "the address has the state of the page")

	require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#hex"), "\r")))
	assert.Regexp(t, `^0x0: sfp_magic`, value(`{ document.getElementById("hex").dispatchEvent(new KeyboardEvent("keydown", {key: "Home"})); document.getElementById("owner").textContent }`))
	for _, x := range seen() {
		assert.Regexp(t, `^request: (about:blank|file:///)`, x)
	}
}

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
	code := axe(t)
	ctx, _ = tab(t, ctx)
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	for name, page := range map[string]string{
		"report":   open(t, render(t, append(sample.Files(), hostile()...))),
		"findings": open(t, render(t, checked(t, "../../corpus/files/wrong-cfi", "../../corpus/files/cfi"))),
		"folded":   open(t, render(t, many(60, 3))),
		"view":     open(t, view(t, "program", data)) + "#f=1&r=0",
		"code":     open(t, coded(t, "lines/linked.elf", table.Options{})) + "#f=0&r=1&p=400145",
		"two":      open(t, twoFiles(t)),
		"damaged":  open(t, view(t, "program", damaged(t))),
		"run":      open(t, runPage(t, hostileRun())),
		"sizes":    open(t, sizesPage(t)),
	} {
		for _, mode := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 390} {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: mode}}})
				require.NoError(t, err)
				require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(page)))
				if name == "view" || name == "damaged" {
					require.NoError(t, chromedp.Do(ctx, chromedp.WaitReady(chromedp.CSS("html[data-ready]"))))
				}
				if name == "code" || name == "two" {
					require.NoError(t, chromedp.Do(ctx, chromedp.WaitReady(chromedp.CSS("#codebox tr[aria-selected='true']"))))
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
	l, err := lint.New(lint.Options{Excerpts: true})
	require.NoError(t, err)
	for f := range l.Run(t.Context(), paths...).Files() {
		files = append(files, f)
	}
	return files
}

func damaged(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../../corpus/files/hand/v3-amd64-truncated-fre.sframe")
	require.NoError(t, err)
	return data
}

// TestViewOfAnything: whatever the bytes, the page is whole, and has no markup of theirs.
func TestViewOfAnything(t *testing.T) {
	for _, x := range []struct {
		name string
		data []byte
	}{{`</template><script>alert(1)</script>`, damaged(t)}, {"::error::x\x1b", hostileProgram(t)}} {
		page := view(t, x.name, x.data)
		assert.True(t, strings.HasSuffix(page, "</body>\n</html>\n"))
		assert.Equal(t, 1, strings.Count(page, "<script"))
		assert.Equal(t, 1, strings.Count(page, `<template class="data"`))
		assert.Equal(t, strings.Count(page, "<template"), strings.Count(page, "</template>"))
		assert.NoError(t, escapetest.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")))
		for _, s := range []string{"src=", "<link", "@import", "url(", "fetch("} {
			assert.NotContains(t, strings.ReplaceAll(page, "<img src=", ""), s)
		}
	}
}

// FuzzView writes the page of any bytes.
func FuzzView(f *testing.F) {
	for _, path := range []string{program, "../../corpus/files/hand/v3-amd64-truncated-fre.sframe", "../../corpus/files/hand/v3-amd64.sframe"} {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(path, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		var b bytes.Buffer
		v := NewView(&b, tool, name, nil)
		_ = reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				if err := v.Section(o, s); err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, v.Close())
		page := b.String()
		require.Equal(t, 1, strings.Count(page, "<script"))
		require.Equal(t, strings.Count(page, "<template"), strings.Count(page, "</template>"))
		require.NoError(t, escapetest.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")))
	})
}

// A page beyond its budget is an error.
func TestViewBudget(t *testing.T) {
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	v := NewView(new(bytes.Buffer), tool, "x", budget.New(t.Context(), budget.Limits{budget.Output: 1000}))
	_ = reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error { return v.Section(o, o.SFrames[0]) })
	var over *budget.Exceeded
	require.ErrorAs(t, v.Close(), &over)
}

// coded returns the page of a file with its instructions.
func coded(t *testing.T, path string, opts table.Options) string {
	t.Helper()
	var b bytes.Buffer
	v := NewView(&b, tool, path, nil)
	addCode(t, v, path, opts)
	require.NoError(t, v.Close())
	return b.String()
}

// addCode adds a file with its instructions to a page.
func addCode(t *testing.T, v *View, path string, opts table.Options) {
	t.Helper()
	require.NoError(t, reader.Scan("../../corpus/files/"+path, reader.Options{}, func(o *reader.Object) error {
		opts.CFI = true
		opts.Findings = (&rules.Driver{Rules: catalogue.Default()}).Run(o).Findings
		x, err := table.Open(o, opts)
		require.NoError(t, err)
		require.NoError(t, v.Code(x, opts.Func != ""))
		for _, s := range o.SFrames {
			require.NoError(t, v.Section(o, s))
		}
		return nil
	}))
}

// twoFiles returns the page of two files, with the backtrace of a thread in the first one.
func twoFiles(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	v := NewView(&b, tool, "two", nil)
	v.Threads([]Thread{{ID: 7, End: "it <ends>", Frames: []Frame{
		{Name: "<b>", File: "new.elf", Addr: 0x4001c6, Text: "CFA rsp+8\nRA *(CFA-8)"}, {Name: "0x7fff"},
	}}})
	for name, path := range map[string]string{"old.elf": "binutils-2.44/amd64/program.elf", "new.elf": "binutils-2.47/amd64/program.elf"} {
		v.File(name)
		addCode(t, v, path, table.Options{})
	}
	require.NoError(t, v.Close())
	return b.String()
}

// testTwo goes from a frame of a backtrace to its instruction, and to the same function of the other file.
func testTwo(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := open(t, twoFiles(t))
	value := func(expression string) string {
		t.Helper()
		return get(t, ctx, chromedp.Evaluate[string](expression))
	}
	picked := chromedp.WaitReady(chromedp.CSS("#codebox tr[aria-selected='true']"))
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(page), picked))
	assert.Equal(t, "<b>", value(`document.querySelector(".threads a[aria-current]").textContent`), "the topmost frame")
	assert.Equal(t, "4001c4", value(`document.querySelector("#codebox tr[aria-selected='true']").pc`), "the instruction that contains the address")
	name, section := value(`document.getElementById("name").textContent`), value(`document.getElementById("section").value`)
	assert.Regexp(t, `^(Same|Differs) in the other file$`, value(`document.getElementById("other").textContent`))

	require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("o"), chromedp.WaitReady(chromedp.CSS("html"))))
	moved := `new Promise(function (done) { setTimeout(function () { done(document.getElementById("name").textContent + " " + document.getElementById("section").value); }, 300); })`
	other := get(t, ctx, chromedp.Evaluate[string](moved, chromedp.EvalAwaitPromise))
	assert.Equal(t, name+" "+map[string]string{"0": "1", "1": "0"}[section], other)
	require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("o")))
	assert.Equal(t, name+" "+section, get(t, ctx, chromedp.Evaluate[string](moved, chromedp.EvalAwaitPromise)), "and back")

	count := func(filter string) string {
		return value(`{ var e = document.getElementById("only"); e.value = "` + filter + `"; e.dispatchEvent(new Event("input", {bubbles: true})); document.getElementById("count").textContent }`)
	}
	assert.Regexp(t, `^\d+ of \d+ functions$`, count("x"))
	assert.NotEqual(t, count("x"), count(""))
	for _, x := range seen() {
		assert.Regexp(t, `^request: (about:blank|file:///)`, x)
	}
}

// testCode goes through the instructions of a page.
func testCode(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := open(t, coded(t, "lines/linked.elf", table.Options{}))
	value := func(expression string) string {
		t.Helper()
		return get(t, ctx, chromedp.Evaluate[string](expression))
	}
	ready := chromedp.WaitReady(chromedp.CSS("#codebox tr[aria-selected]"))
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(page), ready))
	assert.Contains(t, value(`document.getElementById("codebox").textContent`), "SF3114 error")
	assert.Equal(t, "400145 400148 40014c 40014d", value(`Array.from(document.querySelectorAll("#codebox tr.differs")).map(e => e.pc).join(" ")`))

	// The picture and the FRE follow the instruction, and the fragment has it.
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#codebox tr.differs td"))))
	assert.Contains(t, value("location.hash"), "p=400145")
	assert.Equal(t, "2", value(`document.querySelector("#rowbox tr[aria-selected=true]").getAttribute("aria-rowindex")-1+""`))
	assert.Contains(t, value(`document.getElementById("frame").textContent`), "rsp+24")
	fragment := value("location.hash")

	// Keys: the next difference, and the bytes of its finding.
	value(`document.querySelector("#codebox tr[aria-selected=true]").focus(), ""`)
	require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("n")))
	assert.Contains(t, value("location.hash"), "p=400148")
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#codebox tr.finding button"))))
	assert.Contains(t, value(`document.getElementById("owner").textContent`), "FRE 1 of FDE 0")

	// The filter, and a link to the next finding.
	value(`{ const e = document.getElementById("only"); e.value = "f"; e.dispatchEvent(new Event("input", {bubbles: true})); "" }`)
	assert.Regexp(t, `^\d of 6 functions$`, value(`document.getElementById("count").textContent`))
	assert.Equal(t, "5 findings on code", value(`document.querySelector("#findings summary").textContent`))

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+fragment), ready))
	assert.Equal(t, "400145", value(`document.querySelector("#codebox tr[aria-selected=true]").pc`), "the address has the instruction")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#f=0&p=400145"), chromedp.WaitReady(chromedp.CSS("#codebox tr.inrow"))))
	assert.Contains(t, value(`document.getElementById("frame").textContent`), "rsp+24", "a link to an instruction shows its FRE")
	// A byte under the pointer marks its field.
	assert.Equal(t, "true", value(`document.getElementById("fields").open = true, document.querySelector("#fieldbox tr:nth-child(2)").dispatchEvent(new MouseEvent("mouseover", {bubbles: true})), String(document.querySelectorAll("#hex i.hover").length > 0)`))
	for _, s := range seen() {
		assert.Regexp(t, `^request: (file:|about:|data:)`, s)
	}
}

// TestStubNames: an FDE of a stub, which no symbol names, has the name that dump prints.
func TestStubNames(t *testing.T) {
	var names []string
	require.NoError(t, reader.Scan("../../corpus/files/binutils-2.47/amd64/pie.elf", reader.Options{}, func(o *reader.Object) error {
		x, err := table.Open(o, table.Options{})
		require.NoError(t, err)
		v := NewView(new(bytes.Buffer), tool, "pie.elf", nil)
		require.NoError(t, v.Code(x, false))
		d := newSectionData(o, o.SFrames[0], ".sframe")
		d.list(v.listing)
		i := 0
		for f := range o.SFrames[0].Section.FDEs() {
			names = append(names, d.nameOf(i, f))
			i++
		}
		return nil
	}))
	assert.Equal(t, []string{".plt", "provided@plt", "main", "leaf", "framed", "pushes", "roomy", "vast"}, names)
}

// TestStaticFunction: the instructions of one function are in the page without a script.
func TestStaticFunction(t *testing.T) {
	page := coded(t, "lines/linked.elf", table.Options{Func: "frame"})
	_, static, ok := strings.Cut(page, `<noscript><section class="static">`)
	require.True(t, ok)
	static, _, _ = strings.Cut(static, "</noscript>")
	assert.Contains(t, static, "<td>400145</td><td>48 89 e5</td><td>mov %rsp,%rbp</td><td>rsp+24 c-8 c-16</td>")
	assert.Contains(t, static, "SF3114")
	assert.Equal(t, 1, strings.Count(page, "<noscript><section"))
}
