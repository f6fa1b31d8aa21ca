package lintcmd

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal tells whether w is a terminal that understands escapes.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// useColor tells whether to write colours to w: on a terminal, unless one of
// the usual variables says otherwise.
func useColor(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	return os.Getenv("CLICOLOR") != "0" && isTerminal(w)
}
