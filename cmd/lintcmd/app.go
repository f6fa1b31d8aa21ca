// Package lintcmd is the command line of sframe-lint. A program with rules
// of its own is a main function that hands them to [Main].
package lintcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
	"github.com/sframe-lint/sframe-lint/rules/consumer"
)

// Exit statuses. An input that could not be read weighs more than a
// finding: the findings are not all there is to know.
const (
	exitClean    = 0
	exitFindings = 1 // at or above --fail-on
	exitUsage    = 2
	exitFailed   = 3 // an input could not be read, or an internal error
)

// Main runs the command with the arguments behind its name and returns the
// exit status. The extra rules join those of the catalogue, by ID.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, extra ...*rules.Rule) int {
	tuneMemory()
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, extra: extra}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var failed *statusError
	switch {
	case err == nil:
		return a.status
	case errors.As(err, &failed):
		a.say("%s", reports.Escape(err.Error()))
		return failed.status
	}
	a.say("%s\nTry 'sframe-lint --help' for more.", reports.Escape(err.Error()))
	return exitUsage
}

// tuneMemory spares a small run the garbage collector: the first collection
// is put off, those behind it come as usual, as a large run is the faster
// and smaller for them. The user's own settings win.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		// The cleanup is run when the first collection has found the mark
		// unused. The mark has no company in its block of memory.
		mark := new([64]byte)
		runtime.AddCleanup(mark, func(percent int) { debug.SetGCPercent(percent) }, 100)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(1 << 30)
	}
}

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	extra          []*rules.Rule
	status         int // that no error tells
}

// statusError is an error that is not one of usage.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// failed marks an error as one of I/O or of ours.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &statusError{exitFailed, err}
}

// say writes a line to standard error. What comes from an input must have
// been escaped.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.stderr, "sframe-lint: "+format+"\n", args...)
}

// rules returns all rules there are, by ID.
func (a *app) rules() []*rules.Rule {
	all := catalogue.Rules()
	if !slices.ContainsFunc(all, func(r *rules.Rule) bool { return r.Family() == consumerFamily }) {
		all = append(all, consumer.Rules(nil)...)
	}
	if len(a.extra) > 0 {
		all = append(all, a.extra...)
		slices.SortStableFunc(all, func(r, s *rules.Rule) int { return strings.Compare(r.ID, s.ID) })
	}
	return all
}

// command returns the tree of commands.
func (a *app) command() *cobra.Command {
	root := a.lintCommand()
	root.AddCommand(a.dumpCommand(), a.diffCommand(), a.linkCommand(), a.censusCommand(), a.consumersCommand(), a.rulesCommand(), a.explainCommand(), a.versionCommand())
	return root
}
