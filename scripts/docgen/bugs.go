package main

import (
	"fmt"
	"slices"
	"strings"
)

// bugs is what corpus/known-bugs.yaml has: faults that have been seen in the wild.
type bugs struct {
	Producers []bug // faults of what assemblers and linkers write
	Triggers  []bug // data that consumers have failed on
}

type bug struct {
	Number int // as in the corpus's manifest; 0: the manifest does not have it
	Fault  string
	Rules  []string
	Files  []string // that show it, besides those that the manifest marks with the number
	Reason string   // why no rule finds it in a file, or how it is found
}

// mostFiles is the number of files that a bug names.
const mostFiles = 3

// bugsPage lists the known bugs.
func bugsPage(found []*linted) (string, error) {
	all, err := load[bugs]("known-bugs.yaml")
	if err != nil {
		return "", err
	}
	var seen, failed strings.Builder
	for _, x := range all.Producers {
		fmt.Fprintf(&seen, "| %d | %s | %s | %s |\n", x.Number, x.Fault, x.remedy(), x.showing(found))
	}
	for _, x := range all.Triggers {
		fmt.Fprintf(&failed, "| %s | %s | %s |\n", x.Fault, x.remedy(), x.showing(found))
	}
	return render("known-bugs", map[string]any{"Producers": &seen, "Triggers": &failed}), nil
}

// remedy names the rules, and says what they leave open.
func (x *bug) remedy() string {
	switch {
	case len(x.Rules) == 0:
		return x.Reason
	case x.Reason == "":
		return ruleLinks(x.Rules)
	}
	return ruleLinks(x.Rules) + ". " + x.Reason
}

// shows reports whether a file has the bug, by the corpus or by the table.
func (x *bug) shows(f *linted) bool {
	return x.Number != 0 && slices.Contains(f.KnownBug, x.Number) || slices.Contains(x.Files, f.File)
}

// hits reports whether one of the bug's rules fires on a file.
func (x *bug) hits(f *linted) bool {
	return slices.ContainsFunc(x.Rules, func(id string) bool { return f.fires[id] > 0 })
}

// showing names the smallest files that have the bug: with rules for it,
// those that one of them fires on.
func (x *bug) showing(found []*linted) string {
	var fit []*linted
	for _, f := range found {
		if x.shows(f) && (x.hits(f) || len(x.Rules) == 0) {
			fit = append(fit, f)
		}
	}
	slices.SortStableFunc(fit, func(a, b *linted) int { return int(a.size - b.size) })
	var names []string
	for _, f := range fit[:min(len(fit), mostFiles)] {
		names = append(names, fmt.Sprintf("[%s](../%s)", strings.TrimPrefix(f.File, "files/"), f.path()))
	}
	if more := len(fit) - mostFiles; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
