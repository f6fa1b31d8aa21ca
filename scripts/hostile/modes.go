//go:build linux

package main

// mode is a way to run the program on an input.
type mode struct {
	name string
	args func(path string) []string
	tree bool // takes directories
	// change is set where the program changes the input: it is made anew.
	change bool
	// valid checks the output.
	valid func(path string) error
}

// lint returns the arguments of the main command.
func lint(args ...string) func(string) []string {
	return func(path string) []string { return append(append([]string{"--no-config", "--quiet"}, args...), path) }
}

func command(args ...string) func(string) []string {
	return func(path string) []string { return append(append([]string{}, args...), path) }
}

func modes() []mode {
	return []mode{
		{name: "text", args: lint("--quiet=false", "--require-sframe"), tree: true, valid: isText},
		{name: "json", args: lint("--format", "json"), tree: true, valid: isJSON},
		{name: "sarif", args: lint("--format", "sarif"), tree: true, valid: isJSON},
		{name: "html", args: lint("--format", "html"), tree: true, valid: isHTML},
		{name: "github", args: lint("--format", "github"), tree: true},
		{name: "all", args: lint("--max-findings", "0", "--code-limit", "0", "--symbol-limit", "0", "--format", "text"), tree: true, valid: isText},
		{name: "consumers", args: lint("--consumer", "all", "--format", "text"), tree: true, valid: isText},
		{name: "fix", args: lint("--fix", "--fix-unsafe"), tree: true, change: true, valid: isText},
		{name: "diff of fixes", args: lint("--diff"), tree: true, valid: isText},
		{name: "matrix", args: command("consumers"), tree: true, valid: isText},
		{name: "census", args: command("census"), tree: true, valid: isText},
		{name: "dump", args: command("dump"), valid: isText},
		{name: "dump json", args: command("dump", "--style", "json"), valid: isJSON},
		{name: "dump objdump", args: command("dump", "--style", "objdump")},
		{name: "diff", args: func(path string) []string { return []string{"diff", path, path} }, valid: isText},
		{name: "link", args: func(path string) []string { return []string{"link", "--inputs", path, path} }, valid: isText},
	}
}

// takes reports whether the mode is run on the input.
func (m *mode) takes(in *input) bool { return m.tree || !in.tree }
