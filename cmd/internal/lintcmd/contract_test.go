package lintcmd

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// kinds are the kinds of values that a flag of the contract has, in each command that has the flag.
var kinds = map[string]string{
	"format": "FORMAT[=FILE]", "output": "FILE", "section": "NAME", "section-out": "FILE", "to": "VERSION", "func": "GLOB",
	"exclude": "GLOB", "jobs": "N", "thin-root": "DIR", "in-place": "",
}

// TestContract holds the table of commands against the contract in docs/usage.md.
func TestContract(t *testing.T) {
	page, err := os.ReadFile("../../../docs/usage.md")
	require.NoError(t, err)
	for flag := range kinds {
		assert.Contains(t, string(page), "`--"+flag, "the contract does not have it")
	}
	root := (&app{stdout: io.Discard, stderr: io.Discard}).command(program.All)
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, x := range c.Commands() {
			visit(x)
		}
		for flag, want := range kinds {
			if f := c.Flags().Lookup(flag); f != nil {
				assert.Contains(t, f.Usage, quoted(want), "%s --%s", c.CommandPath(), flag)
			}
		}
		if strings.Contains(c.Use, "PATH") {
			for _, flag := range []string{"exclude", "jobs", "thin-root", "format"} {
				assert.NotNil(t, c.Flags().Lookup(flag), "%s --%s", c.CommandPath(), flag)
			}
		}
		if f := c.Flags().Lookup("format"); f != nil {
			for _, format := range []string{"text", "json", "markdown"} {
				assert.Contains(t, f.Usage, format, c.CommandPath())
			}
		}
		if f := c.Flags().ShorthandLookup("o"); f != nil {
			assert.Equal(t, "output", f.Name, c.CommandPath())
		}
		for _, gone := range []string{"inputs", "manifest", "judge", "out"} {
			assert.Nil(t, c.Flags().Lookup(gone), "%s --%s", c.CommandPath(), gone)
		}
	}
	visit(root)
}

// quoted is how the text of a flag marks the kind of its value.
func quoted(kind string) string {
	if kind == "" {
		return ""
	}
	return "`" + kind + "`"
}

// A file that is no input is status 3 in each command that takes paths.
func TestNoInput(t *testing.T) {
	text, empty := t.TempDir()+"/notes", t.TempDir()
	require.NoError(t, os.WriteFile(text, []byte("notes\n"), 0o666))
	for _, command := range [][]string{{"stat"}, {"coverage"}, {"consumers"}, {"expect"}, {"rewrite", "--dry-run"}} {
		for _, path := range []string{text, empty, text + ".none"} {
			status, _, errs := runMain(nil, append(command, path)...)
			assert.Equal(t, program.ExitFailed, status, "%s %s: %s", command, path, errs)
			assert.NotEmpty(t, errs, "%s %s", command, path)
		}
	}
}

// TestManualPages makes the manual pages; each flag is described in the documentation.
func TestManualPages(t *testing.T) {
	outputtest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(program.All), "../../../docs", map[string][]string{
		"sframe-lint":       {"usage.md", "configuration.md", "limits.md", "distribution.md"},
		"sframe-lint-trace": {"trace.md", "limits.md"},
	})
}

// TestFewFlags: a command repeats no flags of the main command that another one passes on, and limits are one flag.
func TestFewFlags(t *testing.T) {
	n := 1 // --limit of the main command
	var count func(c *cobra.Command)
	count = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			sub.LocalFlags().VisitAll(func(*pflag.Flag) { n++ })
			count(sub)
		}
	}
	count((&app{stdout: io.Discard, stderr: io.Discard}).command(program.All))
	assert.LessOrEqual(t, n, 113)
}

// Each flag of the main command is in a group, and no help has a stray quote or a default
// that is not one.
func TestHelp(t *testing.T) {
	root := (&app{stdout: io.Discard, stderr: io.Discard}).command(program.All)
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "color" {
			assert.Contains(t, f.Annotations, "group", f.Name)
		}
	})
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		_, out, _ := runMain(nil, "help", c.Name())
		if c == root {
			_, out, _ = runMain(nil, "--help")
			assert.LessOrEqual(t, strings.Count(out, "\n"), 45)
			assert.NotContains(t, out, "--fail-on")
			_, out, _ = runMain(nil, "help", "flags")
			assert.NotContains(t, out, "max-work")
			assert.Contains(t, out, "\nGate:\n      --fail-on LEVEL")
		}
		assert.NotContains(t, out, "`", c.Name())
		assert.NotContains(t, out, "default 0x0", c.Name())
	}
}

// A command line gets the commands that it names, under the names that they have.
func TestCommandTree(t *testing.T) {
	for _, x := range sections() {
		for _, c := range x.commands {
			made := new(app).command(func(name string) bool { return name == c.name })
			found, rest, err := made.Find([]string{c.name})
			assert.NoError(t, err)
			assert.Empty(t, rest, c.name)
			assert.Equal(t, c.name, found.Name())
			assert.Empty(t, found.Aliases)
		}
	}
	for _, test := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"--functions"}, "unknown flag --functions; 'sframe-lint stat' has it"},
		{[]string{"dmup"}, `no file or command "dmup"; did you mean the command "dump"?`},
		{[]string{"--color", "never", "stat", "--nothing"}, "Try 'sframe-lint stat --help'"},
	} {
		_, _, stderr := runMain(nil, test.args...)
		assert.Contains(t, stderr, test.stderr)
	}
	for _, args := range [][]string{{"help"}, {"--help"}, {"-qh"}, {"__complete", ""}} {
		_, out, stderr := runMain(nil, args...)
		assert.Contains(t, out, "dump", "%s: %s", args, stderr)
	}
}

// TestMistakes holds the answers to mistakes: each has the status of the contract, names what is wrong, and is short
// plain text.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	good := corpus + "binutils-2.47/amd64/program.elf"
	other := corpus + "lines/lld.elf"
	const ir = "../../../corpus/regressions/intermediate-of-gcc-amd64.o"
	text, empty, nothing := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "empty"), filepath.Join(dir, "nothing")
	wrong := filepath.Join(dir, "wrong.json")
	page := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(text, []byte("notes\n"), 0o600))
	require.NoError(t, os.WriteFile(wrong, []byte(`{"schema": 1}`), 0o600))
	require.NoError(t, os.WriteFile(nothing, nil, 0o600))
	require.NoError(t, os.Mkdir(empty, 0o700))
	for _, x := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--config", good, good}, 2, good + ": not a configuration: it is a binary file, and not YAML"},
		{[]string{"--config", text, good}, 2, text + ":1:1: not a configuration of sframe-lint: expected a mapping of keys"},
		{[]string{"--config", nothing, good}, 0, ""}, // as one of comments
		{[]string{"--baseline", good, good}, 2, good + ": not a baseline: it has no JSON; --write-baseline writes one"},
		{[]string{"--baseline", wrong, good}, 2, wrong + `: not a baseline: the value of "schema" has another type`},
		{[]string{"--baseline", nothing, good}, 2, nothing + ": not a baseline: it is empty"},
		{[]string{"--baseline", text + ".none", good}, 2, "--baseline: " + text + ".none: no such file or directory"},
		{[]string{"--config", text + ".none", good}, 2, "--config: " + text + ".none: no such file or directory"},
		{[]string{"--list", good, "--results", filepath.Join(dir, "results")}, 2, "it is an ELF file or archive: expected a list of paths"},
		{[]string{"--shard", "1/2", good}, 2, "--shard: expected --list FILE and --results DIR"},
		{[]string{"--debug-file", "none", good}, 2, "--debug-file: none: no such file or directory"},
		{[]string{"--debug-file", text, good}, 2, "--debug-file " + text + " is not that of a program: it is no ELF file"},
		{[]string{"dump", "--code", "--debug-file", other, good}, 2, "is not that of a program: it has no build ID, and " + good + " has no build ID"},
		{[]string{"--show", "al", good}, 2, `--show: unknown level "al"; did you mean "all"?`},
		{[]string{"--show", "fatal", good}, 2, "--show: unknown level \"fatal\": expected error, warning, note or all"},
		{[]string{"--min-coverage", "0.99", good}, 2, "write 99% or, for less than one percent, 0.99%"},
		{[]string{"--min-coverage", "101%", good}, 2, "expected a percentage from 0% to 100%"},
		{[]string{"--severity", "SF1004=fatal", good}, 2, "expected error, warning, note or off"},
		{[]string{"--sarif-anchor", "x", good}, 2, "--sarif-anchor needs --format sarif"},
		{[]string{"--format", "sarif=" + empty, good}, 3, empty + " is a directory"},
		{[]string{"--format", "json=/nodir/x", good}, 3, "--format: /nodir: no such file or directory"},
		{[]string{"--write-baseline", "/nodir/b", good}, 3, "--write-baseline: /nodir: no such file or directory"},
		{[]string{"--write-baseline", page, good}, 0, page + ": "},
		{[]string{"view", "-o", "/nodir/x", good}, 3, "--output: /nodir: no such file or directory"},
		{[]string{"view", "-o", good + "/x", good}, 3, "--output: " + good + " is not a directory"},
		{[]string{"view", "-o", empty, good}, 3, "--output: " + empty + " is a directory"},
		{[]string{"dump", "--format", "json=/nodir/x", good}, 3, "--format: /nodir: no such file or directory"},
		{[]string{"link", "--map", "missing", good}, 3, "--map: missing: no such file or directory"},
		{[]string{"link", good, "@missing"}, 3, "@missing: no such file or directory"},
		{[]string{"asm", good}, 3, good + ": not a text: 'sframe-lint dump --format asm' writes one"},
		{[]string{"asm", "missing"}, 3, "sframe-lint: missing: no such file or directory"},
		{[]string{"asm", "-o", "/nodir/x", text}, 3, text},
		{[]string{"expect", "missing"}, 3, "sframe-lint: missing: no such file or directory"},
		{[]string{"diff", nothing, good}, 3, nothing + ": not an ELF file, archive or SFrame section: empty"},
		{[]string{"help", "limts"}, 2, `unknown command "limts"; did you mean "limits"?`},
		{[]string{"explain", "framm"}, 2, "unknown rule"},
		{[]string{"--format", "sarif=", good}, 2, `no file after "sarif="`},
		{[]string{"link", "--map", good, good}, 3, "no input found: expected a map of GNU ld, lld or mold"},
		{[]string{"link", "--map", empty, good}, 3, "--map: " + empty + ": is a directory"},
		{[]string{"link", "--input-root", "none", "--map", text, good}, 2, "--input-root: none: no such file or directory"},
		{[]string{"view", good, "--output", good}, 2, "is the same file as"},
		{[]string{"fix", good}, 2, `no file or command "fix"; did you mean --fix?`},
		{[]string{"shrink", good}, 2, `no file or command "shrink"; did you mean 'sframe-fuzz shrink'?`},
		{[]string{"help", "mutate"}, 2, `unknown command "mutate"; did you mean 'sframe-fuzz mutate'?`},
		{[]string{"--list", "missing", "--results", page}, 3, "--list: missing: no such file or directory"},
		{[]string{"doctor", "--cc", "nosuch"}, 3, "nosuch: a small program cannot be compiled (--cc): "},
		{[]string{"covrage", good}, 2, `did you mean the command "coverage"?`},
		{[]string{"dump", good, good}, 2, "unexpected argument"},
		{[]string{"rewrite", good}, 2, "say where the result goes: --output FILE"},
		{[]string{"rewrite", "-o", page, empty}, 2, "--output and --section-out allow a single file"},
		{[]string{"expect", "--section-out", page, empty}, 2, "--section-out allows a single file"},
		{[]string{"rewrite", "--to", "4", "--dry-run", good}, 2, "expected 2 or 3"},
		{[]string{"--in-place", good}, 2, "'sframe-lint rewrite' has it"},
		{[]string{"--debug-root", "none", good}, 2, "--debug-root: none: no such file or directory"},
		{[]string{"--debug-root", good, good}, 2, "--debug-root: " + good + " is not a directory"},
		{[]string{"--source-root", "none", good}, 2, "--source-root: none: no such file or directory"},
		{[]string{"--thin-root", "none", good}, 2, "--thin-root: none: no such file or directory"},
		{[]string{"--exclude", "[", good}, 2, `--exclude: "[" is not a pattern`},
		{[]string{"--allow-gap", "[", good}, 2, `--allow-gap: "[" is not a pattern`},
		{[]string{"coverage", "--allow-gap", "lib[c]", good}, 2, `--allow-gap: "lib[c]" is not a pattern`},
		{[]string{"completion", "tcsh"}, 2, `unknown shell "tcsh"`},
		{[]string{"--section", ".nope", good}, 3, `--section: no section has the name ".nope"`},
		{[]string{"--section", ".data", good, other}, 1, ""}, // the second one has it
		{[]string{"dump", "--section", ".nope", good}, 3, good + `: --section: no section has the name ".nope"`},
		{[]string{"view", "-o", page, "--section", ".nope", good}, 3, good + `: --section: no section has the name ".nope"`},
		{[]string{"dump", "--func", "alinged", good}, 1, `no function alinged in its SFrame data; did you mean "aligned"?`},
		{[]string{"dump", "--func", "nowhere", good}, 1, "no function nowhere in its SFrame data"},
		{[]string{"dump", "--code", "--func", "alinged", good}, 1, `did you mean "aligned"?`},
		{[]string{"dump", "--pc", "1", good}, 1, "no function at 0x1 in its SFrame data; the nearest one is "},
		{[]string{"view", "-o", page, "--func", "alinged", good}, 1, `did you mean "aligned"?`},
		{[]string{"view", "-o", page, "--pc", "1", good}, 1, "no function at 0x1 in its SFrame data; the nearest one is "},
		{[]string{"--select", "SF3141", good}, 2, `unknown rule or prefix "SF3141"; did you mean "SF3114"?`},
		{[]string{"rules", "SF3141"}, 2, `unknown rule or prefix "SF3141"; did you mean "SF3114"?`},
		{[]string{"--select", "unmerged", good}, 2, `did you mean "SF1019" (unmerged concatenation)?`},
		{[]string{"--select", "unmerged-concatenation", good}, 2, `did you mean "SF1019" (unmerged concatenation)?`},
		{[]string{"--select", "section", good}, 2, "'sframe-lint rules section' lists "},
		{[]string{"--min-coverage", "0.99", good}, 2, "write 99% or, for less than one percent, 0.99%"},
		{[]string{"coverage", "--min-coverage", "0.99", good}, 2, "write 99% or, for less than one percent, 0.99%"},
		{[]string{text, good}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{empty}, 3, "nothing was checked: no path has a file that can have SFrame data"},
		{[]string{good, empty}, 3, empty + ": no file in the directory can have SFrame data (--allow-empty)"},
		{[]string{"--allow-empty", text, good, empty}, 0, ""},
		{[]string{"coverage", good, empty}, 3, empty + ": no file in the directory can have SFrame data"},
		{[]string{"coverage", corpus + "../regressions/function-that-wraps.sframe"}, 3, "only its SFrame data can be read, not its code: nothing was measured"},
		{[]string{"stat", good, text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"expect", good, text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"consumers", good, text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"rewrite", "--dry-run", good, text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"asm", nothing}, 3, nothing + ": the text is empty"},
		{[]string{"--require-sframe", good, ir}, 3, ir + ": can't have SFrame data: only GCC's code for link-time optimization, no machine code yet: check the linked file"},
		{[]string{"dump", text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"view", "-o", page, text}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"diff", text, good}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"link", text, good}, 3, text + ": not an ELF file, archive or SFrame section"},
		{[]string{"link", good, text}, 3, text + ": not an ELF file, archive or SFrame section"},
	} {
		status, _, errs := runMain(nil, x.args...)
		assert.Equal(t, x.status, status, "%q: %s", x.args, errs)
		assert.Contains(t, errs, x.says, "%q", x.args)
		assert.Less(t, len(errs), 700, "%q: %s", x.args, errs)
		assert.NotContains(t, errs, `\x`, "%q", x.args)
		assert.NotContains(t, errs, "invalid character", "%q: errors of the library for JSON are for programmers", x.args)
	}
}

// TestFixable: the summary counts as fixable only what it shows.
func TestFixable(t *testing.T) {
	file := corpus + "binutils-2.44/amd64/pltgot.elf"
	_, _, errs := runMain(nil, "--no-config", file)
	assert.NotContains(t, errs, "can be fixed")
	_, _, errs = runMain(nil, "--no-config", "--show", "note", file)
	assert.Contains(t, errs, "2 can be fixed (--fix)")
	_, _, errs = runMain(nil, "--no-config", "--show", "note", "--ignore", "SF5010", file)
	assert.Contains(t, errs, "1 can be fixed (--fix)")
}
