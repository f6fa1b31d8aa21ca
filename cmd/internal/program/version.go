package program

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version returns the version of the program: the one that the linker
// set, if any; else that of the go command.
func Version(set string) string {
	if set != "" {
		return set
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// VersionCommand returns the command that prints the version.
func VersionCommand(name, version, long string, stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  long,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(stdout, "%s %s (%s, %s/%s)\n", name, version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return Failed(err)
		},
	}
}
