package campaign

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// TestReports takes the keys of reports that sanitizers and languages wrote, shortened. Those of libraries and
// of handlers that pass a failure on name the program's own place.
func TestReports(t *testing.T) {
	want := map[string]string{
		"asan-allocation":     "asan allocation-size-too-big a.c:20",
		"asan-bad-free":       "asan bad-free a.c:22",
		"asan-double-free":    "asan double-free a.c:10",
		"asan-leak":           "leak a.c:12",
		"asan-null":           "asan access a.c:15",
		"asan-read":           "asan access a.c:5 from a.c:6",
		"asan-stack-overflow": "asan stack-overflow a.c:11",
		"asan-write":          "asan write a.c:8",
		"glibc-double-free":   "heap free(): double free detected in tcache N",
		"go-again":            "panic runtime error: index out of range [N] with length N main.go:7",
		"go-error":            "panic bad main.go:18",
		"go-fatal":            "fatal error concurrent map writes main.go:25",
		"go-goroutine":        "panic runtime error: index out of range [N] with length N main.go:7",
		"go-index":            "panic runtime error: index out of range [N] with length N main.go:7",
		"go-library":          "panic runtime error: index out of range [N] with length N main.go:5 from main.go:6",
		"go-second":           "panic first main.go:26",
		"go-stack-overflow":   "fatal error stack overflow main.go:21",
		"java-cause":          "exception java.lang.ArrayIndexOutOfBoundsException T.java:6",
		"java-library":        "exception java.lang.IndexOutOfBoundsException T.java:4 from T.java:5",
		"java-printed":        "exception java.lang.ArrayIndexOutOfBoundsException T.java:6",
		"java-stack-overflow": "exception java.lang.StackOverflowError T.java:7",
		"java-substring":      "exception java.lang.StringIndexOutOfBoundsException T.java:16",
		"lsan-leak":           "leak a.c:12",
		"lsan-read":           "sanitizer access a.c:7",
		"node":                "exception RangeError n.js:1 from n.js:2",
		"python-cause":        "exception struct.error p.py:3 from p.py:4",
		"python-during":       "exception struct.error p.py:3 from p.py:4",
		"python-group":        "exception ExceptionGroup p.py:19",
		"python-lines":        "exception ValueError p.py:7",
		"python-recursion":    "exception RecursionError p.py:5",
		"python":              "exception struct.error p.py:3 from p.py:4",
		"rust-backtrace":      "panic p.rs:2 from p.rs:3",
		"rust-stack-overflow": "panic stack overflow",
		"rust-thread":         "panic p.rs:4",
		"rust-unreachable":    "panic p.rs:14",
		"rust":                "panic p.rs:2",
		"tsan-race":           "ThreadSanitizer data race t.c:2",
		"ubsan-stack":         "ubsan a.c:13 shift exponent N is too large for N-bit type 'int'",
		"ubsan":               "ubsan a.c:13 shift exponent N is too large for N-bit type 'int'",
	}
	reports := readReports(t)
	for name, key := range want {
		got, _ := internalFailure(reports[name])
		assert.Equal(t, key, got.key, name)
	}
	assert.Len(t, reports, len(want))
}

// readReports returns reports of sanitizers, libraries and runtimes, by name.
func readReports(t *testing.T) map[string][]byte {
	archive, err := txtar.ParseFile("testdata/reports.txtar")
	require.NoError(t, err)
	all := map[string][]byte{}
	for _, f := range archive.Files {
		all[f.Name] = f.Data
	}
	return all
}
