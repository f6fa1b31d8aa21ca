// Package page writes what programs for developers measure into pages of the documentation.
package page

import (
	"bytes"
	"fmt"
	"os"
)

// Write writes text to standard output or, if there is a path, into that page: after the comment with
// the name of the part and before the next comment "end".
func Write(path, part string, text []byte) error {
	if path == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if page, err = Replace(page, part, text); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, page, 0o666)
}

// Replace returns the page with another text of a part.
func Replace(page []byte, part string, text []byte) ([]byte, error) {
	head, rest, ok := bytes.Cut(page, fmt.Appendf(nil, "<!-- %s -->\n", part))
	_, tail, closed := bytes.Cut(rest, []byte("<!-- end -->\n"))
	if !ok || !closed {
		return nil, fmt.Errorf("no comments around the part %q", part)
	}
	return fmt.Appendf(nil, "%s<!-- %s -->\n\n%s\n<!-- end -->\n%s", head, part, bytes.TrimSpace(text), tail), nil
}
