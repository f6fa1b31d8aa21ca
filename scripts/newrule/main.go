// Command newrule writes the stubs of a new rule:
//
//	go run -C scripts ./newrule SF2030 StubStart "MASK FDE that starts inside a stub" C-V2-FDE-13
//
// It writes the rule, its test, texts, break and hand-written section, and adds the rule to its family's list and to
// its clause. Without a clause, the last argument is a sentence that says what the rule rests on. The section and the
// test have the ABI that NAME or TITLE names, otherwise AMD64. newrule warns of rules with similar words. The stubs
// compile, but tests fail until you complete them: see CONTRIBUTING.md.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return errors.New(`usage: go run -C scripts ./newrule ID NAME TITLE BASIS, as in: SF2030 StubStart "MASK FDE that starts inside a stub" C-V2-FDE-13`)
	}
	s, err := newSpec(args[0], args[1], args[2], args[3])
	if err != nil {
		return err
	}
	for _, r := range s.similarRules() {
		fmt.Fprintf(os.Stderr, "newrule: %s is similar: %s\n", r.ID, r.Title)
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
	fmt.Printf("\nFill in the rule, its texts, its test, the break and the corpus entry, then:\n" +
		"  scripts/corpus-build TOOLS   # with the tools that scripts/toolchains TOOLS unpacks\n" +
		"  go generate ./...\n" +
		"  go test ./...\n")
	return nil
}
