package lookup

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
)

// most is the number of names that are suggested; more would not help.
const most = 3

// Near returns the names most similar to a word, ignoring case, or nil if they are too many. At most two letters may
// differ: one in a short word, a third of a long one. A name that extends a word of three or more letters, or has the
// same letters in another order, counts as one difference.
func Near(word string, names []string) []string {
	return within(max(1, min(2, len(word)/2), len(word)/3), word, names)
}

// within returns the names that differ least from a word, in at most that many letters.
func within(best int, word string, names []string) []string {
	typed := strings.ToLower(word)
	var near []string
	for _, name := range names {
		d := levenshtein.ComputeDistance(typed, strings.ToLower(name))
		if len(typed) > 2 && (strings.HasPrefix(strings.ToLower(name), typed) || letters(typed) == letters(name)) {
			d = min(d, 1)
		}
		if d < best {
			best, near = d, nil
		}
		if d == best && d < len(typed) {
			near = append(near, name)
		}
	}
	if len(near) > most {
		return nil
	}
	return near
}

// Unknown returns an error for a word that is not a name of a kind. It suggests the nearest names. If all names are
// far, it says want, or lists all names if want is "".
func Unknown(kind, word string, names []string, want string) error {
	if near := Near(word, names); len(near) > 0 {
		return fmt.Errorf("unknown %s %q; did you mean %s?", kind, word, List(near, `"`))
	}
	if want == "" {
		want = "expected " + List(names, "")
	}
	return fmt.Errorf("unknown %s %q: %s", kind, word, want)
}

// UnknownRule returns an error for a word that is neither the ID of a rule nor a prefix of one. It suggests rules
// whose titles contain the word, or IDs with the same digits in another order or one different letter. More distant
// numbers are not typing mistakes. title may be nil.
func UnknownRule(word string, ids []string, title func(id string) string) error {
	names := slices.Clone(ids)
	var meant, turned []string
	text := strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(word))
	for _, id := range ids {
		if family := id[:min(len(id), len("SF1"))]; !slices.Contains(names, family) {
			names = append(names, family)
		}
		if letters(id) == letters(word) {
			turned = append(turned, id)
		}
		if title != nil && len(text) > 2 && strings.Contains(strings.ToLower(title(id)), text) {
			meant = append(meant, fmt.Sprintf("%q (%s)", id, title(id)))
		}
	}
	near := within(1, word, names)
	if len(turned) > 0 && len(turned) <= most {
		near = turned
	}
	switch {
	case len(meant) > 0 && len(meant) <= most:
		return fmt.Errorf("unknown rule or prefix %q; did you mean %s?", word, List(meant, ""))
	case len(meant) > 0:
		return fmt.Errorf("unknown rule or prefix %q: 'sframe-lint rules %s' lists %d rules with this word", word, text, len(meant))
	case len(near) == 0 || len(word) == len("SF1") && strings.HasPrefix(strings.ToUpper(word), "SF"):
		return fmt.Errorf("unknown rule or prefix %q: 'sframe-lint rules' lists them", word)
	}
	return fmt.Errorf("unknown rule or prefix %q; did you mean %s?", word, List(near, `"`))
}

// letters returns the letters of a word in order.
func letters(word string) string {
	b := []byte(strings.ToLower(word))
	slices.Sort(b)
	return string(b)
}

// List joins names for a sentence: a, b or c.
func List(names []string, quote string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(quote + name + quote)
	}
	return b.String()
}

// common are stems that say nothing of what a text is about.
var common = []string{"all", "and", "are", "for", "from", "has", "it", "not", "one", "section", "that", "the", "with", "without"}

// Stems returns the words of a text in lower case, without usual endings and without words that carry no meaning.
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

// Shared counts how many of the stems of some words occur in a text.
func Shared(stems []string, text string) (n int) {
	theirs := Stems(text)
	for _, s := range stems {
		if slices.Contains(theirs, s) {
			n++
		}
	}
	return n
}
