package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
)

// ofRelease matches what works only if there is a release.
var ofRelease = regexp.MustCompile(`@latest|sframe-lint@v1|rev: v|VERSION: latest`)

// Until the first release, pages say so beside what requires one.
func TestFirstRelease(t *testing.T) {
	changes := must.Get(os.ReadFile("../CHANGELOG.md"))(t)
	if !strings.Contains(string(changes), "## 1.0.0 (unreleased)") {
		t.Skip("there is a release")
	}
	for _, page := range []string{"../README.md", "start-ci.md", "../integrations/gitlab.yml"} {
		text := must.Get(os.ReadFile(page))(t)
		lines, found := strings.Split(string(text), "\n"), 0
		for i, line := range lines {
			if !ofRelease.MatchString(line) {
				continue
			}
			found++
			near := strings.Join(lines[max(0, i-4):min(len(lines), i+8)], "\n")
			assert.Contains(t, near, "first release", "%s:%d: %s", page, i+1, line)
		}
		assert.NotZero(t, found, page)
	}
}
