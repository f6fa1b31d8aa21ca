// Command docgen writes the generated parts of docs, and the examples that `sframe-lint explain` shows. Run it
// without arguments as `go generate ./...`, after changing a rule or the corpus. With -all, it prints everything that
// was found in programs.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	all := flag.Bool("all", false, "print docs/found.md with all rows, and write nothing")
	flag.Parse()
	if err := run(*all); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func run(all bool) error {
	files, err := generate(all)
	if err != nil {
		return err
	}
	if all {
		_, err = os.Stdout.WriteString(files["docs/found.md"])
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(path, []byte(files[path]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the contents of all generated files, by their path in the
// repository, which has to be the current directory. Everything that was found makes docs/found.md long.
func generate(everything bool) (map[string]string, error) {
	found, err := lintCorpus()
	if err != nil {
		return nil, err
	}
	examples, err := findExamples(found)
	if err != nil {
		return nil, err
	}
	files := map[string]string{
		"docs/knobs.md":  knobsPage(),
		"docs/limits.md": limitsPage(),
		"docs/rules.md":  index(),
		kaitaiPath:       kaitai(),
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
	if files["docs/found.md"], err = foundPage(found, consumers, known, everything); err != nil {
		return nil, err
	}
	if files["internal/evidence/clauses/examples.json"], err = examplesJSON(examples); err != nil {
		return nil, err
	}
	if files["docs/performance.md"], err = performancePage(); err != nil {
		return nil, err
	}
	return files, nil
}
