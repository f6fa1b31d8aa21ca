package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sframe-lint/sframe-lint/cmd/lintcmd"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sframe-fuzz": main,
		"sframe-lint": func() { os.Exit(lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":     status,
			"same-files": sameFiles,
		},
	})
}

// status runs a program and checks its exit status: status N PROGRAM ARG...
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// sameFiles sees that two directories have the same files: same-files A B.
func sameFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same-files A B")
	}
	a, b := files(ts, args[0]), files(ts, args[1])
	if len(a) == 0 || len(a) != len(b) {
		ts.Fatalf("%d files and %d files", len(a), len(b))
	}
	for name, data := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(data, other) {
			ts.Fatalf("%s differs", name)
		}
	}
}

func files(ts *testscript.TestScript, dir string) map[string][]byte {
	all := map[string][]byte{}
	entries, err := os.ReadDir(ts.MkAbs(dir))
	ts.Check(err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(ts.MkAbs(dir), e.Name()))
		ts.Check(err)
		all[e.Name()] = b
	}
	return all
}
