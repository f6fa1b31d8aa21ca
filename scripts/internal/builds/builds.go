// Package builds reads the list of the real programs that scripts/realworld/build makes.
package builds

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const listName = "list.tsv"

// Build is a file that was made, a line of list.tsv.
type Build struct {
	Path    string   // from the folder with the list
	Parts   []string // of the path: ABI, package, flags, producer and more
	Tool    string   // that wrote it
	Version string   // of the tool, or those of an assembler and a linker
	ABI     string
	Flags   string // of the compiler
	Kind    string // object, archive, exec or shared
}

// Read reads the list of a folder.
func Read(dir string) (all []Build, err error) {
	data, err := os.ReadFile(filepath.Join(dir, listName))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		parts := strings.Split(f[0], "/")
		if len(f) != 6 || len(parts) < 4 {
			return nil, fmt.Errorf("%s: not a line of %s: %q", dir, listName, line)
		}
		all = append(all, Build{f[0], parts, f[1], f[2], f[3], f[4], f[5]})
	}
	return all, nil
}
