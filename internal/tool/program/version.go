package program

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version is set by the linker for releases:
// -X github.com/sframe-lint/sframe-lint/internal/tool/program.version=...
var version string

// Version returns the version of the program: the one that the linker
// set, if any; else that of the go command.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}

// versionText is what --version prints after the name: the version, the commit, and the version of Go.
func versionText() string {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return fmt.Sprintf("%s (commit %s, %s, %s/%s)", Version(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
