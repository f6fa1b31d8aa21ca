package main

import (
	"cmp"
	_ "embed"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
)

// run is an execution of a program.
type run struct {
	Program string // of the script build
	Real    string // instead: the name of programs that scripts/realworld has made; a run for each
	Name    string // distinguishes it from others of the program
	Exe     string // file in the program's directory
	Args    []string
	Stdin   string // file of this directory
	Steps   int    // millions
	Lua     string // tests of Lua's suite, where it is executed: a run each
}

// name returns the name of the run, which is unique.
func (r *run) name() string { return r.Program + "-" + r.Name }

// dirOut begins arguments that name what build wrote. exe is the program itself.
const dirOut, exe = "OUT", "EXE"

// plan is what runs.yaml has: the executions, and causes that explain mismatches, by regular
// expressions for the part of a row and for the function.
type plan struct {
	Runs   []run
	Causes []struct{ ABI, What, Rule, Function, Why string }
}

//go:embed runs.yaml
var planned []byte

// readPlan returns the plan, with a run for each of Lua's tests and for each program of scripts/realworld.
func readPlan(real []program) (*plan, error) {
	p := &plan{}
	if err := yaml.UnmarshalWithOptions(planned, p, yaml.Strict()); err != nil {
		return nil, err
	}
	var each, all []run
	for _, r := range p.Runs {
		if r.Real == "" {
			each = append(each, r)
		}
		for i := range real {
			if filepath.Base(real[i].path) == r.Real {
				r.Program, r.Exe = real[i].name, real[i].path
				each = append(each, r)
			}
		}
	}
	for _, r := range each {
		if r.Lua == "" {
			all = append(all, r)
		}
		for test := range strings.FieldsSeq(r.Lua) {
			r.Name, r.Exe = test, cmp.Or(r.Exe, "lua")
			r.Args = []string{"-e", "_U=true _soft=true _port=true _nomsg=true", test + ".lua"}
			all = append(all, r)
		}
	}
	p.Runs = all
	return p, nil
}
