package config_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/config"
)

// Parse reads a configuration and rejects unknown names.
func ExampleParse() {
	known := config.Known{Rules: []string{"SF1003", "SF1004"}}
	c, err := config.Parse("lint.yaml", []byte("severity: {SF1004: note}\nlimits: {max-bytes: 64M}"), known)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Severity, c.Limits[budget.Section])
	_, err = config.Parse("lint.yaml", []byte("ignore: [SF7]"), known)
	fmt.Println(err)
	// Output:
	// [{SF1004 note}] 67108864
	// lint.yaml:1:10: unknown rule or prefix "SF7": 'sframe-lint rules' lists them
}
