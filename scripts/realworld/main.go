// Command realworld checks the files that the script build of this directory makes, and
// prints how many findings there are in 100 of them, by producer and by rule.
//
//	go run ./scripts/realworld OUTDIR...
//	go run ./scripts/realworld -write docs/realworld.md OUTDIR...
//
// OUTDIR has the file list.tsv of build. All rules run that are on by default.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	pages "github.com/sframe-lint/sframe-lint/scripts/internal/page"
)

func main() {
	page := flag.String("write", "", "write the tables into this `PAGE`, docs/realworld.md")
	flag.Parse()
	if err := run(*page, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "realworld:", err)
		os.Exit(1)
	}
}

func run(page string, dirs []string) error {
	var t table
	for _, dir := range dirs {
		builds, err := list(dir)
		if err != nil {
			return err
		}
		if err := t.check(builds); err != nil {
			return err
		}
	}
	return pages.Write(page, "tables", t.markdown())
}

// build is a line of list.tsv.
type build struct {
	path     string
	producer string // with its version, without the date of a snapshot
	abi      string
	pkg      string
	kind     string
}

func list(dir string) ([]build, error) {
	data, err := os.ReadFile(filepath.Join(dir, "list.tsv"))
	if err != nil {
		return nil, err
	}
	var out []build
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		parts := strings.Split(f[0], "/") // ABI, package, flags, producer, ...
		if len(f) != 6 || len(parts) < 4 {
			return nil, fmt.Errorf("%s: not a line of list.tsv: %q", dir, line)
		}
		out = append(out, build{filepath.Join(dir, f[0]), f[1] + " " + release(f[2]), f[3], parts[1], f[5]})
	}
	return out, nil
}

// release returns a version, or the two of an assembler and a linker, without patch levels.
func release(version string) string {
	both := strings.Split(version, "+")
	for i, v := range both {
		parts := strings.Split(v, ".")
		both[i] = strings.Join(parts[:min(len(parts), 2)], ".")
	}
	return strings.Join(both, "+")
}

// check lints the files of a directory and counts their findings.
func (t *table) check(builds []build) error {
	linter, err := lint.New(lint.Options{Profile: "toolchain"})
	if err != nil {
		return err
	}
	// A run gets its paths at once, and reports the files in their order.
	paths := make([]string, len(builds))
	for i := range builds {
		paths[i] = builds[i].path
	}
	i := 0
	for f := range linter.Run(context.Background(), paths...).Files() {
		if i == len(builds) || f.Path != builds[i].path {
			return fmt.Errorf("%s: not the next file of the list", f.Path)
		}
		if f.Err != nil {
			return f.Err
		}
		t.count(&builds[i], f)
		i++
	}
	return nil
}
