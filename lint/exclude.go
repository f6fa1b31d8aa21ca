package lint

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// Exclude are patterns of files and directories that a run does not look into, as in a
// .gitignore in Dir: the last one that matches decides, and one that begins with ! brings a
// file back. They concern what is met in directories, not what was named.
type Exclude struct {
	Dir      string // "" is the working directory
	Patterns []string
}

// matcher returns a function that reports whether a path is excluded, nil for no patterns.
// It is asked about a directory before the entries of it.
func (x *Exclude) matcher() func(path string, dir bool) bool {
	if len(x.Patterns) == 0 {
		return nil
	}
	root := absolutePath(x.Dir)
	return func(path string, dir bool) bool {
		rel, err := filepath.Rel(root, absolutePath(path))
		if err != nil || !filepath.IsLocal(rel) || rel == "." {
			return false
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		for _, p := range slices.Backward(x.Patterns) {
			if r := matches(p, parts, dir); r != gitignore.NoMatch {
				return r == gitignore.Exclude
			}
		}
		return false
	}
}

// matches matches a pattern with a path itself. The library matches a pattern also with what
// is below a directory, so that one like !*/ would bring all files in directories back.
func matches(pattern string, parts []string, dir bool) gitignore.MatchResult {
	if strings.HasSuffix(pattern, "/") && !dir {
		return gitignore.NoMatch
	}
	p := gitignore.ParsePattern(pattern, nil)
	r, above := p.Match(parts, dir), parts[:len(parts)-1]
	switch {
	case !strings.Contains(strings.TrimSuffix(pattern, "/"), "/"):
		return p.Match(parts[len(above):], dir)
	case !strings.HasSuffix(pattern, "/**") && len(above) > 0 && p.Match(above, true) == r:
		return gitignore.NoMatch
	}
	return r
}
