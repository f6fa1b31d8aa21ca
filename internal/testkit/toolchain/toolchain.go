// Package toolchain finds the real tools with which tests compare results. The environment variable SFRAME_TOOLS
// names the directory into which scripts/toolchains has unpacked them.
package toolchain

import (
	"os"
	"path/filepath"
	"testing"
)

// Bin returns the absolute path of the tools' directory. It skips the test if there are no tools.
func Bin(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SFRAME_TOOLS")
	if dir == "" {
		t.Skip("SFRAME_TOOLS names no toolchain directory (see scripts/toolchains)")
	}
	bin, err := filepath.Abs(filepath.Join(dir, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// Tool returns the path of a tool, such as sid-x86_64-as. It skips the test if the tool is missing.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Bin(t), name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s among the toolchains", name)
	}
	return path
}

// Tests returns the files of the binutils test suite that match patterns such as gas/testsuite/*.s. It skips the test
// if there are none.
func Tests(t testing.TB, patterns ...string) (files []string) {
	t.Helper()
	root := filepath.Join(filepath.Dir(Bin(t)), "sid", "tests")
	for _, pattern := range patterns {
		some, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	if len(files) == 0 {
		t.Skip("the tools were unpacked without tests")
	}
	return files
}
