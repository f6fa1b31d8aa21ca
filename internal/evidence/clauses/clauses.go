// Package clauses lists the statements that the manual "The SFrame Format" makes about data, in our own words
// (clauses.md). Each clause names the rules that check it, or explains why the bytes cannot show a violation. The
// package also has an example finding for each rule. It does not import the rules.
//
// Chapters have their headings in version 3 of the manual, or the heading in the last version that makes the
// statement. Errata 1 of version 2 is in the manual of binutils 2.45, and errata 2 was published with version 3. The
// list ends with two other documents: the RFC on flexible topmost frames and libunwind's note on the state of its
// cursor.
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

// Scope is the list of format versions that a clause belongs to, such as "1, 2". It names the errata that added the
// statement, as in "2 (errata 1), 3".
type Scope string

// Includes reports whether the scope includes a version of the format, from 1 to 3.
func (s Scope) Includes(version int) bool {
	for v := range strings.SplitSeq(string(s), ", ") {
		if number, _, _ := strings.Cut(v, " "); number == strconv.Itoa(version) {
			return true
		}
	}
	return false
}

// Chapter is the heading of a chapter of the manual, or the title of another document.
type Chapter string

// Chapters about the format as a whole.
const (
	Overview  Chapter = "Overview"
	Changes23 Chapter = "Changes from Version 2 to Version 3"
	Changes12 Chapter = "Changes from Version 1 to Version 2"
)

// Clause is one statement of the manual or of another document.
type Clause struct {
	// ID is stable and never reused. It consists of C, the version or errata that added the statement, the area and a
	// number, as in C-V3-HDR-04.
	ID      string
	Scope   Scope
	Chapter Chapter
	// Text is the statement in our own words.
	Text string
	// Rules has the IDs of the rules that find violations of the clause.
	Rules []string
	// Reason explains why bytes cannot show a violation of the clause. If the clause has rules, Reason is about the
	// violations that these rules cannot find.
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

// List returns all clauses in the order of the chapters. The caller may modify the slice, but not the slices in its
// elements.
func List() []Clause { return slices.Clone(read().clauses) }

// Of returns the clauses that name a rule, in the order of [List].
func Of(rule string) []Clause {
	return slices.DeleteFunc(List(), func(c Clause) bool { return !slices.Contains(c.Rules, rule) })
}

// Manuals are published with each release of binutils.
const (
	manual   = "https://sourceware.org/binutils/docs/sframe-spec.html"
	manualV2 = "https://sourceware.org/binutils/docs-2.45/sframe-spec.html" // errata 1
	manualV1 = "https://sourceware.org/binutils/docs-2.40/sframe-spec.html"
)

// URL returns the address of the chapter in the public manual, or "" for a chapter that is not in a manual.
func (c Chapter) URL() string { return read().urls[c] }

// URL returns the address of the clause's chapter in the newest manual that makes the statement.
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

// Link returns text as a Markdown link to url. If url is "", it returns text itself.
func Link(text, url string) string {
	if url == "" {
		return text
	}
	return "[" + text + "](" + url + ")"
}

//go:generate go run -C ../../../scripts ./docgen

// Example is a finding of a rule in a file of the corpus.
type Example struct {
	Rule    string `json:"rule"`
	File    string `json:"file"`    // path in the repository
	About   string `json:"about"`   // description of the file
	Command string `json:"command"` // shows the finding; run in the repository
	Output  string `json:"output"`  // the command's output, one finding per line
	More    int    `json:"more,omitempty"`
	// Bytes has the faulty bytes and their neighbors, with annotations. It is "" for a finding that is not about
	// bytes.
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

// ExampleOf returns the example of a rule, or nil if the rule has none.
func ExampleOf(rule string) *Example { return parse()[rule] }

// Transcript returns the bytes, the command and the command's output.
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

// Text returns the example as text for a terminal, or "" if ex is nil.
func (ex *Example) Text() string {
	if ex == nil {
		return ""
	}
	return fmt.Sprintf("%s\n%s\n\n%s", ex.File, ex.About, indent(ex.Transcript()))
}

// Markdown returns the example for a page of the documentation, or "" if ex is nil.
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
