package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/goccy/go-yaml"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

//go:embed reports.yaml
var reportsData []byte

//go:embed report.tmpl
var reportText string

// recipient is a project that gets reports.
type recipient struct {
	Name, To string
	File     string // the name of the text; its ending tells the form: .md for an issue, .eml for a mail, .txt for Bugzilla
	Of       string // whose faults it is told, by a regular expression for the beginning of a summary
}

// report is a text on one fault. What follows Rule is known when the commands have run.
type report struct {
	Name, Summary, Why, Clause, Tests string
	Entry, Find                       string   // the file of the corpus, or of the finds of campaigns, that the commands make or read
	Files, Run                        []string // below the corpus; commands in the folder
	Shows                             string   // what the commands print, a regular expression
	Rule                              string   // or what finds the fault in the file "out" that they write

	To                               recipient
	Input, Output, Finding, Versions string
	Patch                            bool
}

// writeReports writes the reports that the tools show, and returns their number.
func writeReports(dir, tools string) (n int, err error) {
	var data struct {
		Projects []recipient
		Reports  []*report
	}
	if err := yaml.UnmarshalWithOptions(reportsData, &data, yaml.Strict()); err != nil {
		return 0, err
	}
	entries, err := corpus.Load("corpus")
	if err != nil {
		return 0, err
	}
	finds, err := os.MkdirTemp("", "upstream-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(finds)
	if err := corpus.UnpackConsumers("corpus", finds); err != nil {
		return 0, err
	}
	if tools, err = filepath.Abs(tools); err != nil {
		return 0, err
	}
	for i := range entries {
		data.Reports = append(data.Reports, translated(&entries[i], data.Reports)...)
	}
	var lost []error
	for _, r := range data.Reports {
		if i := slices.IndexFunc(entries, func(e corpus.Entry) bool { return e.File == r.Entry }); i >= 0 {
			r.commands(&entries[i])
		}
		for _, p := range data.Projects {
			if r.To.Name == "" && regexp.MustCompile("^(?:"+p.Of+")").MatchString(r.Summary) {
				r.To = p
			}
		}
		folder := filepath.Join(dir, r.To.Name, r.Name)
		if err := r.write(folder, tools, finds); err != nil {
			lost = append(lost, fmt.Errorf("%s is left out: %w", r.Name, err), os.RemoveAll(folder))
			continue
		}
		n++
	}
	return n, errors.Join(lost...)
}

// translated returns the report on FREs that contradict the CFI that they were made from, in a file of the newest assemblers.
func translated(e *corpus.Entry, known []*report) []*report {
	if !strings.HasPrefix(e.File, "files/cfi/gas-2.47/") && !strings.HasPrefix(e.File, "files/cfi/llvm-23/") ||
		slices.ContainsFunc(known, func(r *report) bool { return r.Entry == e.File }) {
		return nil
	}
	for _, f := range e.Findings {
		if rule, _, _ := strings.Cut(f, " "); slices.Contains([]string{"SF6007", "SF6008", "SF6009", "SF6011"}, rule) {
			about, _, _ := strings.Cut(e.About, ":")
			return []*report{{Name: e.Producer + "-" + strings.TrimSuffix(path.Base(e.File), ".o"), Entry: e.File, Rule: rule, Summary: e.Producer + ": wrong FRE with --gsframe. " + about, Why: e.About}}
		}
	}
	return nil
}

var places = regexp.MustCompile(`(?:obj/)?(?:files|src)/(?:[^ /]+/)*`)

// commands takes over how a file of the corpus was made.
func (r *report) commands(e *corpus.Entry) {
	r.Files = append(r.Files, e.Source...)
	command, dump := places.ReplaceAllString(e.Command, ""), []string{"objdump --sframe out", "readelf --debug-dump=frames-interp out"}
	switch arch := map[string]string{"s390x": "s390x-linux-gnu-", "aarch64": "aarch64-linux-gnu-"}[e.ABI]; {
	case strings.HasPrefix(command, "llvm"):
		dump[0] = "llvm-readobj --sframe out"
	case arch != "":
		command = arch + strings.ReplaceAll(command, "&& ", "&& "+arch)
	}
	if strings.HasPrefix(e.File, "files/wrong-cfi") {
		command = strings.Replace(command, "--gsframe", "-g --gsframe", 1) // for the patch
		dump[0] = "objdump -d out"
	}
	r.Run = slices.Concat([]string{command, "mv " + path.Base(e.File) + " out"}, dump, r.Run)
}

// write runs the commands, and writes the report if they show the fault.
func (r *report) write(folder, tools, finds string) error {
	files := []string{}
	for _, f := range r.Files {
		files = append(files, filepath.Join("corpus", f))
	}
	if r.Find != "" {
		files = append(files, filepath.Join(finds, r.Find))
	}
	if err := copyFiles(folder, files); err != nil {
		return err
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.HasSuffix(f, ".s") && len(b) < 3<<10 {
			r.Input += fmt.Sprintf("%s:\n\n%s\n", filepath.Base(f), indented(string(b)))
		}
	}
	script := "#!/bin/sh\n# Shows the fault. PATH has the tools.\n" + strings.Join(r.Run, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(folder, "reproduce.sh"), []byte(script), 0o777); err != nil { //nolint:gosec // a script
		return err
	}
	for _, release := range []string{"bookworm", "trixie", "sid"} {
		text, found, err := r.run(folder, tools, release)
		if err != nil {
			return err
		}
		if release == "sid" && !found {
			return fmt.Errorf("the tools do not show it: %s", text)
		}
		r.Output = indented(text)
		if version := r.version(tools, release); version != "" {
			r.Versions += fmt.Sprintf("\n- %s (Debian %s): %s", version, release, map[bool]string{true: "yes", false: "no"}[found])
		}
	}
	var b bytes.Buffer
	t, err := template.New("").Parse(reportText)
	if err == nil {
		err = t.Execute(&b, r)
	}
	return errors.Join(err, os.WriteFile(filepath.Join(folder, r.To.File), b.Bytes(), 0o666))
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}

// run runs the commands with the tools of a release of Debian. It returns what they print, and whether they show the fault.
func (r *report) run(folder, tools, release string) (string, bool, error) {
	bin, err := os.MkdirTemp("", "upstream-*")
	if err != nil {
		return "", false, err
	}
	defer os.RemoveAll(bin)
	all, err := filepath.Glob(filepath.Join(tools, "bin", release+"-*"))
	for _, tool := range all {
		name := strings.NewReplacer(release+"-", "", "x86_64-", "", "aarch64-", "aarch64-linux-gnu-", "s390x-", "s390x-linux-gnu-", "lld", "ld.lld").Replace(filepath.Base(tool))
		err = errors.Join(err, os.Symlink(tool, filepath.Join(bin, name)))
	}
	if err != nil {
		return "", false, err
	}
	c := exec.CommandContext(context.Background(), "sh", "reproduce.sh")
	c.Dir, c.Env = folder, append(os.Environ(), "LC_ALL=C", "PATH="+bin+":"+os.Getenv("PATH"))
	text, _ := c.CombinedOutput() // its status is that of the last tool
	found := r.Shows != "" && regexp.MustCompile(r.Shows).Match(text)
	if r.Rule != "" {
		found = r.check(folder)
	}
	made, err := filepath.Glob(filepath.Join(folder, "*.o"))
	for _, f := range append(made, filepath.Join(folder, "out")) {
		if path.Base(f) != r.Find {
			_ = os.Remove(f) // it may not be there
		}
	}
	plain := regexp.MustCompile(regexp.QuoteMeta(tools)+`/(?:[^\s:]+/)*`).ReplaceAllString(string(text), "")
	return strings.ReplaceAll(plain, folder+"/", ""), found, err
}

// version returns what the program that has the fault, or the assembler that shows it, says of its version; "" if the
// release does not have it.
func (r *report) version(tools, release string) string {
	tool := "x86_64-as"
	for of, name := range map[string]string{"ld:": "x86_64-ld", "objdump": "x86_64-objdump", "llvm-mc": "llvm-mc", "llvm-readobj": "llvm-readobj", "lld": "lld", "mold": "mold"} {
		if strings.HasPrefix(r.Summary, of) {
			tool = name
		}
	}
	out, _ := exec.CommandContext(context.Background(), filepath.Join(tools, "bin", release+"-"+tool), "--version").Output() // a name is enough
	return strings.TrimSpace(regexp.MustCompile(`(?m)^.*\d\.\d.*$`).FindString(string(out)))
}

// check looks for the finding in the output, and writes the patch of the source that it advises.
func (r *report) check(folder string) bool {
	l, err := lint.New(lint.Options{Show: rules.Note, Sources: lint.Sources{Root: folder}})
	if err != nil {
		return false
	}
	f := &lint.File{}
	for f = range l.Run(context.Background(), filepath.Join(folder, "out")).Files() {
	}
	for i := range f.Objects {
		for _, x := range f.Objects[i].Findings {
			if x.Rule.ID != r.Rule {
				continue
			}
			r.Finding = x.Message
			if !strings.HasPrefix(r.Entry, "files/wrong-cfi") {
				r.Clause = x.Rule.Clause
			}
			var b bytes.Buffer
			p := reports.NewPatch(&b, func(name string) io.ReadCloser {
				s, err := os.Open(filepath.Join(folder, name))
				if err != nil {
					return nil
				}
				return s
			}, nil)
			if err := errors.Join(p.File(f), p.Close(lint.Summary{})); err == nil && strings.Contains(b.String(), "\n@@ ") {
				r.Patch = os.WriteFile(filepath.Join(folder, "repair.patch"), b.Bytes(), 0o666) == nil
			}
			return true
		}
	}
	return false
}
