package lintcmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/sarif"
	"github.com/sframe-lint/sframe-lint/rules"
)

// outputs are the reports of a run.
type outputs []output

type output struct {
	reports.Renderer
	file *edit.Output // nil for standard output
}

// format is a format of reports.
type format struct {
	name     string
	renderer func(a *app, f *lintFlags, w io.Writer, all []*rules.Rule) reports.Renderer
}

// formats are all formats of reports, the default first, and the one on a terminal second.
var formats = []format{
	{"text", (*app).textReport},
	{"full", (*app).fullReport},
	{"json", writerOnly(reports.NewJSON)},
	{"sarif", (*app).sarifReport},
	{"github", writerOnly(reports.NewGitHub)},
	{"html", writerOnly(func(w io.Writer) *html.Renderer { return html.New(w, tool()) })},
	{"junit", func(_ *app, f *lintFlags, w io.Writer, _ []*rules.Rule) reports.Renderer {
		return reports.NewJUnit(w, f.fails)
	}},
	{"gitlab", writerOnly(reports.NewGitLab)},
	{"jsonl", writerOnly(reports.NewJSONLines)},
	{"markdown", writerOnly(reports.NewMarkdown)},
	{"patch", func(a *app, f *lintFlags, w io.Writer, _ []*rules.Rule) reports.Renderer {
		return reports.NewPatch(w, f.sources.Open, a.verifier(f))
	}},
}

// writerOnly returns the constructor of a format that depends on nothing but the writer.
func writerOnly[R reports.Renderer](create func(io.Writer) R) func(*app, *lintFlags, io.Writer, []*rules.Rule) reports.Renderer {
	return func(_ *app, _ *lintFlags, w io.Writer, _ []*rules.Rule) reports.Renderer { return create(w) }
}

// merges reports whether a format has one finding for those with one cause: programs that read JSON, and pages that
// fold lists, get all of them.
func merges(format string) bool {
	switch format {
	case "json", "jsonl", "html", "markdown", "patch":
		return false
	}
	return true
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// openOutputs opens the files of --format. It opens them before the first input is
// read, since a run of an hour must not fail at its end.
func (a *app) openOutputs(flags *lintFlags, all []*rules.Rule, needed []string) (outputs, error) {
	names := formatNames()
	if err := checkFormats(flags.formats, names); err != nil {
		return nil, err
	}
	var outs outputs
	if flags.list.working {
		return append(outs, output{Renderer: reports.NewJSONLines(a.stdout).Measures()}), nil
	}
	for _, f := range flags.formats {
		name, path, toFile := strings.Cut(f, "=")
		var o output
		w := a.stdout
		if toFile {
			file, err := openReport("--format", path, needed)
			if err != nil {
				outs.abandon()
				return nil, err
			}
			o.file, w = file, file
			needed = append(needed, path)
		}
		o.Renderer = formats[slices.Index(names, name)].renderer(a, flags, w, all)
		switch {
		case flags.show == showAll:
			o.Renderer = reports.Everything(o.Renderer)
		case merges(name) && !flags.verbose && !flags.statistics:
			o.Renderer = reports.Causes(o.Renderer)
		default:
			o.Renderer = reports.Whole(o.Renderer)
		}
		outs = append(outs, o)
	}
	return outs, nil
}

// limit gives each report its limit.
func (o outputs) limit(l budget.Limits) {
	for i := range o {
		o[i].Limit(l.Of(budget.Output))
	}
}

// formOf returns the form of text in a format.
func formOf(format string) escape.Form {
	switch format {
	case "json", "sarif":
		return escape.JSON
	case "html":
		return escape.HTML
	}
	return escape.Text
}

// forms are what writes a report in formats besides JSON.
type forms map[string]func(w io.Writer) error

// report writes a result in each format that --format names.
func (a *app) report(result any, as forms) error {
	return a.write(func(w io.Writer, format string) error {
		if write := as[format]; write != nil {
			return write(w)
		}
		return compare.WriteJSON(w, result)
	})
}

// write calls a function with a writer, whose text is never obeyed, for each format that --format names. Of a command
// without a Markdown of its own, Markdown is the text, indented: no name in it is markup there.
func (a *app) write(write func(w io.Writer, format string) error) error {
	return a.writeRaw(func(out io.Writer, format string) error {
		if form := a.form(format); form != format {
			out, format = &indented{w: out, start: true}, form
		}
		w := escape.NewWriter(out, formOf(format))
		return cmp.Or(write(w, format), w.Close())
	})
}

// form is the format that the command itself writes for one that --format names.
func (a *app) form(format string) string {
	if format == "markdown" && !slices.Contains(a.own, format) {
		return "text"
	}
	return format
}

// indented writes each line behind four spaces.
type indented struct {
	w     io.Writer
	start bool // of a line
}

func (x *indented) Write(p []byte) (int, error) {
	n := len(p)
	for line := range bytes.Lines(p) {
		if x.start {
			line = append([]byte("    "), line...)
		}
		if _, err := x.w.Write(line); err != nil {
			return 0, err
		}
		x.start = line[len(line)-1] == '\n'
	}
	return n, nil
}

// writeRaw calls a function with standard output or a file for each format that --format names.
func (a *app) writeRaw(write func(w io.Writer, format string) error) error {
	for _, f := range a.formats {
		format, path, toFile := strings.Cut(f, "=")
		out, done := a.stdout, func() error { return nil }
		if toFile {
			file, err := openReport("--format", path, a.needed)
			if err != nil {
				return err
			}
			out, done = file, file.Close
		}
		if err := cmp.Or(write(out, format), done()); err != nil {
			return program.Failed(err)
		}
	}
	return nil
}

// openReport opens the file of a report, unless it is a file that is needed.
func openReport(flag, path string, needed []string) (*edit.Output, error) {
	if err := program.Guard(flag, path, needed, nil); err != nil {
		return nil, err
	}
	file, err := edit.Create(path)
	return file, program.Failed(err)
}

// besideInputs reports an error if a report is below a directory in which every file is
// read as a raw section.
func besideInputs(formats, paths []string) error {
	for _, f := range formats {
		_, file, toFile := strings.Cut(f, "=")
		for _, dir := range paths {
			info, err := os.Stat(dir)
			if !toFile || err != nil || !info.IsDir() {
				continue
			}
			rel, err := filepath.Rel(resolvePath(dir), filepath.Join(resolvePath(filepath.Dir(file)), filepath.Base(file)))
			if err == nil && filepath.IsLocal(rel) {
				return fmt.Errorf("--format: %s is in %s, where --raw reads every file", file, dir)
			}
		}
	}
	return nil
}

// resolvePath returns what a path leads to, from the root on.
func resolvePath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return edit.Absolute(path)
}

// checkFormats reports an error in the formats of --format. Those of a command are in names.
func checkFormats(formats, known []string) error {
	seen := map[string]bool{}
	for _, f := range formats {
		name, path, toFile := strings.Cut(f, "=")
		if !slices.Contains(known, name) {
			return fmt.Errorf("--format: %w", lookup.Unknown("format", name, known, ""))
		}
		switch {
		case toFile && path == "":
			return fmt.Errorf("--format: no file after %q", f)
		case seen[path] && !toFile:
			return errors.New("--format: two formats for standard output; write one of them to a file, as in sarif=FILE")
		case seen[path]:
			return fmt.Errorf("--format: two formats for the file %q", path)
		}
		seen[path] = true
	}
	return nil
}

func (a *app) sarifReport(f *lintFlags, w io.Writer, all []*rules.Rule) reports.Renderer {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // it was removed: paths stay as they are
	}
	root := dir
	if f.sources.Root != "" {
		root = edit.Absolute(f.sources.Root)
	}
	return sarif.New(w, sarif.Options{
		Tool: tool(), Rules: all, Root: root, Dir: dir, Baseline: f.known.path != "", Anchor: f.anchor,
	})
}

func (a *app) textReport(f *lintFlags, w io.Writer, _ []*rules.Rule) reports.Renderer {
	if f.statistics {
		return reports.NewStatistics(w)
	}
	return a.groupFindings(f, reports.NewText(w, a.useColor(w)))
}

func (a *app) fullReport(f *lintFlags, w io.Writer, _ []*rules.Rule) reports.Renderer {
	return a.groupFindings(f, reports.NewText(w, a.useColor(w)).Paragraphs(min(program.Width(w, usualWidth), mostWidth)))
}

// usualWidth is the width of lines in a report that is not on a terminal; mostWidth is the maximum on a terminal.
const usualWidth, mostWidth = 100, 120

// groupFindings makes a report have one text for the findings of a rule in a file if the profile says so.
func (a *app) groupFindings(f *lintFlags, text *reports.Text) *reports.Text {
	if f.settings.Group && !f.verbose {
		return text.Group()
	}
	return text
}

// defaultFormat returns the format of a report on standard output that no flag chooses: full for a person
// at a terminal, text for logs and other programs.
func (a *app) defaultFormat(f *lintFlags) string {
	if program.IsTerminal(a.stdout) && !program.InCI() && !f.statistics {
		return "full"
	}
	return "text"
}

func tool() reports.Tool {
	return reports.Tool{Name: name, Version: program.Version(), URL: homepage}
}

func (o outputs) file(f *lint.File) error {
	for i := range o {
		if err := o[i].File(f); err != nil {
			return err
		}
	}
	return nil
}

func (o outputs) close(s lint.Summary) error {
	var first error
	note := func(err error) {
		var out *reports.LeftOut
		if err != nil && (first == nil || errors.As(first, &out)) {
			first = err
		}
	}
	for i := range o {
		note(o[i].Close(s))
		if o[i].file != nil {
			note(o[i].file.Close())
		}
	}
	return first
}

// abandon removes the files of a run that does not begin.
func (o outputs) abandon() {
	for i := range o {
		if o[i].file != nil {
			o[i].file.Abandon()
		}
	}
}
