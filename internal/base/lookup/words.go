package lookup

import (
	"slices"
	"strings"
	"unicode"
)

// common are stems that say nothing of what a text is about.
var common = []string{"all", "and", "are", "for", "from", "has", "it", "not", "one", "section", "that", "the", "with", "without"}

// Stems returns the words of a text in lower case, without usual endings and words that say nothing.
func Stems(text string) (all []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for _, end := range []string{"ing", "ed", "es", "s", "e"} {
			if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 2 {
				w = stem
				break
			}
		}
		if len(w) > 2 && !slices.Contains(common, w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// Shared counts the stems of some words that a text has.
func Shared(stems []string, text string) (n int) {
	theirs := Stems(text)
	for _, s := range stems {
		if slices.Contains(theirs, s) {
			n++
		}
	}
	return n
}
