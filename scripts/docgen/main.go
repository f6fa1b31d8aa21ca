// Command docgen writes what is generated below docs: a page for each rule
// and their index, the examples that `sframe-lint explain` shows, the
// manual's clauses, what was found in programs, the limits, the generator's knobs, and the tables of what
// the benchmark measured. It is run without
// arguments anywhere
// in the repository, as `go generate ./...`, after a change of a rule, a
// clause or the corpus.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func run() error {
	files, err := generate()
	if err != nil {
		return err
	}
	if err := removeStale(files); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(path, []byte(files[path]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

const pages = "docs/rules"

// stalePages returns the pages of rules that there are no more.
func stalePages(files map[string]string) ([]string, error) {
	there, err := os.ReadDir(pages)
	if err != nil {
		return nil, err
	}
	var old []string
	for _, f := range there {
		path := pages + "/" + f.Name()
		if _, made := files[path]; !made && strings.HasPrefix(f.Name(), "SF") {
			old = append(old, path)
		}
	}
	return old, nil
}

func removeStale(files map[string]string) error {
	old, err := stalePages(files)
	for _, path := range old {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// generate returns the contents of all generated files, by their path in the
// repository, which has to be the current directory.
func generate() (map[string]string, error) {
	found, err := lintCorpus()
	if err != nil {
		return nil, err
	}
	examples, err := findExamples(found)
	if err != nil {
		return nil, err
	}
	files := map[string]string{
		"docs/clauses.md":    clausesPage(),
		"docs/knobs.md":      knobsPage(),
		"docs/limits.md":     limitsPage(),
		kaitaiPath:           kaitai(),
		pages + "/README.md": index(),
	}
	consumers, err := corpus.LoadConsumers("corpus")
	if err != nil {
		return nil, err
	}
	replays, err := corpus.LoadReplays("corpus")
	if err != nil {
		return nil, err
	}
	known, err := loadFinds(found, consumers, replays)
	if err != nil {
		return nil, err
	}
	if files["docs/found.md"], err = foundPage(found, consumers, known); err != nil {
		return nil, err
	}
	files["docs/studies/breaks.md"] = render("breaks", consumers)
	if files["internal/evidence/examples/examples.json"], err = examplesJSON(examples); err != nil {
		return nil, err
	}
	if files["docs/performance.md"], err = performancePage(); err != nil {
		return nil, err
	}
	addPages(files, examples)
	return files, nil
}
