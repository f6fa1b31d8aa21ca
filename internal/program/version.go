package program

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker for releases:
// -X github.com/sframe-lint/sframe-lint/internal/program.version=...
var version string

// Version returns the version of the program: the one that the linker
// set, if any; else that of the go command.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// VersionCommand returns the command that prints the version.
func VersionCommand(name, long string, stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  long,
		Args:  NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(stdout, "%s %s (%s, %s/%s)\n", name, Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return Failed(err)
		},
	}
}
