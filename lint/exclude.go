package lint

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Exclude has patterns for entries of directories that a run skips, as in a .gitignore in Dir: the last match decides, and
// "!" includes again. They do not apply to arguments. Outside Dir, patterns are relative to the argument or its directory.
type Exclude struct {
	Dir      string // "": the working directory and each argument
	Patterns []string
}

// matcher returns a function that reports whether a path below an argument is excluded, nil
// for no patterns. It is asked about a directory before the entries of it.
func (x *Exclude) matcher() func(arg, path string, dir bool) bool {
	if len(x.Patterns) == 0 {
		return nil
	}
	var patterns []lookup.Pattern
	for _, text := range x.Patterns {
		patterns = append(patterns, lookup.ParsePattern(text))
	}
	root := edit.Absolute(x.Dir)
	return func(arg, path string, dir bool) bool {
		below := elements(root, path)
		fromArg := below
		if x.Dir == "" || below == nil {
			fromArg = elements(edit.Absolute(arg), path)
		}
		if below == nil {
			below = elements(filepath.Dir(edit.Absolute(arg)), path)
		}
		for _, p := range slices.Backward(patterns) {
			if (dir || !p.Dirs) && (p.Match(below) || p.Match(fromArg)) {
				return !p.Back
			}
		}
		return false
	}
}

// elements returns the elements of a path from a directory on, nil if it is not below that.
func elements(root, path string) []string {
	rel, err := filepath.Rel(root, edit.Absolute(path))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}

// inPackages returns a function that reports whether a file in a package is excluded, or a directory above it
// there, nil for no patterns. Its path begins with that of the package.
func (x *Exclude) inPackages() func(path string) bool {
	excluded := x.matcher()
	if excluded == nil {
		return nil
	}
	last, lastOut := "", false
	return func(path string) bool {
		outer, _, _ := container.Cut(path)
		top := outer + container.Separator
		dir := filepath.Dir(path)
		if dir != last {
			last, lastOut = dir, false
			for up := dir; len(up) > len(top) && !lastOut; up = filepath.Dir(up) {
				lastOut = excluded(top, up, true)
			}
		}
		return lastOut || excluded(top, path, false)
	}
}
