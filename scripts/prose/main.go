// Command prose checks the English of pages, comments, help texts and messages, using Vale and the folder styles:
//
//	go -C scripts run ./prose [-all]
//
// It prints errors, and with -all also warnings, one per line. It exits with status 1 if there are errors.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// vale is the newest version of Vale whose modules the proxy serves.
const vale = "github.com/vale-cli/vale/v3/cmd/vale@v3.21.0"

// notProse matches files of data, tests, and pages whose text is generated from checked sources.
var notProse = regexp.MustCompile(`(^|/)testdata/|^corpus/|^docs/(site|schema)/|^docs/(rules|consumers|knobs|limits)\.md$|_test\.go$`)

func main() {
	log.SetFlags(0)
	log.SetPrefix("prose: ")
	all := flag.Bool("all", false, "also print warnings")
	flag.Parse()
	errors, err := check(*all)
	if err != nil {
		log.Fatal(err)
	}
	if errors > 0 {
		log.Fatalf("%d errors", errors)
	}
}

func check(all bool) (errors int, err error) {
	root, err := output("git", "rev-parse", "--show-toplevel")
	if err != nil {
		return 0, err
	}
	if err := os.Chdir(strings.TrimSpace(root)); err != nil {
		return 0, err
	}
	list, err := output("git", "ls-files", "*.md", "*.go")
	if err != nil {
		return 0, err
	}
	messages, err := os.MkdirTemp("", "prose")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(messages)
	var files []string
	for _, file := range strings.Fields(list) {
		if notProse.MatchString(file) {
			continue
		}
		files = append(files, file)
		if strings.HasSuffix(file, ".go") {
			text := filepath.Join(messages, file+".txt")
			if err := extract(file, text); err != nil {
				return 0, err
			}
			files = append(files, text)
		}
	}
	level := "error"
	if all {
		level = "warning"
	}
	args := append([]string{"run", vale, "--config", "scripts/prose/vale.ini", "--output", "line", "--no-exit", "--minAlertLevel", level}, files...)
	found, err := output("go", args...)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(found) {
		fmt.Print(strings.TrimPrefix(line, messages+"/"))
		errors++
	}
	if all {
		return 0, nil
	}
	return errors, nil
}

// extract writes the string literals of a Go file that are sentences, each at its line in the source.
func extract(file, text string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	line := 1
	ast.Inspect(f, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		s, err := strconv.Unquote(literal.Value)
		if err != nil || strings.Count(s, " ") < 3 {
			return true
		}
		for at := fset.Position(literal.Pos()).Line; line < at; line++ {
			w.WriteByte('\n')
		}
		w.WriteString(strings.ReplaceAll(s, "\n\n", "\n"))
		w.WriteString(" ")
		line += strings.Count(strings.ReplaceAll(s, "\n\n", "\n"), "\n")
		return true
	})
	w.Flush()
	if err := os.MkdirAll(filepath.Dir(text), 0o755); err != nil {
		return err
	}
	return os.WriteFile(text, b.Bytes(), 0o644)
}

func output(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return string(out), nil
}
