// Package fuzzcmd is the command line of sframe-fuzz.
package fuzzcmd

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

const name = "sframe-fuzz"

// Main runs the command with the arguments after its name and returns the exit
// status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	if status := program.Run(a.command(), args, stdin, stdout, stderr); status != program.ExitClean {
		return status
	}
	return a.status
}

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	status         int // unless there is an error
}

const rootLong = `Makes SFrame stack trace data to test readers with: valid sections of all kinds,
sections with known faults, damaged ones, and seeds for other fuzzers. Minimizes files
on which a reader fails.

The same seed and flags always give the same files, for any value of -j.

Exit status:

    0  success
    1  'run' or 'check' has a new find, or a decoder fails a case
    2  the command line is wrong; nothing was done
    3  a file could not be read or written, or an internal error`

// command returns the tree of commands.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           name,
		Short:         "Make SFrame stack trace data to test readers with",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          program.NoArgs,
		RunE:          func(*cobra.Command, []string) error { return errors.New("no command given") },
	}
	root.AddCommand(
		a.genCommand(), a.breakCommand(), a.mutateCommand(), a.shrinkCommand(), a.exportCommand(),
		a.knobsCommand(), a.runCommand(), a.mergeCommand(), a.conformanceCommand(), a.checkCommand(),
	)
	return root
}
