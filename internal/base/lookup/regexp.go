package lookup

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles a regular expression at its first call. Most runs of a program need few of
// them.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
