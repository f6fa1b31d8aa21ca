package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/config"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

var known = config.Known{
	Rules: []string{"SF1003", "SF1004", "SF2004", "SF2014"},
	Consumer: func(name string) error {
		if name != "linux" {
			return errors.New("unknown consumer " + name)
		}
		return nil
	},
}

const whole = `
select: [SF1, sf2004]
ignore: [ "SF1003" ]
severity:
  SF1: error
  SF1004: off
fail-on: warning
require-sframe: true
consumers: [linux]
producers: [gas, gnu-ld-2.44]
allow-sections: []
baseline: known.json
limits:
  max-findings: 0
  max-bytes: 64M
  code-limit: 4096
  symbol-limit: 1kib
  max-memory: 48M
  timeout: 1m30s
exceptions:
  - paths: ["vdso/*.so"]
    reason: by hand
  - functions: [_start]
    members: ["crt?.o"]
    rules: [SF2]
    reason: |
      It has no caller.
`

func TestParse(t *testing.T) {
	c := must.Get(config.Parse("f.yaml", []byte(whole), known))(t)
	yes, warning := true, "warning"
	assert.Equal(t, &config.Config{
		Path: "f.yaml", Select: []string{"SF1", "SF2004"}, Ignore: []string{"SF1003"},
		Severity: []lint.Override{{ID: "SF1", Level: rules.Error}, {ID: "SF1004", Level: rules.Off}},
		FailOn:   &warning, RequireSFrame: &yes, Consumers: []string{"linux"}, Producers: []string{"gas", "gnu-ld-2.44"},
		AllowSections: []string{}, Baseline: "known.json",
		Limits: budget.Limits{budget.Findings: -1, budget.Section: 64 << 20, budget.Code: 4096, budget.Symbols: 1024, budget.Memory: 48 << 20, budget.Time: int64(90 * time.Second)},
		Exceptions: []lint.Exception{
			{Paths: []string{"vdso/*.so"}, Reason: "by hand", Line: 21},
			{Functions: []string{"_start"}, Members: []string{"crt?.o"}, Rules: []string{"SF2"}, Reason: "It has no caller.\n", Line: 23},
		},
	}, c)
	for _, empty := range []string{"", "# nothing yet\n", "---\n", "select:\nexceptions:\n"} {
		c, err := config.Parse("f.yaml", []byte(empty), known)
		require.NoError(t, err, empty)
		assert.Equal(t, &config.Config{Path: "f.yaml"}, c)
	}
}

// Every error has a line and a column.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"select: [SF1]\nselct: [SF2]\n":                    `2:1: unknown key "selct"; did you mean "select"?`,
		"select: [SF1]\nselect: [SF2]\n":                   `2:1: mapping key "select" already defined at [1:1]`,
		"select: SF1\n":                                    `1:9: expected a list`,
		"select:\n  - SF1\n  - [SF2]\n":                    `3:5: expected a string`,
		"select:\n  - SF1\n  - SF77\n":                     `3:5: unknown rule or prefix "SF77": 'sframe-lint rules' lists them`,
		"ignore: [SF1, '']\n":                              `1:15: unknown rule or prefix "": 'sframe-lint rules' lists them`,
		"severity:\n  SF1: note\n  SF9: note\n":            `3:3: unknown rule or prefix "SF9": 'sframe-lint rules' lists them`,
		"severity:\n  SF1: fatal\n":                        `2:8: unknown level "fatal": expected error, warning, note or off`,
		"severity:\n  SF1: 3\n":                            `2:8: unknown level "3": expected error, warning, note or off`,
		"severity: [SF1]\n":                                `1:11: expected a mapping`,
		"fail-on: off\n":                                   `1:10: unknown level "off": expected error, warning, note or never`,
		"require-sframe: perhaps\n":                        `1:17: expected true or false`,
		"consumers: [linux, bsd]\n":                        `1:20: unknown consumer bsd`,
		"consumers: ['']\n":                                `1:13: a consumer without a name`,
		"producers: [gas, '']\n":                           `1:18: a producer without a name`,
		"exceptions:\n  - reason:\n    rules: [SF1]\n":     `2:5: an exception without a reason`,
		"exceptions:\n  -\n":                               `2:5: an exception without a reason`,
		"exceptions: [SF1]\n":                              `1:14: expected a mapping`,
		"limits: {max-read: [1]}\n":                        `1:20: expected a number of bytes like 4096, 64M or 1G`,
		"producers: [icc]\n":                               `1:13: unknown producer "icc": expected one of gas, gnu-ld, llvm-mc, mold, oxcaml, lld, gold, with or without a version as in gnu-ld-2.40`,
		"baseline: ''\n":                                   `1:11: no file named`,
		"allow-sections: [.text, '']\n":                    `1:25: a section without a name`,
		"limits:\n  max-findings: -1\n":                    `2:17: expected a number of at least 0`,
		"limits:\n  max-findings: 1.5\n":                   `2:17: expected a number of at least 0`,
		"limits:\n  max-bytes: big\n":                      `2:14: expected a number of bytes like 4096, 64M or 1G`,
		"limits:\n  timeout: 5\n":                          `2:12: expected a duration like 500ms or 1m30s`,
		"limits:\n  time: 5s\n":                            `2:3: unknown key "time"; did you mean "timeout"?`,
		"exceptions:\n  - rules: [SF1]\n":                  `2:5: an exception without a reason`,
		"exceptions:\n  - reason: why not\n":               `2:5: an exception for everything: it needs paths, members, functions or rules`,
		"exceptions:\n  - rules: [SF1]\n    reason: ' '\n": `3:13: an exception without a reason`,
		"exceptions:\n  - paths: ['']\n    reason: x\n":    `2:13: an empty pattern matches nothing`,
		"exceptions:\n  - rules: [SF8]\n    reason: x\n":   `2:13: unknown rule or prefix "SF8": 'sframe-lint rules' lists them`,
		"exceptions:\n  - rule: [SF1]\n    reason: x\n":    `2:5: unknown key "rule"; did you mean "rules"?`,
		"select: [SF1\nignore: []\n":                       `2:1: ',' or ']' must be specified`,
		"!!map {selct: [SF2]}\n":                           `1:7: unknown key "selct"; did you mean "select"?`,
		"- SF1\n":                                          `1:1: not a configuration of sframe-lint: expected a mapping of keys`,
		"select: [SF1]\n---\nselect: [SF2]\n":              `3:1: a second document`,
		"select: &a [SF1]\nignore: *a\n":                   `1:9: anchors, aliases and merges are not supported`,
		"<<: {select: [SF1]}\n":                            `1:1: anchors, aliases and merges are not supported`,
		"#" + strings.Repeat("x", 4096) + "\n":             `1:1: the line has more than 4096 bytes`,
		strings.Repeat("[\n", 1025):                        `1025:1: the file has more than 1024 brackets and braces`,
	} {
		_, err := config.Parse("f.yaml", []byte(text), known)
		assert.EqualError(t, err, "f.yaml:"+want, "%.60q", text)
	}
	_, err := config.Parse("f.yaml", []byte(strings.Repeat("# x\n", 20000)), known)
	assert.EqualError(t, err, "f.yaml: the file has more than 65536 bytes")
}

// All errors of values are reported at once, in the order of their lines.
func TestAllErrors(t *testing.T) {
	_, err := config.Parse("f.yaml", []byte(`
select: [SF1]
severity:
  SF1: eror
  SF1O03: note
fail-on: warn
limits: {time-out: 5s, max-bytes: big}
exceptions:
  - paths: [a, '']
  - rules: [SF1, SF9999]
    reason: none
consumers: [linx]
show: info
profile: tolchain
min-coverage: 200%
`), known)
	want := `f.yaml:4:8: unknown level "eror"; did you mean "error"?
f.yaml:5:3: unknown rule or prefix "SF1O03"; did you mean "SF1003"?
f.yaml:6:10: unknown level "warn"; did you mean "warning"?
f.yaml:7:10: unknown key "time-out"; did you mean "timeout"?
f.yaml:7:35: expected a number of bytes like 4096, 64M or 1G
f.yaml:9:5: an exception without a reason
f.yaml:9:16: an empty pattern matches nothing
f.yaml:10:18: unknown rule or prefix "SF9999": 'sframe-lint rules' lists them
f.yaml:12:13: unknown consumer linx
f.yaml:13:7: unknown level "info": expected error, warning or note
f.yaml:14:10: unknown profile "tolchain"; did you mean "toolchain"?
f.yaml:15:15: expected a percentage from 0% to 100%, not "200%"`
	assert.EqualError(t, err, want)
	var e *config.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, 4, e.Line)

	_, err = config.Parse("f.yaml", []byte("ignore: ["+strings.Repeat("x,", 30)+"]\n"), known)
	lines := strings.Split(err.Error(), "\n")
	assert.Len(t, lines, 21)
	assert.Equal(t, "f.yaml: and 10 more", lines[20])
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s := must.Get(jsonschema.NewCompiler().Compile("../../../docs/schema/config.schema.json"))(t)
	return s
}

// value returns what a YAML text says in the types of JSON.
func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	require.NoError(t, yaml.Unmarshal([]byte(text), &v))
	j, err := json.Marshal(v)
	require.NoError(t, err)
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(j))
	require.NoError(t, err)
	return v
}

// The published schema and the program agree on the form.
func TestSchema(t *testing.T) {
	s := schema(t)
	for _, b := range budget.Table() {
		text := "limits: {" + b.Flag + ": " + b.Format(b.Default) + "}"
		_, err := config.Parse("f.yaml", []byte(text), known)
		require.NoError(t, err, text)
		assert.NoError(t, s.Validate(value(t, text)), text)
	}
	for _, good := range []string{whole, "", "select:\n", "severity: {SF1: false}\n", "limits: {max-bytes: 3}\n"} {
		_, err := config.Parse("f.yaml", []byte(good), known)
		assert.NoError(t, err, good)
		assert.NoError(t, s.Validate(value(t, good)), good)
	}
	for _, bad := range []string{
		"selct: []", "select: SF1", "select: [XY]", "severity: {SF1: fatal}", "severity: {SF1: 3}", "severity: [SF1]",
		"severity: {X: note}", "fail-on: off", "require-sframe: 3", "baseline: ''", "allow-sections: ['']",
		"limits: {max-findings: -1}", "limits: {max-findings: 1.5}", "limits: {max-bytes: big}", "limits: {timeout: 5}",
		"limits: {time: 5s}", "exceptions: [{rules: [SF1]}]", "exceptions: [{reason: x}]", "exceptions: [{rules: [SF1], reason: ' '}]",
		"exceptions: [{paths: [''], reason: x}]", "exceptions: [{rule: [SF1], reason: x}]", "[SF1]",
	} {
		_, err := config.Parse("f.yaml", []byte(bad), known)
		assert.Error(t, err, bad)
		assert.Error(t, s.Validate(value(t, bad)), bad)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o777))
	path := filepath.Join(dir, "a", config.Name)
	require.NoError(t, os.WriteFile(path, []byte("baseline: x/known.json\n"), 0o666))
	got, err := config.Find(deep)
	require.NoError(t, err)
	assert.Equal(t, path, got)
	got, err = config.Find(dir)
	require.NoError(t, err)
	assert.NotEqual(t, path, got, "it is not looked for below")

	c, err := config.Load(path, known)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "a", "x", "known.json"), c.Baseline)
	_, err = config.Load(deep, known)
	assert.Error(t, err)
	_, err = config.Load(filepath.Join(dir, "gone"), known)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("select: &a [x]\nignore: *a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c *config.Config
		var err error
		used := testkit.Allocated(func() { c, err = config.Parse("f", data, known) })
		require.LessOrEqual(t, used, uint64(4<<20+2048*len(data)))
		var e *config.Error
		if err != nil {
			require.ErrorAs(t, err, &e)
			require.LessOrEqual(t, len(err.Error()), 4<<10+8*len(data))
			return
		}
		for _, x := range c.Exceptions {
			require.NotEmpty(t, strings.TrimSpace(x.Reason))
		}
	})
}

// The example in the documentation is one that can be used.
func TestExampleIsValid(t *testing.T) {
	doc := must.Get(os.ReadFile("../../../docs/configuration.md"))(t)
	_, example, _ := strings.Cut(string(doc), "\n    select:")
	example, _, found := strings.Cut("    select:"+example, "\n\n")
	require.True(t, found)
	example = strings.ReplaceAll(strings.TrimPrefix(example, "    "), "\n    ", "\n")
	known := config.Known{Consumer: func(string) error { return nil }}
	for _, r := range catalogue.Rules() {
		known.Rules = append(known.Rules, r.ID)
	}
	c := must.Get(config.Parse("doc", []byte(example), known))(t)
	assert.Len(t, c.Exceptions, 2)
	assert.NoError(t, schema(t).Validate(value(t, example)))
}

func TestApply(t *testing.T) {
	c := must.Get(config.Parse("c", []byte("limits: {max-findings: 0, code-limit: 1K, timeout: 1s}\nignore: [SF2]\nrequire-sframe: true\nexceptions: [{functions: [x], reason: y}]"), config.Known{Rules: []string{"SF2001"}}))(t)
	o := lint.Options{Select: []string{"SF5"}}
	c.Apply(&o)
	assert.Equal(t, lint.Options{
		Select: []string{"SF5"}, Ignore: []string{"SF2"}, RequireSFrame: true, Exceptions: c.Exceptions,
		Limits: budget.Limits{budget.Findings: -1, budget.Code: 1024, budget.Time: int64(time.Second)},
	}, o)
}

// FuzzLoad puts whatever comes into a directory as a configuration, finds it from a
// directory below and loads it: errors are of the package's type, name the file and
// are short, paths count from the directory, and memory has a bound.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("baseline: ../../../b.json\n"))
	f.Add([]byte("select: &a [x]\nignore: *a\n"))
	f.Add([]byte("limits: {timeout: 1h, max-bytes: 64M}\n"))
	f.Add([]byte(strings.Repeat("[", 1025)))
	dir := f.TempDir()
	below := filepath.Join(dir, "a", "b")
	require.NoError(f, os.MkdirAll(below, 0o777))
	path := filepath.Join(dir, config.Name)
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o666))
		found, err := config.Find(below)
		require.NoError(t, err)
		require.Equal(t, path, found)
		var c *config.Config
		used := testkit.Allocated(func() { c, err = config.Load(found, known) })
		require.LessOrEqual(t, used, uint64(4<<20+4000*len(data)))
		if err != nil {
			var e *config.Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, err.Error(), config.Name)
			require.LessOrEqual(t, len(err.Error()), 4<<10+8*len(data))
			return
		}
		require.True(t, c.Baseline == "" || filepath.IsAbs(c.Baseline), c.Baseline)
	})
}
