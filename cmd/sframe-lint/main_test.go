package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/cmd/internal/lintcmd"
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

//go:generate go test . -run ^TestScripts$ -update

var update = flag.Bool("update", false, "write the expected output in the scripts anew")

func TestMain(m *testing.M) {
	if os.Getenv(measured) != "" {
		os.Exit(measure())
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){
		"sframe-lint": main,
		// own-lint is a program with rules of its own, which don't change
		// when those of the catalogue do.
		"own-lint": func() {
			os.Exit(lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, everyRow, everyFDE, thousand, panics, wrecks, stuck, spoils))
		},
	})
}

var everyRow = rules.New(rules.Rule{ID: "SF9001", Title: "a row", Severity: rules.Note, Text: "Rows."},
	func(c *rules.Context) {
		c.Rows(func(model.FRE) bool { return true }, func(r model.FRE) { c.FRE(r, r.Span(), "starts at 0x%x", r.Start()) })
	})

var everyFDE = rules.New(rules.Rule{ID: "SF9002", Title: "a function", Severity: rules.Warning, Text: "Functions."},
	func(c *rules.Context) {
		c.FDEs(nil, func(f model.FDE) { c.FDE(f, model.FDEFuncSize, "has %d bytes", f.Size()) })
	})

// thousand has one finding more than are kept.
var thousand = rules.New(rules.Rule{ID: "SF9003", Title: "a lot", Severity: rules.Note, Text: "A lot.", OptIn: true},
	func(c *rules.Context) {
		for range budget.DefaultFindings + 1 {
			c.At(model.HdrFlags.Span(), "once more")
		}
	})

var panics = rules.New(rules.Rule{ID: "SF9101", Title: "panics", Severity: rules.Error, Text: "Panics.", OptIn: true},
	func(*rules.Context) { panic("the rule is\nbroken") })

// wrecks makes the driver itself fail.
var wrecks = rules.New(rules.Rule{ID: "SF9102", Title: "wrecks", Severity: rules.Error, Text: "Wrecks.",
	Scope: rules.PerObject, OptIn: true},
	func(c *rules.Context) { c.Object.SFrames = []*reader.SFrame{nil} })

// spoils has a fix that does harm.
var spoils = rules.New(rules.Rule{ID: "SF9104", Title: "spoils", Severity: rules.Note, Text: "Spoils.", OptIn: true},
	func(c *rules.Context) {
		c.With(rules.Repair("set version 9", model.HdrVersion.Span(), 9)).At(model.HdrVersion.Span(), "spoil it")
	})

// stuck takes all of the time that is left for a file whose name says so.
var stuck = rules.New(rules.Rule{ID: "SF9103", Title: "stuck", Severity: rules.Error, Text: "Stuck.",
	Scope: rules.PerObject, OptIn: true},
	func(c *rules.Context) {
		if strings.Contains(c.Object.Path+c.Object.Member, "stuck") {
			for c.Object.Context.Err() == nil {
				time.Sleep(time.Millisecond)
			}
		}
	})

// parallel are the scripts that run with the race detector, those of runs over many files at once.
var parallel = []string{"baseline", "dir", "exit", "failure", "fix", "jobs", "limit", "merge", "shard"}

func TestScripts(t *testing.T) {
	dir, files := "testdata/script", []string(nil)
	if testing.Short() {
		for _, name := range parallel {
			files = append(files, filepath.Join(dir, name+".txtar"))
		}
		dir = ""
	}
	corpus, err := filepath.Abs("../../corpus/files")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := filepath.Abs("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		WorkdirRoot:         t.TempDir(), // by default, every run leaves a directory behind
		Dir:                 dir,
		Files:               files,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CORPUS", corpus)
			e.Setenv("SCHEMAS", schemas)
			e.Setenv("TERM", "xterm")
			e.Setenv("ESC", "\x1b")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":        outputtest.Status,
			"for-each-file": forEachFile,
			"extend":        extend,
			"await-file":    awaitFile,
			"glob":          globFiles,
			"cut":           cut,
			"valid-json":    validJSON,
			"valid":         valid,
			"valid-sarif":   validSARIF,
		},
	})
}

// cut copies the beginning of a file: cut BYTES FROM TO.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut BYTES FROM TO")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b[:n], 0o666))
}

// validJSON checks reports against the published schema.
func validJSON(ts *testscript.TestScript, neg bool, files []string) {
	valid(ts, neg, append([]string{"findings"}, files...))
}

// valid checks files against a published schema: valid NAME FILE...
func valid(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: valid NAME FILE...")
	}
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(ts.Getenv("SCHEMAS"), args[0]+".schema.json"))
	ts.Check(err)
	for _, f := range args[1:] {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(f)))
		ts.Check(err)
		ts.Check(s.Validate(v))
	}
}

// validSARIF checks reports against the schema of SARIF.
func validSARIF(ts *testscript.TestScript, _ bool, files []string) {
	for _, f := range files {
		r, err := sarif.FromString(ts.ReadFile(f), sarif.WithStrictValidation())
		ts.Check(err)
		ts.Check(r.Validate())
	}
}

// forEachFile runs a command for each file of a directory, whose name replaces "@":
// for-each-file DIR status N PROGRAM ARG...
func forEachFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || args[1] != "status" {
		ts.Fatalf("usage: for-each-file DIR status N PROGRAM ARG...")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		outputtest.Status(ts, false, strings.Split(strings.ReplaceAll(strings.Join(args[2:], "\x00"), "@", filepath.Join(args[0], e.Name())), "\x00"))
	}
}

// extend adds a hole to a file: extend BYTES FILE.
func extend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: extend BYTES FILE")
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[1]), n))
}

// awaitFile waits for a file whose name matches a pattern: await-file PATTERN.
func awaitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await-file PATTERN")
	}
	for range 20_000 {
		if all, _ := filepath.Glob(ts.MkAbs(args[0])); len(all) > 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	ts.Fatalf("no file %s", args[0])
}

// globFiles checks whether files match a pattern: [!] glob PATTERN.
func globFiles(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: glob PATTERN")
	}
	if all, _ := filepath.Glob(ts.MkAbs(args[0])); neg != (len(all) == 0) {
		ts.Fatalf("files: %q", all)
	}
}

// The program links only these modules. One that is added must be worth its start-up and its
// bytes: scripts/instructions counts, and docs/RATIONALE.md has the reasons.
func TestModules(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".").Output())(t)
	linked := strings.Fields(string(out))
	slices.Sort(linked)
	assert.Equal(t, []string{
		"github.com/agnivade/levenshtein",
		"github.com/goccy/go-yaml",
		"github.com/klauspost/compress",
		"github.com/owenrumney/go-sarif/v3",
		"github.com/spf13/cobra",
		"github.com/spf13/pflag",
		"github.com/therootcompany/xz",
		"github.com/xeipuuv/gojsonpointer",   // of go-sarif
		"github.com/xeipuuv/gojsonreference", // of go-sarif
		"github.com/xeipuuv/gojsonschema",    // of go-sarif
		"golang.org/x/arch",
		"golang.org/x/sys",
		"golang.org/x/term",
		"golang.org/x/tools",
	}, slices.Compact(linked))
}
