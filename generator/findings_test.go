package generator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// lint runs all rules over an input, of which addr is the address if it is a raw section, and lists the findings
// that are not among those expected.
func lint(t *testing.T, input []byte, addr uint64, expected ...string) ([]rules.Finding, string) {
	t.Helper()
	all, err := breaktest.Lint(&rules.Driver{Rules: catalogue.Default()}, input, reader.Options{RawAddress: addr})
	require.NoError(t, err)
	return all, breaktest.Complaints(all, rules.Note, expected...)
}

// containers are a plan's section, raw and in all files.
func containers(p *generator.Plan) (map[string][]byte, string) {
	b, err := generator.Encode(p)
	if err != nil {
		return nil, err.Error()
	}
	all := map[string][]byte{"raw": b}
	for kind, wrap := range wraps {
		w, err := wrap(p)
		if err != nil {
			return nil, err.Error()
		}
		all[kind] = w.Bytes
	}
	return all, ""
}

// TestDefaultHasNoFinding: not even a note, raw or in a file.
func TestDefaultHasNoFinding(t *testing.T) {
	for _, abi := range model.ABIs() {
		for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
			if !abi.InVersion(v) {
				continue
			}
			c := generator.Default()
			c.Version, c.ABI = v, abi.ID
			for c.Seed = range int64(60) {
				p, err := generator.Generate(c)
				require.NoError(t, err)
				all, wrong := containers(p)
				require.Empty(t, wrong)
				for kind, b := range all {
					_, wrong := lint(t, b, p.Addr)
					require.Empty(t, wrong, "%s of %s", kind, p)
				}
			}
		}
	}
}

// Rules that differ between a section in a file and a raw one.
const (
	unsortedInFile = "SF7005"
	trailingZeros  = "SF1017"
	skewedStubs    = "SF2022"
)

// expected are the rules that report a knob at a value far from the default.
var expected = []struct {
	knob  string
	value int64
	rules []string
}{
	{"sorted", 0, []string{unsortedInFile}},
	{"other-base", 100, []string{"SF3201"}},
	{"registers", 100, []string{"SF3201", "SF3202"}},
	{"fre-type", 2, []string{"SF7001"}},
	{"word-size", 2, []string{"SF7002"}},
	{"repeats", 100, []string{"SF7003"}},
	{"aux", 16, []string{"SF1010"}},
	{"trailing", 16, []string{trailingZeros}},
	{"funcs", 0, []string{"SF1022"}},
	{"noreturn", 100, nil},
	{"signal", 100, nil},
	{"outermost", 100, nil},
	{"pauth", 100, nil},
	{"padding", 100, nil},
	{"flexible", 100, nil},
	{"max-frame", 1 << 20, nil},
	{"func-size", 1 << 18, nil},
	{"gap", 1 << 20, nil},
	{"reverse", 1, nil},
	{"distance", -0x10000, nil},
	{"rows", 64, nil},
	{"long", 100, nil},
	{"pcrel", 0, nil},
	{"frame-pointer", 1, nil},
	{"addr", 1 << 46, nil},
	{"high", 1, nil},
	{"around", 50, nil},
	{"fp", 100, nil},
	{"late-outermost", 100, nil},
	{"stubs", 50, nil},
	{"stub-size", 255, []string{skewedStubs}},
	{"stub-rows", 8, nil},
	{"rare", 100, nil},
	{"empty", 100, nil},
	{"key-b", 100, nil},
	{"fde-gap", 8, []string{"SF1015"}},
	{"fre-gap", 8, []string{"SF1015"}},
}

// TestKnobs checks which rules report something for each knob: those expected
// and no others.
func TestKnobs(t *testing.T) {
	named := map[string]bool{"seed": true, "version": true, "abi": true} // all of their values are ordinary
	for _, c := range expected {
		named[c.knob] = true
	}
	for _, k := range generator.Knobs() {
		require.True(t, named[k.Name] || k.SpecWide, k.Name)
	}
	for _, c := range expected {
		t.Run(c.knob, func(t *testing.T) {
			causes := map[string]bool{}
			for _, abi := range model.ABIs() {
				for v := model.SFRAME_VERSION_2; v <= model.SFRAME_VERSION_3; v++ {
					conf := generator.Default()
					conf.Version, conf.ABI = v, abi.ID
					require.NoError(t, generator.LookupKnob(c.knob).Put(&conf, c.value))
					for conf.Seed = range int64(10) {
						p, err := generator.Generate(conf)
						require.NoError(t, err)
						all, wrong := containers(p)
						require.Empty(t, wrong)
						for _, b := range all {
							found, wrong := lint(t, b, p.Addr, c.rules...)
							require.Empty(t, wrong, "%s", p)
							for _, f := range found {
								causes[f.Rule.ID] = true
							}
						}
					}
				}
			}
			for _, id := range c.rules {
				require.True(t, causes[id], "the knob does not cause %s", id)
			}
		})
	}
}
