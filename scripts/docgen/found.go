package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// finds is what corpus/found.yaml has, whose comments describe the fields.
type finds struct {
	Tables []*table
	// Reported is what is publicly known of failures of consumers. Find is a regular expression
	// for their kind and key.
	Reported []struct{ Find, What string }
}

// table has the rows about a program.
type table struct {
	Program, About, Producer string
	Targets                  []string
	Rows                     []*entry
}

// entry is a row of what was found.
type entry struct {
	Who, Version, What, Seen, Expected, Reported string
	Rules, Files                                 []string
	Source                                       string
	Bug                                          int
	Grave                                        bool   // it is in docs/found.md, which has not all
	input                                        string // in place of files of the corpus
}

// loadFinds reads the finds, and adds the rows that other files of the corpus have.
func loadFinds(all []*linted, c *corpus.Consumers, replays corpus.Replays) (*finds, error) {
	b, err := os.ReadFile("corpus/found.yaml")
	if err != nil {
		return nil, err
	}
	known := new(finds)
	if err := yaml.UnmarshalWithOptions(b, known, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("corpus/found.yaml: %w", err)
	}
	for _, t := range known.Tables {
		for _, x := range t.Rows {
			x.Who = cmp.Or(x.Who, t.Program)
			if x.Source != "" {
				said, err := directives("src/cfi/" + x.Source + ".s")
				if err != nil {
					return nil, err
				}
				x.What += " on " + said
			}
		}
		made, err := translations(all, t.Producer)
		if err != nil {
			return nil, err
		}
		t.Rows = slices.Concat(t.Rows, made, known.failures(c, replays, t.Targets))
	}
	return known, nil
}

// translations are the rows about files whose FREs contradict the CFI that an assembler has read.
func translations(all []*linted, producer string) (rows []*entry, err error) {
	for _, f := range all {
		if !strings.HasPrefix(f.File, "files/cfi/") || f.Producer != producer {
			continue
		}
		x := &entry{Who: map[string]string{"gas": "GNU as"}[producer], Version: release(f.Version), Files: []string{strings.TrimPrefix(f.File, "files/")}}
		x.Who, x.Seen, x.Expected = cmp.Or(x.Who, producer), f.About, "FREs that agree with the CFI"
		if x.What, err = directives(f.Source[0]); err != nil {
			return nil, err
		}
		for _, r := range catalogue.Rules() {
			if f.fires[r.ID] > 0 && (r.Severity >= rules.Warning || r.Family() == '6') && r.ID != "SF1004" && r.ID != "SF5003" { // these are on every file of the release
				x.Rules = append(x.Rules, r.ID)
			}
		}
		newest := slices.Contains([]string{"2.47", "23"}, release(f.Version))
		x.Grave = newest && slices.Contains(x.Rules, "SF6007") // the CFA is wrong
		if len(x.Rules) == 0 {
			x.Expected += "; only `.eh_frame` shows the fault"
		}
		rows = append(rows, x)
	}
	return rows, nil
}

// foundPage lists what went wrong with SFrame data: what is grave, or everything.
func foundPage(all []*linted, c *corpus.Consumers, known *finds, everything bool) (string, error) {
	var b strings.Builder
	shown, rows := 0, 0
	for _, t := range known.Tables {
		rows += len(t.Rows)
		if !everything && !slices.ContainsFunc(t.Rows, func(x *entry) bool { return x.Grave }) {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", t.Program)
		if t.About != "" {
			fmt.Fprintf(&b, "%s\n\n", t.About)
		}
		b.WriteString("| who | which version | what | seen | expected | file | reported |\n|---|---|---|---|---|---|---|\n")
		for _, x := range t.Rows {
			if !x.Grave && !everything {
				continue
			}
			shown++
			files, err := x.linted(all)
			if err != nil {
				return "", err
			}
			if x.Bug != 0 {
				x.What = fmt.Sprintf("%s, bug %d", x.What, x.Bug)
			}
			if x.Seen == "" {
				x.Seen = files[0].About
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", x.Who, x.Version, x.What, x.Seen, x.judged(files), x.links(all, files), x.Reported)
		}
	}
	return render("found", map[string]any{"Tables": &b, "Consumers": c, "Faults": faultsText(c.Finds), "Kinds": kindsOf(c), "Shown": shown, "Rows": rows}), nil
}

// linted returns the files of the row.
func (x *entry) linted(all []*linted) (files []*linted, err error) {
	for _, name := range x.Files {
		i := slices.IndexFunc(all, func(f *linted) bool { return f.File == "files/"+name })
		if i < 0 {
			return nil, fmt.Errorf("%s is not in the corpus", name)
		}
		files = append(files, all[i])
	}
	return files, nil
}

var ruleID = regexp.MustCompile(`\bSF\d{4}\b`)

// judged returns what is expected, the rules that report the fault, and those that report anything else in
// the files as an error or a warning.
func (x *entry) judged(files []*linted) string {
	text := x.Expected
	if len(x.Rules) > 0 {
		text += " (" + strings.Join(x.Rules, ", ") + ")"
	}
	if beside := x.otherRules(files); len(beside) > 0 {
		text += "; beside: " + strings.Join(beside, ", ")
	}
	return ruleID.ReplaceAllStringFunc(text, func(id string) string { return "[" + id + "](../" + rules.TextPath(id) + ")" })
}

// otherRules returns the rules that report an error or a warning in the files, and that the row does not name.
func (x *entry) otherRules(files []*linted) (ids []string) {
	for _, r := range catalogue.Default() {
		hit := slices.ContainsFunc(files, func(f *linted) bool { return f.warns[r.ID] })
		if hit && !slices.Contains(x.Rules, r.ID) && !strings.Contains(x.Expected, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// links names the files, and counts others that show the bug.
func (x *entry) links(all, files []*linted) string {
	if x.input != "" {
		return x.input
	}
	var names []string
	for _, f := range files {
		names = append(names, fmt.Sprintf("[%s](../%s)", strings.TrimPrefix(f.File, "files/"), f.path()))
	}
	more := 0
	for _, f := range all {
		if x.Bug != 0 && slices.Contains(f.KnownBug, x.Bug) && !slices.Contains(files, f) {
			more++
		}
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// release returns a version without its patch level.
func release(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if parts[0] != "2" { // LLVM
		return parts[0]
	}
	return strings.Join(parts[:2], ".")
}

// directives returns the CFI directives of a source file of the corpus, as code that links to it.
func directives(source string) (string, error) {
	b, file, err := corpus.Source("corpus", source)
	if err != nil {
		return "", err
	}
	var all []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), ".cfi_")
		switch {
		case line == "startproc simple":
			all = append(all, "startproc simple")
		case line == "endproc" && len(all) == 0: // of a function before
		case line == "endproc":
			return fmt.Sprintf("[`%s`](../%s)", strings.Join(all, "; "), file), nil
		case strings.HasPrefix(line, "nop") && len(all) > 0 && all[len(all)-1] != "...":
			all = append(all, "...")
		case !strings.ContainsAny(line, "#.:") && line != "startproc" && !strings.HasPrefix(line, "nop"):
			all = append(all, line)
		}
	}
	return "", fmt.Errorf("%s: no CFI", source)
}
