// Command upstream writes the files prepared for other projects: the projects for google/oss-fuzz, and a folder for
// each report of a fault. It writes a report only if the commands in the folder show the fault in this run. TOOLS is
// the directory of scripts/toolchains. sframe-fuzz export writes tests for binutils and LLVM.
//
//	go run -C scripts ./upstream DIR TOOLS
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: upstream DIR TOOLS")
	}
	if err := ossFuzz(args[0]); err != nil {
		return err
	}
	n, err := writeReports(filepath.Join(args[0], "reports"), args[1])
	fmt.Println(n, "reports, each shown by the tools")
	return err
}

// ossFuzz writes the projects for OSS-Fuzz.
func ossFuzz(dir string) error {
	for project, from := range map[string]string{"sframe-lint": "integrations/oss-fuzz", "libsframe": "integrations/oss-fuzz/libsframe"} {
		to := filepath.Join(dir, "oss-fuzz/projects", project)
		files, err := filepath.Glob(filepath.Join(from, "*.*"))
		err = errors.Join(err, os.MkdirAll(to, 0o777), exec.Command("cp", append(files, filepath.Join(from, "Dockerfile"), to)...).Run())
		if err != nil {
			return err
		}
	}
	return nil
}
