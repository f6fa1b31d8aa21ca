package lint

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Exclude has patterns for files and directories that a run skips, as in a .gitignore in
// Dir: the last one that matches decides, and one that begins with ! includes a file again.
// They apply to entries of directories, not to arguments. In a directory outside Dir,
// patterns are relative to the argument, and to the directory that the argument is in.
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
	var patterns []pattern
	for _, text := range x.Patterns {
		patterns = append(patterns, parsePattern(text))
	}
	root := absolutePath(x.Dir)
	return func(arg, path string, dir bool) bool {
		below := elements(root, path)
		fromArg := below
		if x.Dir == "" || below == nil {
			fromArg = elements(absolutePath(arg), path)
		}
		if below == nil {
			below = elements(filepath.Dir(absolutePath(arg)), path)
		}
		for _, p := range slices.Backward(patterns) {
			if (dir || !p.dirs) && (p.match(below) || p.match(fromArg)) {
				return !p.back
			}
		}
		return false
	}
}

// elements returns the elements of a path from a directory on, nil if it is not below that.
func elements(root, path string) []string {
	rel, err := filepath.Rel(root, absolutePath(path))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}

// pattern is a line of a .gitignore.
type pattern struct {
	elements []string // "**" stands for any number of elements
	back     bool     // what matches is not excluded
	dirs     bool     // it matches only directories
}

// negated turns [!a] into [^a], as package path writes it.
var negated = strings.NewReplacer(`\\`, `\\`, `\[`, `\[`, `[!`, `[^`)

func parsePattern(text string) pattern {
	var p pattern
	text, p.back = strings.CutPrefix(text, "!")
	if !strings.HasSuffix(text, `\ `) {
		text = strings.TrimRight(text, " ")
	}
	text, p.dirs = strings.CutSuffix(text, "/")
	if !strings.Contains(text, "/") {
		text = "**/" + text
	}
	if strings.HasSuffix(text, "/**") {
		text += "/*" // not the directory itself
	}
	p.elements = strings.Split(negated.Replace(strings.TrimPrefix(text, "/")), "/")
	return p
}

// match reports whether the pattern matches all elements of a path. After a mismatch, only the
// last "**" takes one element more: what the earlier ones match need not change.
func (p *pattern) match(names []string) bool {
	if len(names) == 0 {
		return false
	}
	i, j, star, from := 0, 0, -1, 0
	for j < len(names) {
		switch {
		case i < len(p.elements) && p.elements[i] == "**":
			star, from = i, j
			i++
		case i < len(p.elements) && matches(p.elements[i], names[j]):
			i, j = i+1, j+1
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p.elements) && p.elements[i] == "**" {
		i++
	}
	return i == len(p.elements)
}

// matches matches an element. A malformed pattern matches nothing.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
