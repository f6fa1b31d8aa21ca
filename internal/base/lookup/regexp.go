package lookup

import (
	"regexp"
	"sync"
)

// Regexp returns a function for a regular expression, which is compiled when it is first called: most runs of a program
// need few of them.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
