package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// section is a part of the page that the script writes: it starts after the
// comment with its name and ends before the next comment "end".
type section string

const (
	kindList   section = "kinds"
	results    section = "mutants"
	flipList   section = "flips"
	truthTable section = "executed"
)

// output writes a section to standard output, or into the page if there is one.
func (o *options) output(s section, text []byte) error {
	if o.page == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	page, err := os.ReadFile(o.page)
	if err != nil {
		return err
	}
	if page, err = s.replace(page, text); err != nil {
		return fmt.Errorf("%s: %w", o.page, err)
	}
	return os.WriteFile(o.page, page, 0o666)
}

func (s section) replace(page, text []byte) ([]byte, error) {
	head, rest, ok := bytes.Cut(page, fmt.Appendf(nil, "<!-- %s -->\n", s))
	_, tail, closed := bytes.Cut(rest, []byte("<!-- end -->\n"))
	if !ok || !closed {
		return nil, fmt.Errorf("no comments around the section %q", s)
	}
	return fmt.Appendf(nil, "%s<!-- %s -->\n\n%s\n<!-- end -->\n%s", head, s, bytes.TrimSpace(text), tail), nil
}

// describeKinds returns the table of all kinds.
func describeKinds() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d kinds of fault:\n\n| fault | what is wrong |\n|---|---|\n", len(kinds()))
	for _, k := range kinds() {
		fmt.Fprintf(&b, "| %s | %s |\n", k.name, k.about)
	}
	return b.Bytes()
}

// brief returns the end of a path, which names the file well enough.
func brief(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return strings.Join(parts[max(0, len(parts)-4):], "/")
}
