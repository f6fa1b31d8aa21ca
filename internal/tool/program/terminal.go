package program

import (
	"io"
	"os"

	"golang.org/x/term"
)

// clearLine clears the line of the cursor, on a terminal.
const clearLine = "\r\x1b[K"

// IsTerminal reports whether w is a terminal that understands escapes.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Width returns the number of characters in a line of the terminal w, or usual if w is not a terminal or does not
// report its width.
func Width(w io.Writer, usual int) int {
	if !IsTerminal(w) {
		return usual
	}
	n, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || n <= 0 {
		return usual
	}
	return n
}

// InCI reports whether the program runs in a service that keeps its output as a log, even if the output looks like a
// terminal.
func InCI() bool {
	v := os.Getenv("CI")
	return v != "" && v != "false" && v != "0"
}
