package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
)

func TestBar(t *testing.T) {
	miss := func(why coverage.Why, n uint64) coverage.Reason {
		return coverage.Reason{Reason: why, Functions: 1, Bytes: n}
	}
	rect := func(class string, x, width int) string {
		return fmt.Sprintf(`<rect class="%s" x="%d" width="%d" height="10"/>`, class, x, width)
	}
	for _, x := range []struct {
		covered uint64
		missing []coverage.Reason
		want    string
		says    string
	}{
		{90, []coverage.Reason{miss(coverage.OnlyCFI, 6), miss(coverage.Stub, 4)}, rect("covered", 0, 900) + rect("only-cfi", 900, 60) + rect("stub", 960, 40),
			"covered: 90 bytes; CFI, but no FDE: 6 bytes; stubs of a PLT: 4 bytes"},
		{1e6, []coverage.Reason{miss(coverage.NoCFI, 1)}, rect("covered", 0, 999) + rect("no-cfi", 999, 1), "covered: 1000000 bytes; no CFI: 1 byte"},
		{1, []coverage.Reason{miss(coverage.NoCFI, 1e6)}, rect("covered", 0, 3) + rect("no-cfi", 3, 997), "covered: 1 byte; no CFI: 1000000 bytes"},
		{5, nil, rect("covered", 0, 1000), "covered: 5 bytes"},
		{0, nil, "", "no bytes"},
	} {
		svg := shares(x.covered, x.missing)
		_, svg, _ = strings.Cut(svg, "<title>")
		title, rects, _ := strings.Cut(strings.TrimSuffix(svg, "</svg>"), "</title>")
		assert.Equal(t, x.want, rects)
		assert.Equal(t, x.says, title)
	}
}

// TestCoverage: a page shows the inputs that miss most, and counts all. Without
// coverage it has nothing about it.
func TestCoverage(t *testing.T) {
	assert.NotContains(t, render(t, []*lint.File{{Path: "a", Objects: []lint.Object{{}}}}), "Coverage")
	var files []*lint.File
	for i := range 3*maxCovered + 7 {
		n := uint64(i * 7919 % 307)
		f := &coverage.File{Path: fmt.Sprintf("f%d.o", n), Share: coverage.Share{Functions: 2, CoveredFunctions: 1, Bytes: 1000, CoveredBytes: 1000 - n},
			Missing: []coverage.Reason{{Reason: coverage.NoCFI, Functions: 1, Bytes: n}}, Gaps: []coverage.Gap{{Section: ".text", Size: 500, Bytes: n, Reason: coverage.NoCFI}}}
		files = append(files, &lint.File{Path: f.Path, Objects: []lint.Object{{Coverage: f}}})
	}
	page := render(t, files)
	assert.Contains(t, page, "307 inputs: FDEs cover 307 of 614 functions (50.0%), 260029 of 307000 bytes (84.7%).")
	assert.Contains(t, page, "and 207 more inputs of which less is missing")
	for n := range 307 {
		assert.Equal(t, n >= 207, strings.Contains(page, fmt.Sprintf(">f%d.o<", n)), n)
	}
	assert.Less(t, strings.Index(page, ">f306.o<"), strings.Index(page, ">f207.o<"))
}
