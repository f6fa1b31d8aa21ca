package rules_test

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// SmallFunctions is a rule of somebody else's: it has its own identifier and
// runs beside those of the catalogue.
var SmallFunctions = rules.New(rules.Rule{
	ID:       "ACME1001",
	Title:    "function of less than 32 bytes",
	Severity: rules.Warning,
	Text:     "Our build inlines such functions; one that has an FDE was missed.",
}, func(c *rules.Context) {
	c.FDEs(nil, func(f model.FDE) {
		if f.Size() < 32 {
			c.FDE(f, model.FDEFuncSize, "the function has %d bytes, less than 32", f.Size())
		}
	})
})

// Anyone can add rules: to a driver, as here, or to [lint.Options.Extra].
func Example_ownRule() {
	driver := &rules.Driver{Rules: append(catalogue.Default(), SmallFunctions)}
	err := reader.Scan("../corpus/files/hand/v3-amd64.sframe", reader.Options{}, func(o *reader.Object) error {
		for _, f := range driver.Run(o).Findings {
			if f.Rule.ID[:2] != "SF" {
				fmt.Printf("%s at 0x%x: %s\n", f.Rule.ID, f.Span.Off, f.Message)
			}
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// ACME1001 at 0x34: the function has 16 bytes, less than 32
	// ACME1001 at 0x64: the function has 16 bytes, less than 32
	// <nil>
}

// The catalogue's analyzers run in any driver of analyzers: it names the file to check.
func Example_foreignDriver() {
	const path = "../corpus/files/hand/v3-amd64.sframe"
	results := map[*analysis.Analyzer]any{}
	var result func(a *analysis.Analyzer) any
	result = func(a *analysis.Analyzer) any {
		if v, done := results[a]; done {
			return v
		}
		pass := &analysis.Pass{Analyzer: a, OtherFiles: []string{path}, ReadFile: os.ReadFile, ResultOf: map[*analysis.Analyzer]any{}}
		for _, req := range a.Requires {
			pass.ResultOf[req] = result(req)
		}
		v, err := a.Run(pass)
		if err != nil {
			panic(err)
		}
		results[a] = v
		return v
	}
	for _, r := range catalogue.Default() {
		for _, f := range result(r.Analyzer).(*rules.Report).Found {
			fmt.Printf("bytes %d to %d: %s\n", f.Span.Off, f.Span.End(), r.Analyzer.Name)
		}
	}
	// Output:
	// bytes 157 to 161: SF3201
}
