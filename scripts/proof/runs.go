package main

import (
	_ "embed"
	"strings"

	"github.com/goccy/go-yaml"
)

// run is an execution of a program.
type run struct {
	Program string // of the script build
	Name    string // distinguishes it from others of the program
	Exe     string // file in the program's directory
	Args    []string
	Stdin   string // file of this directory
	Steps   int    // millions
	Lua     string // tests of Lua's suite, where it is executed: a run each
}

// name returns the name of the run, which is unique.
func (r *run) name() string { return r.Program + "-" + r.Name }

// dirOut begins arguments that name what build wrote.
const dirOut = "OUT"

// plan is what runs.yaml has: the executions, and causes that explain mismatches, by regular
// expressions for the part of a row and for the function.
type plan struct {
	Runs   []run
	Causes []struct{ ABI, What, Rule, Function, Why string }
}

//go:embed runs.yaml
var planned []byte

// readPlan returns the plan, with a run for each of Lua's tests.
func readPlan() (*plan, error) {
	p := &plan{}
	if err := yaml.UnmarshalWithOptions(planned, p, yaml.Strict()); err != nil {
		return nil, err
	}
	var all []run
	for _, r := range p.Runs {
		if r.Lua == "" {
			all = append(all, r)
		}
		for test := range strings.FieldsSeq(r.Lua) {
			r.Name, r.Exe = test, "lua"
			r.Args = []string{"-e", "_U=true _soft=true _port=true _nomsg=true", test + ".lua"}
			all = append(all, r)
		}
	}
	p.Runs = all
	return p, nil
}
