// Package clauses lists what the manual "The SFrame Format" demands of the
// data, statement by statement, in our own words, with the rules that check
// each of them or the reason why the bytes cannot show it. The statements are in clauses.md.
// It also has an example of each rule: a finding in a file of the corpus. It imports no rules.
//
// The manual's chapters go by their headings in version 3; a statement that
// only an earlier version makes goes by the heading in that version's manual.
// Statements of errata 1 of version 2 are in the manual of binutils 2.45;
// errata 2 was published with version 3. Two other documents come after the
// manual: the RFC on flexible topmost frames and libunwind's note on the state
// of its cursor.
package clauses

import (
	_ "embed" // clauses.md and examples.json
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed clauses.md
var page string

// Scope says which versions of the format a clause is part of: "1, 2". Where errata of version 2 brought the statement,
// the scope says so: "2 (errata 1), 3".
type Scope string

// Includes reports whether a version of the format, 1 to 3, has the clauses of the scope.
func (s Scope) Includes(version int) bool {
	for v := range strings.SplitSeq(string(s), ", ") {
		if number, _, _ := strings.Cut(v, " "); number == strconv.Itoa(version) {
			return true
		}
	}
	return false
}

// Chapter is the heading of a chapter of the manual, or another document.
type Chapter string

// Chapters on the format as a whole.
const (
	Overview  Chapter = "Overview"
	Changes23 Chapter = "Changes from Version 2 to Version 3"
	Changes12 Chapter = "Changes from Version 1 to Version 2"
)

// Clause is one statement of the manual or of another document.
type Clause struct {
	// ID is C, the version or errata that the statement came with, the area
	// and a number: C-V3-HDR-04. Stable, never reused.
	ID      string
	Scope   Scope
	Chapter Chapter
	// Text is the statement in our own words.
	Text string
	// Rules are the IDs of the rules that find data that breaks it.
	Rules []string
	// Reason says why bytes cannot show a breach: all of it where there
	// are no rules, else the part that the rules do not see.
	Reason string
}

// document is what clauses.md has.
type document struct {
	urls    map[Chapter]string
	clauses []Clause // in the order of the manual, chapters of earlier manuals after the ones that took their place
}

var read = sync.OnceValue(func() *document {
	d := &document{urls: map[Chapter]string{}}
	for _, part := range strings.Split(page, "\n## ")[1:] {
		name, rest, _ := strings.Cut(part, "\n\n")
		chapter := Chapter(name)
		for block := range strings.SplitSeq(strings.TrimSpace(rest), "\n\n") {
			if url, ok := strings.CutPrefix(block, "<"); ok {
				d.urls[chapter] = strings.TrimSuffix(url, ">")
				continue
			}
			c := Clause{Chapter: chapter}
			block, c.Reason, _ = strings.Cut(block, "\nReason: ")
			block, rules, ok := strings.Cut(block, "\nRules: ")
			if ok {
				c.Rules = strings.Split(rules, ", ")
			}
			head, text, _ := strings.Cut(block, "): ")
			id, scope, _ := strings.Cut(head, " (")
			c.ID, c.Scope, c.Text = id, Scope(scope), text
			d.clauses = append(d.clauses, c)
		}
	}
	return d
})

// List returns all clauses in the order of the chapters. The caller may modify the
// slice but not the lists in it.
func List() []Clause { return slices.Clone(read().clauses) }

// Of returns the clauses that name a rule, in the order of List.
func Of(rule string) []Clause {
	return slices.DeleteFunc(List(), func(c Clause) bool { return !slices.Contains(c.Rules, rule) })
}

// Manuals are published with each release of binutils.
const (
	manual   = "https://sourceware.org/binutils/docs/sframe-spec.html"
	manualV2 = "https://sourceware.org/binutils/docs-2.45/sframe-spec.html" // errata 1
	manualV1 = "https://sourceware.org/binutils/docs-2.40/sframe-spec.html"
)

// URL returns the address of the chapter in the public manual, "" for one that is in
// no manual.
func (c Chapter) URL() string { return read().urls[c] }

// URL returns the address of the clause's chapter in the newest manual that
// makes the statement.
func (c Clause) URL() string {
	url := c.Chapter.URL()
	anchor := strings.TrimPrefix(url, manual)
	if anchor == url {
		return url
	}
	switch {
	case c.Scope == "1" && c.Chapter != Changes12:
		return manualV1
	case c.Scope == "1, 2", c.Scope == "2", c.Scope == "2 (errata 1)":
		return manualV2 + anchor
	}
	return url
}

// Link returns a text as a Markdown link, or by itself if there is no address.
func Link(text, url string) string {
	if url == "" {
		return text
	}
	return "[" + text + "](" + url + ")"
}

//go:generate go run -C ../../../scripts ./docgen

// Example shows a rule's finding in a file.
type Example struct {
	Rule    string `json:"rule"`
	File    string `json:"file"`    // below the repository
	About   string `json:"about"`   // of the file
	Command string `json:"command"` // that shows the finding, run in the repository
	Output  string `json:"output"`  // of the command, a finding a line
	More    int    `json:"more,omitempty"`
	// Bytes are those to blame and their neighbours, annotated; "" for a
	// finding that is about none.
	Bytes string `json:"bytes,omitempty"`
}

//go:embed examples.json
var examples []byte

var parse = sync.OnceValue(func() map[string]*Example {
	var all []*Example
	// The file is a part of the program; a test reads it.
	_ = json.Unmarshal(examples, &all)
	byRule := make(map[string]*Example, len(all))
	for _, x := range all {
		byRule[x.Rule] = x
	}
	return byRule
})

// ExampleOf returns the example of a rule, nil where there is none.
func ExampleOf(rule string) *Example { return parse()[rule] }

// Transcript returns the bytes of an example, the command and its output.
func (ex *Example) Transcript() string {
	var b strings.Builder
	if ex.Bytes != "" {
		b.WriteString(ex.Bytes + "\n")
	}
	fmt.Fprintf(&b, "$ %s\n%s", ex.Command, ex.Output)
	if ex.More > 0 {
		fmt.Fprintf(&b, "(and %d more)\n", ex.More)
	}
	return b.String()
}

// Text returns the example for a terminal, "" for nil.
func (ex *Example) Text() string {
	if ex == nil {
		return ""
	}
	return fmt.Sprintf("%s\n%s\n\n%s", ex.File, ex.About, indent(ex.Transcript()))
}

// Markdown is Text for a page of the documentation.
func (ex *Example) Markdown() string {
	if ex == nil {
		return ""
	}
	return fmt.Sprintf("`%s`: %s\n\n```\n%s```\n", ex.File, ex.About, ex.Transcript())
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}
