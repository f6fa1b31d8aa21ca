package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// Parts of the page that the script writes.
const (
	kindList   = "kinds"
	results    = "mutants"
	truthTable = "executed"
)

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
