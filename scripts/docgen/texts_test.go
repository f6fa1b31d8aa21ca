package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// somebody is a word for whoever reads the data, or does not cope with it.
var somebody = regexp.MustCompile(`(?i)\b(consumers?|readers?|unwinders?|tracers?|traces?|traced|linkers?|loader|tools?|profilers?|` +
	`Linux kernel|libsframe|objdump|glibc|LLVM|GNU ld|ld|mold|lld)\b`)

// TestTextsSayWhoIsHurt: a page says what is wrong, to whom it matters, and
// how to correct it, with an example of both.
func TestTextsSayWhoIsHurt(t *testing.T) {
	for _, r := range documented() {
		assert.Regexp(t, somebody, r.Text, "%s does not say to whom it matters", r.ID)
		assert.NotEmpty(t, r.Fix, r.ID)
		assert.NotEmpty(t, r.Good, r.ID)
		assert.NotEmpty(t, r.Bad, r.ID)
		assert.NotEqual(t, r.Good, r.Bad, r.ID)
	}
}

// TestTextsAreProse: no line of a text is by accident a list, a heading or
// code in Markdown.
func TestTextsAreProse(t *testing.T) {
	marker := regexp.MustCompile(`^(\d+[.)] |[-+*#>|] |#+ |    |\t)`)
	for _, r := range documented() {
		for _, text := range []string{r.Text, r.Fix} {
			assert.Regexp(t, `[.!?)]$`, strings.TrimSpace(text), "%s ends in the middle of a sentence", r.ID)
			for line := range strings.Lines(text) {
				assert.NotRegexp(t, marker, line, r.ID)
				assert.LessOrEqual(t, len(line), 125, "%s: %s", r.ID, line)
			}
		}
	}
}
