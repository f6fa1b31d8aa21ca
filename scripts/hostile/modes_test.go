//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// mode is a way to run the program on an input.
type mode struct {
	name string
	args func(path string) []string
	tree bool // takes directories
	// checks is how many checks' time a run may take, 0 for one: a fix is followed by a check, up to
	// three times, and a view, a run of all rules, or one of all consumers writes or visits all of a section again.
	checks int
	// change is set where the program changes the input: it is made anew.
	change bool
	// valid checks the output.
	valid func(*os.File) error
	// whole is set where the output has all of a section: it may grow with it.
	whole bool
	// named is set where only inputs take the mode that name it.
	named bool
	// wrong is set where the input is a wrong configuration: the status is 2.
	wrong bool
	// file checks the file that the program may write; nil where it writes none. See written.
	file func(*os.File) error
}

// lint returns the arguments of the main command.
func lint(args ...string) func(string) []string {
	return func(path string) []string { return append(append([]string{"--no-config", "--quiet"}, args...), path) }
}

func command(args ...string) func(string) []string {
	return func(path string) []string { return append(append([]string{}, args...), path) }
}

// written returns the path of the file that the program writes for an input.
func written(path string) string { return filepath.Join(filepath.Dir(path), "written") }

// writing returns the arguments of a command that writes a file.
func writing(args ...string) func(string) []string {
	return func(path string) []string { return append(append([]string{}, args...), written(path), path) }
}

// sharded returns the arguments of a run over a list with the input, which keeps its result in a directory.
func sharded(path string) []string {
	dir := written(path)
	list := filepath.Join(dir, "list")
	must(0, os.MkdirAll(dir, 0o777))
	must(0, os.WriteFile(list, []byte(path+"\n"), 0o666))
	return []string{"--list", list, "--results", filepath.Join(dir, "out"), "--shard", "0/1", "--no-config", "--require-sframe"}
}

// isSharded checks the result of a run over a list: there is one, and nobody gave up.
func isSharded(f *os.File) error {
	paths := must(filepath.Glob(filepath.Join(f.Name(), "out/units/*/*")))
	if len(paths) != 1 {
		return fmt.Errorf("results: %q", paths)
	}
	r, err := os.Open(paths[0])
	if err != nil {
		return err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return err
	case len(b) > most:
		return fmt.Errorf("a result of more than %d bytes", most)
	case bytes.Contains(b, []byte(`"failed":`)):
		return fmt.Errorf("given up: %.200q", b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1:])
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return isJSON(r)
}

// most bounds the result of a unit, in bytes: it has the path of a file up to four times.
const most = 128 << 20

// anyFile accepts whatever was written.
func anyFile(*os.File) error { return nil }

// withBaseline returns the arguments of a run with a baseline.
func withBaseline(path string) []string {
	return []string{"--no-config", "--baseline", path, "corpus/files/wrong-cfi/adjust-sign.o"}
}

// batch returns the arguments of a run over few packages of a list.
func batch(path string) []string {
	return []string{"--list", path, "--results", written(path), "--shard", "0/100000", "--no-config"}
}

func modes() []mode {
	return []mode{
		{name: "text", args: lint("--quiet=false", "--require-sframe"), tree: true, valid: isText},
		{name: "json", args: lint("--format", "json"), tree: true, valid: isJSON},
		{name: "sarif", args: lint("--format", "sarif"), tree: true, valid: isJSON},
		{name: "shard", args: sharded, valid: isText, named: true, file: isSharded},
		{name: "html", args: lint("--format", "html"), tree: true, valid: isHTML},
		{name: "github", args: lint("--format", "github"), tree: true},
		{name: "all", args: lint("--limit", "max-findings=0", "--limit", "code-limit=0", "--limit", "symbol-limit=0", "--format", "text"), checks: 2, tree: true, valid: isText},
		{name: "consumers", args: lint("--consumer", "all", "--format", "text"), checks: 2, tree: true, valid: isText},
		{name: "fix", args: lint("--fix", "--fix-unsafe"), checks: 4, tree: true, change: true, valid: isText},
		{name: "diff of fixes", args: lint("--quiet=false", "--diff"), checks: 4, tree: true, valid: isText},
		{name: "matrix", args: command("consumers"), tree: true, valid: isText},
		{name: "coverage", args: command("coverage"), tree: true, valid: isText},
		{name: "coverage code", args: command("coverage", "--code"), tree: true, valid: isText},
		{name: "stat", args: command("stat"), checks: 2, tree: true, valid: isText},
		{name: "expect", args: command("expect"), checks: 2, tree: true, valid: isText, whole: true},
		{name: "stat directory", args: func(path string) []string { return []string{"stat", filepath.Dir(path)} }, valid: isText},
		{name: "dump", args: command("dump"), valid: isText, whole: true},
		{name: "dump json", args: command("dump", "--format", "json"), valid: isJSON, whole: true},
		{name: "dump objdump", args: command("dump", "--format", "objdump"), whole: true},
		{name: "diff", args: func(path string) []string { return []string{"diff", path, path} }, valid: isText},
		{name: "link", args: func(path string) []string { return []string{"link", path, path} }, valid: isText},
		{name: "view", args: writing("view", "--output"), checks: 2, valid: isText, whole: true, file: isHTML},
		{name: "rewrite dry", args: command("rewrite", "--dry-run"), valid: isText},
		{name: "rewrite", args: writing("rewrite", "--output"), valid: isText, file: anyFile},
		{name: "synth", args: writing("synth", "--replace", "--output"), checks: 2, valid: isText, file: anyFile},
		{name: "synth section", args: writing("synth", "--section-out"), checks: 2, valid: isText, file: anyFile},
		{name: "convert 2", args: writing("rewrite", "--to", "2", "--output"), valid: isText, file: anyFile},
		{name: "convert 3", args: writing("rewrite", "--to", "3", "--output"), valid: isText, file: anyFile},
		{name: "convert section", args: writing("rewrite", "--to", "3", "--section-out"), valid: isText, file: anyFile},
		{name: "link map", args: func(path string) []string {
			return []string{"link", "--map", path, filepath.Join(filepath.Dir(path), "output")}
		}, valid: isText, named: true},
		{name: "asm", args: writing("asm", "--output"), valid: isText, named: true, file: anyFile},
		{name: "baseline", args: withBaseline, valid: isText, named: true},
		{name: "wrong baseline", args: withBaseline, valid: isText, named: true, wrong: true},
		{name: "batch", args: batch, valid: isText, named: true, file: anyFile},
		{name: "wrong batch", args: batch, valid: isText, named: true, wrong: true},
		{name: "default", args: command("--no-config"), checks: 10, named: true},
		{name: "all code", args: command("coverage", "--gaps", "0", "--code"), checks: 10, named: true},
	}
}

// takes reports whether the mode is run on the input.
func (m *mode) takes(in *input) bool {
	if len(in.modes) > 0 {
		return slices.Contains(in.modes, m.name)
	}
	return !m.named && (m.tree || !in.tree)
}

// smoke are the runs that take a few seconds together: an input of each class, in the
// modes that are the most expensive for it.
var smoke = []struct {
	inputs string // a regular expression
	modes  []string
}{
	{"^20 GB (\\.symtab, executable|symbol names)|^e_shnum 0, 2\\^28|^PN_XNUM", []string{"sarif", "fix", "diff"}},
	{"^\\.sframe of 0x80000000 bytes", []string{"text"}},
	{"^100,000 empty .sframe|^60,000 PT_GNU_SFRAME", []string{"all", "consumers"}},
	{"^1,000 functions that share a name|^50,000 functions with the ends", []string{"sarif", "all", "fix", "link"}},
	{"^30,000 members that share", []string{"html", "stat", "diff"}},
	{"^364722 functions at one address$", []string{"link"}},
	{"^364722 functions (with reserved|from the last).*[a-z]$", []string{"all", "fix", "diff", "link"}},
	{"^one function of 1,000,000 diff", []string{"text", "diff"}},
	{"^8 MB at random after a header of V2", []string{"html", "diff of fixes"}},
	{"^100,000 bad sections of their own", []string{"html", "consumers", "fix"}},
	{"^a thin archive of one member|^a thin archive of a FIFO", []string{"text", "fix"}},
	{"^a map of 200,000 archives", []string{"link map"}},
	{"^packages: (zstd windows|zip archives of 60|an RPM header of 60)", []string{"text", "shard"}},
	{"^names of control|^FIFOs", []string{"text", "github"}},
}
