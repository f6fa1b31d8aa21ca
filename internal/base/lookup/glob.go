// Package lookup finds names and paths by patterns, and the names closest to a mistyped word. Patterns for paths are
// those of a .gitignore. In patterns for names, * matches any characters and ? one byte. Nothing else is special, as
// symbols contain brackets and backslashes.
package lookup

import (
	"fmt"
	"path"
	"strings"
)

// Match matches a whole name.
func Match(pattern, name string) bool {
	return match([]byte(pattern), []byte(name), '*', func(p, c byte) bool { return p == '?' || p == c })
}

// MatchPath matches a slash-separated path from the root. A relative pattern may match from any directory. A pattern
// that ends with a slash matches everything below a directory.
func MatchPath(text, path string) bool {
	if strings.HasSuffix(text, "/") {
		text += "**"
	}
	if text = strings.TrimPrefix(text, "./"); !strings.HasPrefix(text, "/") {
		text = "**/" + text
	}
	p := ParsePattern(text)
	return p.Match(strings.Split(strings.TrimPrefix(path, "/"), "/"))
}

// Pattern is a line of a .gitignore.
type Pattern struct {
	Back bool // matching paths are not excluded
	Dirs bool // it matches only directories

	elements []string // "**" stands for any number of elements
}

// negated turns [!a] into [^a], as package path writes it.
var negated = strings.NewReplacer(`\\`, `\\`, `\[`, `\[`, `[!`, `[^`)

// ParsePattern reads a line of a .gitignore.
func ParsePattern(text string) (p Pattern) {
	text, p.Back = strings.CutPrefix(text, "!")
	if !strings.HasSuffix(text, `\ `) {
		text = strings.TrimRight(text, " ")
	}
	text, p.Dirs = strings.CutSuffix(text, "/")
	if !strings.Contains(text, "/") {
		text = "**/" + text
	}
	if strings.HasSuffix(text, "/**") {
		text += "/*" // not the directory itself
	}
	p.elements = strings.Split(negated.Replace(strings.TrimPrefix(text, "/")), "/")
	return p
}

// CheckPattern returns an error if a line of a .gitignore is malformed and so matches nothing.
func CheckPattern(text string) error {
	for _, e := range ParsePattern(text).elements {
		if _, err := path.Match(e, ""); err != nil {
			return fmt.Errorf("%q is not a pattern: a bracket is open, or a backslash at the end", text)
		}
	}
	return nil
}

// Match reports whether the pattern matches all elements of a path. A malformed pattern matches nothing.
func (p *Pattern) Match(elements []string) bool {
	fits := func(p, name string) bool {
		differs := func(a, b byte) bool { return a != b && strings.IndexByte(`*?[]\`, a) < 0 }
		if p != "" && name != "" && (differs(p[0], name[0]) || differs(p[len(p)-1], name[len(name)-1])) {
			return false // most do
		}
		ok, err := path.Match(p, name)
		return ok && err == nil
	}
	last := p.elements[len(p.elements)-1]
	return len(elements) > 0 && (last == "**" || fits(last, elements[len(elements)-1])) && match(p.elements, elements, "**", fits)
}

// match matches all of a list: many stands for any number of elements. After a mismatch, only the
// last one of these takes one element more: what the earlier ones match need not change.
func match[T comparable](pattern, all []T, many T, fits func(p, x T) bool) bool {
	i, j, last, from := 0, 0, -1, 0
	for j < len(all) {
		switch {
		case i < len(pattern) && pattern[i] == many:
			last, from = i, j
			i++
		case i < len(pattern) && fits(pattern[i], all[j]):
			i, j = i+1, j+1
		case last >= 0:
			from++
			i, j = last+1, from
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == many {
		i++
	}
	return i == len(pattern)
}
