package conformance_test

import (
	"fmt"
	"io/fs"

	"github.com/sframe-lint/sframe-lint/conformance"
)

// List the files with the cases of the corpus.
func Example() {
	names, _ := fs.Glob(conformance.Files, "cases/*.jsonl")
	fmt.Println(len(names), names[0])
	// Output: 2 cases/corpus.jsonl
}
