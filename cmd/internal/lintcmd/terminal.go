package lintcmd

import (
	"io"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// useColor reports whether to write colours to w: as --color says, else on a terminal,
// unless one of the usual variables says otherwise.
func (a *app) useColor(w io.Writer) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case a.color != "auto":
		return a.color == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return os.Getenv("CLICOLOR") != "0" && program.IsTerminal(w)
}
