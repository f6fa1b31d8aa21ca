// Package program is what the command lines of all programs have in common:
// how they end, what they say of failures, and which version they are.
package program

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// Exit statuses. An input that could not be read weighs more than a
// finding: the findings are not all there is to know.
const (
	ExitClean    = 0
	ExitFindings = 1 // something was found that counts
	ExitUsage    = 2 // the command line or the configuration is wrong
	ExitFailed   = 3 // a file could not be read or written, or an internal error
)

// statusError is an error of which no look at the usage helps.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// Failed marks an error, if it is one, as one of I/O or of ours: the exit
// status is [ExitFailed].
func Failed(err error) error { return ending(ExitFailed, err) }

// Wrong marks an error, if it is one, as one of the configuration: the exit
// status is [ExitUsage], but the command line's usage is not to blame.
func Wrong(err error) error { return ending(ExitUsage, err) }

func ending(status int, err error) error {
	if err == nil {
		return nil
	}
	return &statusError{status, err}
}

// InternalError is a panic that somebody has caught.
type InternalError struct {
	What  string
	Stack []byte // told behind the error
}

func (e *InternalError) Error() string { return "internal error: " + e.What }

// Run runs a tree of commands with the arguments behind the program's name
// and returns the exit status: [ExitClean] where the command returned no
// error, else that of [Failed] or [Wrong]; any other error is one of usage.
func Run(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return ExitClean
	}
	text := escape.Printable(err.Error())
	var e *statusError
	if errors.As(err, &e) {
		Say(stderr, root.Name(), "%s", text)
		var ours *InternalError
		if errors.As(err, &ours) {
			_, _ = stderr.Write(ours.Stack)
		}
		return e.status
	}
	Say(stderr, root.Name(), "%s\nTry '%s --help' for more.", text, root.Name())
	return ExitUsage
}

// Say writes a line of a program's to standard error. What comes from an
// input must have been escaped.
func Say(stderr io.Writer, name, format string, args ...any) {
	fmt.Fprintf(stderr, name+": "+format+"\n", args...)
}
