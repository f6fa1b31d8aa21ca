// Package fuzzcmd is the command line of sframe-fuzz.
package fuzzcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/reports"
)

// Exit statuses, as those of sframe-lint.
const (
	exitClean    = 0
	exitFindings = 1 // the self-check has found something
	exitUsage    = 2
	exitFailed   = 3 // a file could not be read or written, or an internal error
)

// Main runs the command with the arguments behind its name and returns the
// exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
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
	a.say("%s\nTry 'sframe-fuzz --help' for more.", reports.Escape(err.Error()))
	return exitUsage
}

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
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
	fmt.Fprintf(a.stderr, "sframe-fuzz: "+format+"\n", args...)
}

const rootLong = `Makes SFrame stack trace data to test its readers with: valid sections of all
kinds, sections with known faults, damaged ones, seeds for other fuzzers; and makes
files that a reader fails on smaller.

The same seed and flags always give the same files, whatever -j says.

Exit status:

    0  done, and nothing was found
    1  the self-check (run) has found a fault
    2  the command line is wrong; nothing was done
    3  a file could not be read or written, or an internal error`

// command returns the tree of commands.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "sframe-fuzz",
		Short:         "Make SFrame stack trace data to test readers with",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(*cobra.Command, []string) error { return errors.New("no command is named") },
	}
	root.AddCommand(
		a.genCommand(), a.breakCommand(), a.mutateCommand(), a.shrinkCommand(), a.exportCommand(), a.runCommand(),
		a.versionCommand(),
	)
	return root
}
