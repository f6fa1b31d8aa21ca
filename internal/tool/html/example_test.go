package html_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
)

// Write a page. Its findings come with bytes if the results have excerpts.
func Example() {
	linter, err := lint.New(lint.Options{Listings: true})
	if err != nil {
		log.Fatal(err)
	}
	var page bytes.Buffer
	renderer := html.New(&page, reports.Tool{Name: "my-lint", Version: "1"})
	run := linter.Run(context.Background(), "../../../corpus/files/hand/v3-amd64-bad-version.sframe")
	for file := range run.Files() {
		if err := renderer.File(file); err != nil {
			log.Fatal(err)
		}
	}
	if err := renderer.Close(run.Summary()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(page.String(), "<article"))
	// Output:
	// 1
}
