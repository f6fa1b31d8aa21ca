package campaign

import (
	"bytes"
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed programs.yaml
var programsFile []byte

// known is what programs.yaml has.
type known struct {
	Failures []failure
	Stacks   map[string]*stack
	Helpers  string
	Projects []struct {
		In             []string
		Bugs, Security string
	}

	helper *regexp.Regexp
}

// failure is how programs report that they have failed internally.
type failure struct {
	Text    string
	Has     []string // one of these is in the text, if there are any: they are found faster
	Key     string   // with $1, $2, ...
	Place   string   // if the stack has no frames
	Stack   string   // the kind of the stack that follows, "" for none
	pattern *regexp.Regexp
}

// in reports whether the failure may be in a text.
func (f *failure) in(text []byte) bool {
	return len(f.Has) == 0 || slices.ContainsFunc(f.Has, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}

// stack is how a stack is written: frames of a function and its place, from the innermost on, or up
// to it. Frames outside of the program, by the name of the function or the path of its source, do not count.
type stack struct {
	Frame, Outside, Part, After, Allocated string
	Last                                   bool

	frame, outside, part, after, allocated *regexp.Regexp
}

// programs returns what is known of programs. The file is a part of this one, so an error in it is
// a panic.
var programs = sync.OnceValue(func() *known {
	k := &known{}
	if err := yaml.UnmarshalWithOptions(programsFile, k, yaml.Strict()); err != nil {
		panic(err)
	}
	for i := range k.Failures {
		k.Failures[i].pattern = regexp.MustCompile(k.Failures[i].Text)
	}
	for _, s := range k.Stacks {
		s.part, s.after = regexp.MustCompile(cmp.Or(s.Part, "(?s)^.*$")), regexp.MustCompile(cmp.Or(s.After, "^"))
		s.frame, s.outside = regexp.MustCompile(s.Frame), regexp.MustCompile(cmp.Or(s.Outside, "^$"))
		s.allocated = regexp.MustCompile(cmp.Or(s.Allocated, "^"))
	}
	k.helper = regexp.MustCompile(k.Helpers)
	return k
})
