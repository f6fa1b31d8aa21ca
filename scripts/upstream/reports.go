package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/goccy/go-yaml"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
)

//go:embed report.tmpl
var reportText string

// program is a program that gets reports.
type program struct {
	Name, Folder, Tracker, Component, Severity string
	Tool                                       string // which shows the fault, and has the version; none if sources are wrong
	File                                       string // the name of the text; its ending tells the form: .md for an issue, .eml for a mail, .txt for Bugzilla
}

// report is a text on one fault; corpus/reports.yaml describes the fields. What follows Also is known when the commands have run.
type report struct {
	Name, Program, Title, Version, ABI, Kind, Severity string
	Seen, Expected, Why, Section                       string
	Details, Known, Place, Versions                    string
	Source, Find                                       string
	Files, Run, Shows, Also                            []string
	Absent                                             string
	Rank                                               int

	To                            program
	Heading, Usage, Input, Output string
}

// releases of Debian, whose tools are tried.
var releases = []string{"bookworm", "trixie", "sid"}

// writeReports writes the reports that the tools show and an index of them, and returns their number.
func writeReports(dir, tools string) (n int, err error) {
	var data struct {
		Programs []program
		Reports  []*report
	}
	text, err := os.ReadFile("corpus/reports.yaml")
	if err == nil {
		err = yaml.UnmarshalWithOptions(text, &data, yaml.Strict())
	}
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
	var lost []error
	written := data.Reports[:0]
	for _, r := range data.Reports {
		r.To = data.Programs[slices.IndexFunc(data.Programs, func(p program) bool { return p.Name == r.Program })]
		r.complete()
		folder := filepath.Join(dir, r.To.Folder, r.Name)
		if err := r.write(folder, tools, finds); err != nil {
			lost = append(lost, fmt.Errorf("%s is left out: %w", r.Name, err), os.RemoveAll(folder))
			continue
		}
		written = append(written, r)
	}
	return len(written), errors.Join(append(lost, writeIndex(dir, written))...)
}

// writeIndex lists the reports, those with a rank first.
func writeIndex(dir string, all []*report) error {
	slices.SortStableFunc(all, func(a, b *report) int { return cmp.Compare(uint(a.Rank-1), uint(b.Rank-1)) })
	var b strings.Builder
	b.WriteString("# Reports\n\nThose with a number go first, the most severe at the top.\n\n| | report | tracker | component | version | severity |\n|---|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | [%s](%s) | %s | %s | %s | %s |\n", strings.TrimPrefix(fmt.Sprint(r.Rank), "0"), r.Heading,
			path.Join(r.To.Folder, r.Name, r.To.File), r.To.Tracker, r.To.Component, r.Version, r.Severity)
	}
	return os.WriteFile(filepath.Join(dir, "index.md"), []byte(b.String()), 0o666)
}

// rows are commands that print what .sframe and .eh_frame say.
const rows = "readelf --debug-dump=frames-interp out | sed -n '/FDE/,$p'"

// complete fills in what follows from the kind of a report.
func (r *report) complete() {
	base := path.Base(r.Source)
	r.Name, r.Severity = cmp.Or(r.Name, strings.ReplaceAll(r.Program+"-"+base, " ", "-")), cmp.Or(r.Severity, r.To.Severity)
	if r.Source != "" {
		r.Files = append(r.Files, "src/"+r.Source+".s")
	}
	var run []string
	switch {
	case r.Kind == "crash":
		r.Seen, r.Expected, r.Section = "internal error, status 1", "status 0 and an object, as without --gsframe", "none"
		r.Why = "The directives are valid, and without --gsframe the assembler accepts them."
		r.Shows = append(r.Shows, "without: status 0", "with: status [1-9]")
		run = []string{"as " + base + ".s -o out && echo without: status $?", "as --gsframe " + base + ".s -o out || echo with: status $?"}
	case r.Kind == "panic":
		run = []string{"RUST_BACKTRACE=full mold " + r.Find + " -o out || echo status $?"}
		r.Shows = append(r.Shows, "status 134")
	case r.Program == "gas":
		run = []string{"as --gsframe " + base + ".s -o out", "objdump --sframe out | sed -n '/STARTPC/,$p'", rows}
	case r.Program == "llvm-mc":
		run = []string{"llvm-mc --triple x86_64-linux-gnu --filetype=obj --gsframe " + base + ".s -o out", "llvm-readobj --sframe out | grep -E 'Start Address|(CFA|RA|FP) Offset'", rows}
	default:
		run = []string{"as " + base + ".s -o out", "objdump -d out | sed -n '/>:/,$p'", strings.Replace(rows, "FDE", "CIE", 1)}
	}
	if r.Run == nil {
		r.Run = run
	}
	if r.Find != "" {
		r.Details = "The input comes from a fuzzing campaign: an object that an assembler or a generator had written, in which one field of the section or of the file was changed, and from which all that the fault does not need was removed." + r.Details
	}
}

// command matches the name of a tool where a command begins.
var command = regexp.MustCompile(`(^|&& |\|\| |do |full )(as|ld|objdump|readelf|ld\.lld|llvm-mc|llvm-readobj|mold) `)

// script returns the commands as a script whose arguments replace the tools, and takes over the names of tools with the prefix of the ABI.
func (r *report) script() string {
	prefix := map[string]string{"s390x": "s390x-linux-gnu-", "aarch64": "aarch64-linux-gnu-"}[r.ABI]
	var tools, commands []string
	for i, c := range r.Run {
		for _, m := range command.FindAllStringSubmatch(c, -1) {
			if !slices.Contains(tools, m[2]) {
				tools = append(tools, m[2])
			}
		}
		variable := strings.NewReplacer("-", "_", ".", "_")
		commands = append(commands, command.ReplaceAllStringFunc(c, func(m string) string {
			s := command.FindStringSubmatch(m)
			return s[1] + `"$` + variable.Replace(s[2]) + `" `
		}))
		r.Run[i] = command.ReplaceAllString(c, "${1}"+prefix+"${2} ")
	}
	var b strings.Builder
	r.Usage = "sh reproduce.sh [" + strings.ToUpper(strings.Join(tools, " [")) + strings.Repeat("]", len(tools))
	fmt.Fprintf(&b, "#!/bin/sh\n# %s\n# Ends with 0 only if the fault shows. Without arguments, PATH has the tools.\nset -e\nexport LC_ALL=C\n", r.Usage)
	for i, t := range tools {
		v := strings.NewReplacer("-", "_", ".", "_").Replace(t)
		fmt.Fprintf(&b, "%s=${%d:-%s}\n\"$%[1]s\" --version | grep -m 1 '[0-9][.][0-9]'\n", v, i+1, prefix+t)
	}
	fmt.Fprintf(&b, "{\n%s\n} >log 2>&1 || true\ncat log\n", strings.Join(commands, "\n"))
	if r.Absent != "" {
		fmt.Fprintf(&b, "if grep -qE '%s' log; then exit 1; fi\n", r.Absent)
	}
	for _, s := range append(r.Shows, r.Also...) {
		fmt.Fprintf(&b, "grep -qE '%s' log\n", s)
	}
	return b.String()
}

// write runs the commands, and writes the report if they show the fault.
func (r *report) write(folder, tools, finds string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, f := range append(r.Files, r.Find) {
		dir := "corpus"
		switch f {
		case "":
			continue
		case r.Find:
			dir = finds
		}
		b, _, err := corpus.Source(dir, f)
		if err != nil {
			return err
		}
		if strings.HasSuffix(f, ".s") && len(b) < 3<<10 {
			r.Input += fmt.Sprintf("%s:\n\n%s\n", path.Base(f), indented(string(b)))
		}
		if err := os.WriteFile(filepath.Join(folder, path.Base(f)), b, 0o666); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "reproduce.sh"), []byte(r.script()), 0o777); err != nil { //nolint:gosec // a script
		return err
	}
	for _, release := range releases {
		text, found, err := r.run(folder, tools, release)
		if err != nil {
			return err
		}
		if release == "sid" && !found {
			return fmt.Errorf("the tools do not show it: %s", text)
		}
		r.Output = indented(text)
		if version := r.To.version(tools, release); version != "" {
			r.Version = version // of the newest release, at the end
			r.Versions += fmt.Sprintf("%s (Debian %s): %s; ", version, release, map[bool]string{true: "yes", false: "no"}[found])
		}
	}
	r.Versions = strings.TrimSuffix(r.Versions, "; ")
	r.Heading = strings.TrimSpace(r.Program + " " + r.Version + ": " + r.Title)
	var b bytes.Buffer
	t, err := template.New("").Funcs(template.FuncMap{"wrap": wrapped, "url": func(s string) string { return clauses.Chapter(s).URL() }}).Parse(reportText)
	if err == nil {
		err = t.Execute(&b, r)
	}
	return errors.Join(err, os.WriteFile(filepath.Join(folder, r.To.File), b.Bytes(), 0o666))
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(strings.TrimLeft(text, "\n"), " \n"), "\n", "\n    ")
}

// wrapped breaks a text into lines of mails, the second and later ones indented by so many bytes.
func wrapped(indent int, text string) string {
	line, all := indent, ""
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && line+len(word) > 78:
			all, line = all+"\n"+strings.Repeat(" ", indent), indent
		case i > 0:
			all, line = all+" ", line+1
		}
		all, line = all+word, line+len(word)
	}
	return all
}

// run runs the script with the tools of a release of Debian. It returns what the commands print, and whether they show the fault.
func (r *report) run(folder, tools, release string) (string, bool, error) {
	work, err := os.MkdirTemp("", "upstream-*")
	if err != nil {
		return "", false, err
	}
	defer os.RemoveAll(work)
	if err := errors.Join(os.CopyFS(work, os.DirFS(folder)), linkTools(filepath.Join(work, "bin"), tools, release)); err != nil {
		return "", false, err
	}
	c := exec.CommandContext(context.Background(), "sh", "reproduce.sh")
	c.Dir, c.Env = work, append(os.Environ(), "PATH="+filepath.Join(work, "bin")+":"+os.Getenv("PATH"))
	out, failed := c.CombinedOutput()
	text, err := os.ReadFile(filepath.Join(work, "log"))
	if err != nil {
		text = out // a tool is missing
	}
	plain := regexp.MustCompile(regexp.QuoteMeta(tools)+`/(?:[^\s:]+/)*`).ReplaceAllString(string(text), "")
	return plain, failed == nil, nil
}

// linkTools makes a directory with the tools of a release of Debian, by their usual names.
func linkTools(bin, tools, release string) error {
	all, err := filepath.Glob(filepath.Join(tools, "bin", release+"-*"))
	err = errors.Join(err, os.Mkdir(bin, 0o777))
	for _, tool := range all {
		name := strings.NewReplacer(release+"-", "", "x86_64-", "", "aarch64-", "aarch64-linux-gnu-", "s390x-", "s390x-linux-gnu-", "lld", "ld.lld").Replace(filepath.Base(tool))
		err = errors.Join(err, os.Symlink(tool, filepath.Join(bin, name)))
	}
	return err
}

// version returns the version of the program in a release, "" if the release does not have it, or if it is no tool.
func (p *program) version(tools, release string) string {
	if p.Tool == "" {
		return ""
	}
	out, _ := exec.CommandContext(context.Background(), filepath.Join(tools, "bin", release+"-"+p.Tool), "--version").Output() // may be missing
	return regexp.MustCompile(`\d+\.\d[\w.]*`).FindString(string(out))
}
