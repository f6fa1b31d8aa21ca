package lintcmd_test

import (
	"os"

	"github.com/sframe-lint/sframe-lint/cmd/internal/lintcmd"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// SmallFunctions is a rule of one's own.
var SmallFunctions = rules.New(rules.Rule{
	ID:       "ACME1001",
	Title:    "function of less than 16 bytes",
	Severity: rules.Warning,
	Text:     "The build inlines such functions.",
}, func(c *rules.Context) {
	c.FDEs(nil, func(f model.FDE) {
		if f.Size() < 16 {
			c.FDE(f, model.FDEFuncSize, "the function has %d bytes", f.Size())
		}
	})
})

// A program with rules of one's own has all flags and subcommands of sframe-lint.
// It passes os.Args[1:] and exits with the status that Main returns.
func ExampleMain() {
	args := []string{"--select", "ACME", "../../../corpus/files/binutils-2.47/amd64/frames.o"}
	lintcmd.Main(args, os.Stdin, os.Stdout, os.Stdout, SmallFunctions)
	// Output:
	// ../../../corpus/files/binutils-2.47/amd64/frames.o: .sframe+0x24 (file 0x184): warning: FDE 0 "leaf": the function has 4 bytes [ACME1001]
	// sframe-lint: 1 file, 1 section: 0 errors, 1 warning, 0 notes
}
