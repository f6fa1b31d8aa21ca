// Command realworld checks the files that the script build of this directory makes, and
// prints how many findings there are in 100 of them, by producer and by rule.
//
//	go run -C scripts ./realworld OUTDIR...
//
// OUTDIR has the file list.tsv of build. All rules run that are on by default.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/scripts/internal/builds"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	flag.Parse()
	if err := run(os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "realworld:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, dirs []string) error {
	var t table
	for _, dir := range dirs {
		files, err := list(dir)
		if err != nil {
			return err
		}
		if err := t.check(files); err != nil {
			return err
		}
	}
	_, err := w.Write(t.markdown())
	return err
}

// build is a line of list.tsv.
type build struct {
	path     string
	producer string // with its version, without the date of a snapshot
	abi      string
	pkg      string
	kind     string
}

func list(dir string) (out []build, err error) {
	all, err := builds.Read(dir)
	for _, x := range all {
		out = append(out, build{filepath.Join(dir, x.Path), x.Tool + " " + release(x.Version), x.ABI, x.Parts[1], x.Kind})
	}
	return out, err
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
