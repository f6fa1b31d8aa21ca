// Command code holds the call frame information of libraries against their machine code by SF6022, and
// measures how much of machine code is tracked. It writes the tables of docs/studies/code.md.
//
//	go run -C scripts ./code [-write docs/studies/code.md] [-real OUTDIR] NAME=FILE...
//
// NAME is what a line of the tables calls FILE, such as "libc 2.36 (Debian)". OUTDIR has the file
// list.tsv of scripts/realworld/build, whose objects are measured by ABI; without it, the
// table of these remains as it is.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/scripts/internal/builds"
	pages "github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	page := flag.String("write", "", "write the tables into this `PAGE`, docs/studies/code.md")
	real := flag.String("real", "", "also measure the objects of `OUTDIR`")
	flag.Parse()
	if err := run(*page, *real, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "code:", err)
		os.Exit(1)
	}
}

func run(page, real string, args []string) error {
	var findings, libraries bytes.Buffer
	fmt.Fprint(&findings, "| file | ABI | findings | first functions |\n|---|---|---|---|\n")
	fmt.Fprint(&libraries, "| file | ABI | functions | tracked | instructions | tracked | not tracked |\n|---|---|---|---|---|---|---|\n")
	for _, arg := range args {
		name, path, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q: want NAME=FILE", arg)
		}
		abi, code, err := measure(path)
		if err != nil {
			return err
		}
		n, first, err := contradictions(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&findings, "| %s | %s | %d | %s |\n", name, abi, n, first)
		fmt.Fprintf(&libraries, "| %s | %s | %s |\n", name, abi, cells(&code))
	}
	if err := pages.Write(page, "findings", findings.Bytes()); err != nil {
		return err
	}
	if real != "" {
		text, err := objects(real)
		if err != nil {
			return err
		}
		if err := pages.Write(page, "objects", text); err != nil {
			return err
		}
	}
	return pages.Write(page, "libraries", libraries.Bytes())
}

// contradictions returns how many findings of SF6022 a file has, and the first functions with one.
func contradictions(path string) (n int, first string, err error) {
	l, err := lint.New(lint.Options{Select: []string{"SF6022"}, Show: rules.Note, Limits: budget.Limits{budget.Findings: -1}})
	if err != nil {
		return 0, "", err
	}
	var names []string
	r := l.Run(context.Background(), path)
	for f := range r.Files() {
		if f.Err != nil {
			return 0, "", f.Err
		}
		for i := range f.Objects {
			for j := range f.Objects[i].Findings {
				x := &f.Objects[i].Findings[j]
				n++
				if name := "`" + cmp.Or(x.Function, x.Address()) + "`"; len(names) < 3 && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return n, strings.Join(names, ", "), r.Err()
}

// measure returns how much of the code of a file is tracked.
func measure(path string) (abi string, code coverage.Code, err error) {
	found := errors.New("no code that can be tracked")
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		f, err := coverage.Measure(o, 0)
		if err != nil || o.ELF == nil {
			return err
		}
		if err := f.MeasureCode(o); err != nil || f.Tracked == nil {
			return err
		}
		abi, found = o.ELF.ABI().Name, nil
		add(&code, f.Tracked)
		return nil
	})
	if err = errors.Join(err, found); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return abi, code, err
}

// add adds what was measured of another object.
func add(to, c *coverage.Code) {
	to.Functions += c.Functions
	to.TrackedFunctions += c.TrackedFunctions
	to.Insns += c.Insns
	to.TrackedInsns += c.TrackedInsns
	for _, u := range c.Untracked {
		i := slices.IndexFunc(to.Untracked, func(x coverage.Unknown) bool { return x.Reason == u.Reason })
		if i < 0 {
			to.Untracked = append(to.Untracked, u)
			continue
		}
		to.Untracked[i].Insns += u.Insns
	}
}

// cells returns the cells of a line that say what was measured.
func cells(c *coverage.Code) string {
	slices.SortFunc(c.Untracked, func(a, b coverage.Unknown) int { return b.Insns - a.Insns })
	var why []string
	for _, u := range c.Untracked {
		why = append(why, fmt.Sprintf("%d %s", u.Insns, u.Reason))
	}
	return fmt.Sprintf("%d | %s | %d | %s | %s", c.Functions, share(c.TrackedFunctions, c.Functions), c.Insns, share(c.TrackedInsns, c.Insns), strings.Join(why, ", "))
}

// share returns a percentage, rounded down: not all is not 100%.
func share(n, of int) string {
	if n == of {
		return "100%"
	}
	return fmt.Sprintf("%.2f%%", float64(n*10000/of)/100)
}

// objects measures the objects that list.tsv names, by ABI and language.
func objects(dir string) ([]byte, error) {
	list, err := builds.Read(dir)
	if err != nil {
		return nil, err
	}
	type key struct{ abi, language string }
	sums, files := map[key]*coverage.Code{}, map[key]int{}
	var keys []key
	for _, x := range list {
		if x.Kind == "archive" {
			continue
		}
		abi, code, err := measure(filepath.Join(dir, x.Path))
		if err != nil {
			return nil, err
		}
		k := key{abi, "C"}
		if slices.Contains(cxx, x.Parts[1]) {
			k.language = "C++"
		}
		if sums[k] == nil {
			sums[k] = &coverage.Code{}
			keys = append(keys, k)
		}
		add(sums[k], &code)
		files[k]++
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "| ABI | language | files | functions | tracked | instructions | tracked | not tracked |\n|---|---|---|---|---|---|---|---|\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", k.abi, k.language, files[k], cells(sums[k]))
	}
	return b.Bytes(), nil
}

// cxx are the packages of scripts/realworld in C++.
var cxx = []string{"fmt", "leveldb", "snappy", "tinyxml2"}
