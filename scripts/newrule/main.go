// Command newrule writes the stubs of a new rule: its file and test in the
// package of its family, its entry in the family's list, the source of a corpus
// file, and its break. The stubs compile; tests fail until they are filled in.
//
//	go run ./scripts/newrule SF2030 StubStart "MASK FDE that starts inside a stub"
//
// CONTRIBUTING.md describes what to do with them.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New(`usage: go run ./scripts/newrule ID NAME TITLE, as in: SF2030 StubStart "MASK FDE that starts inside a stub"`)
	}
	s, err := newSpec(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	files, err := s.stubs(os.ReadFile)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.FromSlash(path), files[path], 0o666); err != nil {
			return err
		}
		fmt.Println(path)
	}
	fmt.Printf("\nFill them in, then:\n"+
		"  name %s in a clause of rules/clauses, or say in practice.go what it rests on\n"+
		"  scripts/corpus-build TOOLS   # with the tools that scripts/toolchains TOOLS unpacks\n"+
		"  go generate ./...\n"+
		"  go test ./...\n", s.ID)
	return nil
}
