package testkit

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var workflowCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*::|##[A-Za-z]*\[`) })

// Obeyed returns an error that shows the first part of text that a terminal or a CI service would obey. It shares no
// code with package escape.
func Obeyed(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("not UTF-8: %.100q", text)
	}
	if at := strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	}); at >= 0 {
		return fmt.Errorf("a control character: %.100q", text[at:])
	}
	if at := workflowCommand().FindStringIndex(text); at != nil {
		return fmt.Errorf("a workflow command: %.100q", text[at[0]:])
	}
	return nil
}
