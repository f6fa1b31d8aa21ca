package clauses

//go:generate go run -C ../../../scripts ./docgen

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

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
