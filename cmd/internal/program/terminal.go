package program

import (
	"io"
	"os"

	"golang.org/x/term"
)

// ClearLine takes away the line that the cursor is in, on a terminal.
const ClearLine = "\r\x1b[K"

// IsTerminal tells whether w is a terminal that understands escapes.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
