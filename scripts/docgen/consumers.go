package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
)

// kindsOf counts the finds of each kind in words.
func kindsOf(c *corpus.Consumers) string {
	kinds := map[string]int{}
	for _, f := range c.Finds {
		kinds[f.Kind]++
	}
	var counts []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		counts = append(counts, fmt.Sprintf("%d %s", kinds[k], k))
	}
	return strings.Join(counts, ", ")
}

// total adds up the runs of a target.
func total(runs map[string]int) (n int) {
	for _, k := range runs {
		n += k
	}
	return n
}

func code(key string) string { return "`" + strings.ReplaceAll(key, "|", "\\|") + "`" }

func inputText(f corpus.ConsumerFind) string {
	if f.Break != "" {
		return f.Class + ": " + f.Break
	}
	return f.Class
}

// outcome sums up what a target did with the files of a break.
func outcome(n map[string]int) string {
	noticed := n["notices"] + n["rejects"]
	switch {
	case len(n) == 0:
		return "-"
	case n["crash"] > 0:
		return "crash"
	case n["hang"] > 0:
		return "hang"
	case n["memory"]+n["slow"] > 0:
		return "blow-up"
	case noticed > 0 && n["accepts"] > 0:
		return "notices some"
	case noticed > 0:
		return "notices"
	}
	return "silent"
}
