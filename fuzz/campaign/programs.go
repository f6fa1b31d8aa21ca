package campaign

import (
	_ "embed"
	"regexp"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed programs.yaml
var programsFile []byte

// known is what programs.yaml has.
type known struct {
	Failures []struct {
		Text    string
		Key     string // with $1, $2, ...
		pattern *regexp.Regexp
	}
	Projects []struct {
		In             []string
		Bugs, Security string
	}
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
	return k
})
