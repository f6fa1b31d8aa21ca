package asm_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestPage assembles the examples of the page on the language. The first one is a valid section.
func TestPage(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/asm.md"))(t)
	examples := regexp.MustCompile("(?s)```sfs\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(examples), 5)
	for i, e := range examples {
		out, err := asm.Assemble([]byte(e[1]), asm.Options{})
		require.NoError(t, err, e[1])
		_, faults := reader.DecodeSection(out.Section, reader.SectionOptions{Addr: out.Addr})
		assert.True(t, i != 0 || len(faults) == 0)
	}
	for _, name := range asm.Directives() {
		assert.Regexp(t, regexp.QuoteMeta(name)+`\b`, string(page))
	}
}

// TestHighlighting: the grammar for editors has all directives.
func TestHighlighting(t *testing.T) {
	grammar := must.Get(os.ReadFile("../../../integrations/editors/sframe.tmLanguage.json"))(t)
	for _, name := range asm.Directives() {
		assert.Regexp(t, `[(|]`+strings.TrimPrefix(name, ".")+`[)|]`, string(grammar))
	}
}
