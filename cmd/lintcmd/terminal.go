package lintcmd

import (
	"io"
	"os"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
)

// useColor reports whether to write colours to w: on a terminal, unless one of the
// usual variables says otherwise.
func useColor(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	return os.Getenv("CLICOLOR") != "0" && program.IsTerminal(w)
}
