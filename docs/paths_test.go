package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
)

// quoted is a path in Markdown, as in `rules/catalogue` or `internal/tool/config/parse.go`.
var quoted = regexp.MustCompile("`([a-z]+/[A-Za-z0-9_./-]*)`")

// link is a link of Markdown to a file, to a part of one, or to both.
var link = regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)

// Links of all pages lead to files and headings that are there.
func TestLinksLeadToFiles(t *testing.T) {
	out := must.Get(exec.Command("git", "ls-files", "--full-name", "..", ":(exclude)*/testdata/*").Output())(t)
	found, headings := 0, map[string][]string{}
	for file := range strings.Lines(string(out)) {
		page := filepath.Join("..", strings.TrimSpace(file))
		if filepath.Ext(page) != ".md" {
			continue
		}
		text := must.Get(os.ReadFile(page))(t)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if m[1] == "man" || m[0] == "]()" {
				continue // a release has it
			}
			found++
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			}
			_, err := os.Stat(to)
			if assert.NoError(t, err, "%s links to %s", page, m[1]) && m[2] != "" && filepath.Ext(to) == ".md" {
				if headings[to] == nil {
					headings[to] = headingsOf(t, to)
				}
				assert.Contains(t, headings[to], m[2], "%s links to it in %s", page, to)
			}
		}
	}
	assert.Greater(t, found, 500)
}

// heading is one of Markdown, and notInAnchor what its anchor leaves out.
var (
	heading     = regexp.MustCompile("(?m)^#+ (.*)$|^```(?s:.*?)^```")
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// headingsOf returns the anchors of the headings of a page.
func headingsOf(t *testing.T, page string) (all []string) {
	text := must.Get(os.ReadFile(page))(t)
	times := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		anchor := strings.ReplaceAll(strings.ToLower(notInAnchor.ReplaceAllString(m[1], "")), " ", "-")
		if times[anchor]++; times[anchor] > 1 {
			anchor += "-" + strconv.Itoa(times[anchor]-1)
		}
		all = append(all, anchor)
	}
	return all
}

// Paths below the folders of this repository that pages name are there.
func TestPathsExist(t *testing.T) {
	pages := must.Get(filepath.Glob("*.md"))(t)
	found := 0
	for _, page := range append(pages, "../README.md", "../CONTRIBUTING.md", "../SECURITY.md") {
		text := must.Get(os.ReadFile(page))(t)
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			top, _, _ := strings.Cut(m[1], "/")
			if _, err := os.Stat(filepath.Join("..", top, "")); err != nil || strings.Contains(m[1], "...") {
				continue // a path of another project
			}
			found++
			_, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[1])))
			assert.NoError(t, err, "%s names %s", page, m[1])
		}
	}
	assert.Greater(t, found, 50)
}
