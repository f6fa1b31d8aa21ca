package sarif_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/sarif"
)

// Write a SARIF report.
func Example() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var report bytes.Buffer
	renderer := sarif.New(&report, sarif.Options{Tool: reports.Tool{Name: "my-lint", Version: "1"}, Rules: linter.Rules()})
	run := linter.Run(context.Background(), "../../corpus/files/hand/v3-amd64-bad-version.sframe")
	for file := range run.Files() {
		if err := renderer.File(file); err != nil {
			log.Fatal(err)
		}
	}
	if err := renderer.Close(run.Summary()); err != nil {
		log.Fatal(err)
	}
	var sarif struct {
		Runs []struct {
			Results []struct{ RuleID, Level string }
		}
	}
	if err := json.Unmarshal(report.Bytes(), &sarif); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sarif.Runs[0].Results)
	// Output:
	// [{SF1003 error}]
}
