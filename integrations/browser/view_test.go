package browser_test

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/stretchr/testify/assert"
)

// testView goes through a page as a user does, by keyboard and by mouse.
func testView(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := open(t, view(t, `<img src=x>"&.elf`, outputtest.HostileProgram(t, program)))
	value := func(expression string) string {
		t.Helper()
		return get(t, ctx, chromedp.Evaluate[string](expression))
	}
	ready := chromedp.WaitReady(chromedp.CSS("html[data-ready]"))
	do(t, ctx, chromedp.Navigate(page), ready)
	assert.Equal(t, `<img src=x>"&.elf`, value(`document.querySelector("h1").textContent`))

	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "<B>\r"))
	assert.Equal(t, "<b>x", value(`document.getElementById("name").textContent`))
	assert.Equal(t, "<b>x", value(`document.querySelector("[role=option] span").textContent`))
	assert.Regexp(t, `^1 of \d+ functions$`, value(`document.getElementById("count").textContent`))
	assert.Equal(t, "list", value(`document.activeElement.id`))
	assert.Contains(t, value(`document.getElementById("frame").textContent`), "rsp return address")

	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#list"), "\r"), chromedp.KeyEvent(kb.ArrowDown))
	assert.Equal(t, "3", value(`document.activeElement.getAttribute("aria-rowindex")`), "Enter leads to the first FRE, the arrow to the next one")
	fragment := value("location.hash")
	assert.Regexp(t, `^#q=%3CB%3E&f=\d+&r=\d+&b=0x[0-9a-f]+$`, fragment)
	owner := value(`document.getElementById("owner").textContent`)
	assert.Contains(t, owner, "start of FRE ")
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+fragment), ready)
	assert.Equal(t, owner, value(`document.getElementById("owner").textContent`), "the address has the state of the page")

	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#hex"), "\r"))
	assert.Regexp(t, `^0x0: sfp_magic`, value(`{ document.getElementById("hex").dispatchEvent(new KeyboardEvent("keydown", {key: "Home"})); document.getElementById("owner").textContent }`))
	for _, x := range seen() {
		assert.Regexp(t, `^request: (about:blank|file:///)`, x)
	}
}

// testTwo goes from a link to an instruction, and to the same function of the other file.
func testTwo(t *testing.T, ctx context.Context) {
	ctx, seen := tab(t, ctx)
	page := open(t, twoFiles(t)) + "#m=new.elf&a=4001c6"
	value := func(expression string) string {
		t.Helper()
		return get(t, ctx, chromedp.Evaluate[string](expression))
	}
	picked := chromedp.WaitReady(chromedp.CSS("#codebox tr[aria-selected='true']"))
	do(t, ctx, chromedp.Navigate(page), picked)
	assert.Equal(t, "4001c4", value(`document.querySelector("#codebox tr[aria-selected='true']").pc`), "the instruction that contains the address")
	name, section := value(`document.getElementById("name").textContent`), value(`document.getElementById("section").value`)
	assert.Regexp(t, `^(Same|Differs) in the other file$`, value(`document.getElementById("other").textContent`))

	other := func() string { // presses the key, and waits until the page has the state of its new address
		t.Helper()
		before := value("document.documentElement.dataset.ready")
		do(t, ctx, chromedp.KeyEvent("o"))
		return get(t, ctx, chromedp.Evaluate[string](`new Promise(function (done) { (function look() {
			if (document.documentElement.dataset.ready === "`+before+`") { setTimeout(look, 20); return; }
			done(document.getElementById("name").textContent + " " + document.getElementById("section").value);
		})(); })`, chromedp.EvalAwaitPromise))
	}
	assert.Equal(t, name+" "+map[string]string{"0": "1", "1": "0"}[section], other())
	assert.Equal(t, name+" "+section, other(), "and back")

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
	page := open(t, coded(t, "lines/linked.elf", table.Selection{}))
	value := func(expression string) string {
		t.Helper()
		return get(t, ctx, chromedp.Evaluate[string](expression))
	}
	ready := chromedp.WaitReady(chromedp.CSS("#codebox tr[aria-selected]"))
	do(t, ctx, chromedp.Navigate(page), ready)
	assert.Contains(t, value(`document.getElementById("codebox").textContent`), "SF3114 error")
	assert.Equal(t, "400145 400148 40014c 40014d", value(`Array.from(document.querySelectorAll("#codebox tr.differs")).map(e => e.pc).join(" ")`))

	// The picture and the FRE follow the instruction, and the fragment has it.
	do(t, ctx, chromedp.Click(chromedp.CSS("#codebox tr.differs td")))
	assert.Contains(t, value("location.hash"), "p=400145")
	assert.Equal(t, "2", value(`document.querySelector("#rowbox tr[aria-selected=true]").getAttribute("aria-rowindex")-1+""`))
	assert.Contains(t, value(`document.getElementById("frame").textContent`), "rsp+24")
	fragment := value("location.hash")

	// Keys: the next difference, and the bytes of its finding.
	value(`document.querySelector("#codebox tr[aria-selected=true]").focus(), ""`)
	do(t, ctx, chromedp.KeyEvent("n"))
	assert.Contains(t, value("location.hash"), "p=400148")
	do(t, ctx, chromedp.Click(chromedp.CSS("#codebox tr.finding button")))
	assert.Contains(t, value(`document.getElementById("owner").textContent`), "FRE 1 of FDE 0")

	// The filter, and a link to the next finding.
	value(`{ const e = document.getElementById("only"); e.value = "f"; e.dispatchEvent(new Event("input", {bubbles: true})); "" }`)
	assert.Regexp(t, `^\d of 6 functions$`, value(`document.getElementById("count").textContent`))
	assert.Equal(t, "5 findings on code", value(`document.querySelector("#findings summary").textContent`))

	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+fragment), ready)
	assert.Equal(t, "400145", value(`document.querySelector("#codebox tr[aria-selected=true]").pc`), "the address has the instruction")
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#f=0&p=400145"), chromedp.WaitReady(chromedp.CSS("#codebox tr.inrow")))
	assert.Contains(t, value(`document.getElementById("frame").textContent`), "rsp+24", "a link to an instruction shows its FRE")
	// On a phone, the text of a finding is as wide as the screen, whatever the table's width is.
	do(t, ctx, chromedp.EmulateViewport(390, 900))
	assert.Less(t, get(t, ctx, chromedp.Evaluate[float64](`Math.max(...Array.from(document.querySelectorAll("#codebox tr.finding div")).map(e => e.getBoundingClientRect().right))`)), 390.0)
	do(t, ctx, chromedp.EmulateViewport(1200, 900))
	// A byte under the pointer marks its field.
	assert.Equal(t, "true", value(`document.getElementById("fields").open = true, document.querySelector("#fieldbox tr:nth-child(2)").dispatchEvent(new MouseEvent("mouseover", {bubbles: true})), String(document.querySelectorAll("#hex i.hover").length > 0)`))
	for _, s := range seen() {
		assert.Regexp(t, `^request: (file:|about:|data:)`, s)
	}
}
