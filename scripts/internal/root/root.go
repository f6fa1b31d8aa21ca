// Package root finds the root of the repository. `go run -C scripts` starts programs in scripts.
package root

import (
	"fmt"
	"os"
	"path/filepath"
)

// Enter makes the root the current directory: paths in arguments start there. It ends the process
// outside the repository.
func Enter() {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "scripts", "README.md")); err == nil {
			if err = os.Chdir(dir); err == nil {
				return
			}
		}
		if path, err := filepath.Abs(dir); err != nil || path == filepath.Dir(path) {
			fmt.Fprintln(os.Stderr, "not in the repository of sframe-lint")
			os.Exit(1)
		}
	}
}
