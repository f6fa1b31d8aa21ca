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
