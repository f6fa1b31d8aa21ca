package rules

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Remedy returns the rule's Fix as part of a sentence, without Markdown and line ends.
func (r *Rule) Remedy() string {
	if r.made == nil {
		return ""
	}
	r.made.asked.Do(func() { r.made.remedy = remedy(r.Fix) })
	return r.made.remedy
}

// remedy makes a part of a sentence from the text of a rule: without line ends and marks of code, with
// semicolons between its sentences.
func remedy(text string) string {
	if text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "`", ""); text == "" {
		return ""
	}
	all := strings.Split(strings.TrimSuffix(text, "."), ". ")
	for i, sentence := range all {
		word, _, _ := strings.Cut(sentence, " ")
		if first, n := utf8.DecodeRuneInString(word); strings.ToLower(word[n:]) == word[n:] { // no acronym
			all[i] = string(unicode.ToLower(first)) + sentence[n:]
		}
	}
	return strings.Join(all, "; ")
}

// Consequence splits a message into what was found and why it matters, at the last colon outside quotation marks and
// parentheses. Without such a colon, why is "".
func Consequence(message string) (what, why string) {
	at, deep, quoted := -1, 0, false
	for i := range len(message) {
		switch c := message[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			deep++
		case c == ')':
			deep--
		case c == ':' && deep <= 0 && strings.HasPrefix(message[i:], ": "):
			at = i
		}
	}
	if at < 0 {
		return message, ""
	}
	return message[:at], message[at+len(": "):]
}

// causesFirst moves each finding after those that report its cause: see [Rule.Follows]. Otherwise
// the order stays as it is.
func causesFirst(all []Finding) {
	first := slices.IndexFunc(all, func(f Finding) bool { return len(f.Rule.Follows) > 0 })
	if first < 0 {
		return
	}
	last := map[string]int{} // of the findings of a rule
	for i := range all {
		last[all[i].Rule.ID] = i
	}
	type place struct{ due, at int }
	order := make([]place, len(all))
	for i := range all {
		order[i] = place{i, i}
		for _, id := range all[i].Rule.Follows {
			if at, ok := last[id]; ok {
				order[i].due = max(order[i].due, at)
				all[i].Help += "; the same corrects " + id
			}
		}
	}
	slices.SortStableFunc(order, func(a, b place) int { // one that is not moved comes before those that follow it
		return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(min(a.due-a.at, 1), min(b.due-b.at, 1)), cmp.Compare(a.at, b.at))
	})
	old := slices.Clone(all)
	for i, p := range order {
		all[i] = old[p.at]
	}
}
