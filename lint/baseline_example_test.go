package lint_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Record the findings of a run, and leave them out of the next one.
func ExampleBaseline() {
	rule := rules.New(rules.Rule{ID: "ACME1001", Title: "small function"}, nil)
	main := rules.Finding{Rule: rule, Path: "build/a.out", Section: ".sframe", InSection: true, FDE: 3, FRE: -1, Function: "main"}
	other := main
	other.Function = "other"

	var recorder lint.Recorder
	recorder.Add(&main)
	var file bytes.Buffer
	if err := recorder.Write(&file); err != nil {
		log.Fatal(err)
	}
	fmt.Print(file.String())

	known, err := lint.ReadBaseline(&file)
	if err != nil {
		log.Fatal(err)
	}
	main.FDE, main.FileOffset = 5, 0x1000 // the file was built again
	fmt.Println(known.Has(&main), known.Has(&other))
	// Output:
	// {
	//   "schema": "sframe-lint/baseline/1",
	//   "findings": [
	//     {"rule":"ACME1001","file":"build/a.out","section":".sframe","function":"main","place":"FDE","count":1}
	//   ]
	// }
	// true false
}
