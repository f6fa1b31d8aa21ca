package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// finds is what corpus/found.yaml has: faults that this project's tools found.
type finds struct {
	Crashes []struct{ Tool, Source, Message string } // programs of corpus/src/cfi on which assemblers fail
	Links   []struct{ Tool, Fault, File string }     // faults of linkers, with files of the corpus
	Sources []struct{ Where, File string }           // functions of real programs whose CFI is wrong, with files of the corpus
	// Reported is what is publicly known of failures of consumers. Find is a regular expression
	// for their kind and key.
	Reported []struct{ Find, What string }
}

// load returns what a file of the corpus has.
func load[T any](name string) (*T, error) {
	b, err := os.ReadFile("corpus/" + name)
	if err != nil {
		return nil, err
	}
	x := new(T)
	if err := yaml.UnmarshalWithOptions(b, x, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}

// foundPage lists the faults that this project's tools found.
func foundPage(all []*linted, known *finds, c *corpus.Consumers) (string, error) {
	var cfi, failed, wrong, linked strings.Builder
	for _, f := range all {
		if !strings.HasPrefix(f.File, "files/cfi/") {
			continue
		}
		said, err := directives(f.Source[0])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&cfi, "| %s %s | %s | %s | %s | %s |\n", f.Producer, release(f.Version), said, f.About, f.link(), f.shownBy())
	}
	for _, x := range known.Crashes {
		said, err := directives("src/cfi/" + x.Source + ".s")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&failed, "| %s | %s | %s |\n", x.Tool, said, x.Message)
	}
	for _, x := range known.Sources {
		f, err := file(all, "wrong-cfi/"+x.File+".o")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&wrong, "| %s | %s | %s, of [%s](../corpus/%s) | %s |\n", x.Where, f.About, f.link(), path.Base(f.Source[0]), f.Source[0], f.shownBy())
	}
	for _, x := range known.Links {
		f, err := file(all, x.File)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&linked, "| %s | %s | [%s](../%s) | %s |\n", x.Tool, x.Fault, x.File, f.path(), f.shownBy())
	}
	return render("found", map[string]any{
		"CFI": &cfi, "Crashes": &failed, "Sources": &wrong, "Links": &linked, "Consumers": c, "Faults": faultsText(c.Finds), "Kinds": kindsOf(c),
	}), nil
}

// link names the file, as a link from a page in docs.
func (f *linted) link() string { return fmt.Sprintf("[%s](../%s)", path.Base(f.File), f.path()) }

// file returns a file of the corpus.
func file(all []*linted, name string) (*linted, error) {
	i := slices.IndexFunc(all, func(f *linted) bool { return f.File == "files/"+name })
	if i < 0 {
		return nil, fmt.Errorf("%s is not in the corpus", name)
	}
	return all[i], nil
}

// shownBy links the rules that report a fault in a file.
func (f *linted) shownBy() string {
	if ids := f.judging(); len(ids) > 0 {
		return ruleLinks(ids)
	}
	return "only `.eh_frame`"
}

// release returns a version without its patch level.
func release(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if parts[0] != "2" { // LLVM
		return parts[0]
	}
	return strings.Join(parts[:2], ".")
}

// judging returns the rules that report an error or a warning on the file, or a note of
// family 6, apart from those on every file of an old release.
func (f *linted) judging() (ids []string) {
	for _, r := range catalogue.Rules() {
		if f.fires[r.ID] > 0 && (r.Severity >= rules.Warning || strings.HasPrefix(r.ID, "SF6")) && r.ID != "SF1004" && r.ID != "SF5003" {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// directives returns the CFI directives of a source file of the corpus, as code that links to it.
func directives(source string) (string, error) {
	b, err := os.ReadFile("corpus/" + source)
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
			return fmt.Sprintf("[`%s`](../corpus/%s)", strings.Join(all, "; "), source), nil
		case strings.HasPrefix(line, "nop") && len(all) > 0 && all[len(all)-1] != "...":
			all = append(all, "...")
		case !strings.ContainsAny(line, "#.:") && line != "startproc" && !strings.HasPrefix(line, "nop"):
			all = append(all, line)
		}
	}
	return "", fmt.Errorf("%s: no CFI", source)
}
