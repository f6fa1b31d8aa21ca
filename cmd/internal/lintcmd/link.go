package lintcmd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// linkFlags are the flags of the command.
type linkFlags struct {
	maps   []string
	roots  []string // of relative inputs
	losses int
}

var linkCommand = command{
	name: "link", args: "OUT [INPUT...]", files: true, members: true, formats: []string{"text", "json", "sarif"},
	short: "Compare a linker's inputs with its output",
	long: `Compares a linker's inputs with its output OUT. It reports SFrame data and FDEs that are
lost, FDEs whose meaning changed, inputs of several versions, and inputs without data.
Discarded functions and unused members of archives are not losses. Inputs that a
compiler adds (start files, the compiler's library and the C library) may have no data.

Inputs are the arguments, and the files that response files (@FILE) and linker maps
name. Relative names in these are searched in the working directory, in the directory of
the map, and below --input-root. Functions are matched by name. If names are missing,
the functions of a section are matched by their distances and sizes.`,
	status: [3]string{"all functions were compared, and nothing is lost", "something is lost or changed",
		"a file could not be read, its SFrame data could not be decoded, or not all\nfunctions could be compared"},
	example: `  sframe-lint link a.out main.o util.o libfoo.a
  sframe-lint link --map a.map a.out
  sframe-lint link --format sarif=link.sarif a.out @objects.rsp`,
	start: func(a *app, c *cobra.Command) action {
		var f linkFlags
		program.List(c, &f.maps, "map", "take the inputs from the linker map `FILE` (-Map of GNU ld, lld or mold);\nmay be repeated")
		program.List(c, &f.roots, "input-root", "with --map: also look for relative paths of inputs below `DIR`, for example the\nlinker's working directory; may be repeated")
		c.Flags().IntVar(&f.losses, "losses", 10, "list up to `N` inputs, and up to N changed functions; -1: all, and all lost\nfunctions; JSON always has all")
		return func(args []string) error {
			if f.losses < -1 {
				return fmt.Errorf("--losses: %d is below -1", f.losses)
			}
			return a.link(&f, args[0], args[1:])
		}
	},
}

// collectInputs returns the inputs that flags name, and the arguments.
func (f *linkFlags) collectInputs(args []string, b *budget.Budget) (*linked, error) {
	all := &linked{budget: b, roots: f.roots}
	for _, path := range args {
		name, response := strings.CutPrefix(path, "@")
		if !response {
			if err := all.add(path); err != nil {
				return nil, program.Failed(err)
			}
			if i, ok := all.index[path]; ok {
				all.inputs[i].named = true
			}
		} else if err := all.listing("@", name, all.response); err != nil {
			return nil, err
		}
	}
	for _, path := range f.maps {
		if err := all.listing("--map: ", path, all.linkerMap); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (a *app) link(f *linkFlags, output string, args []string) error {
	c, end := a.compares()
	defer end()
	inputs, err := f.collectInputs(args, c.budget)
	if err != nil {
		return err
	}
	paths := inputs.paths()
	if len(paths) == 0 {
		return errors.New("no input named: expected INPUT or --map")
	}
	if err := stdinOnce(append(paths, output)); err != nil {
		return err
	}
	out, ok := c.load(output, 0)
	if !ok {
		a.status = program.ExitFailed
		return nil
	}
	if len(out) != 1 || out[0].Member != "" {
		return program.Failed(fmt.Errorf("%s: an archive or package is not the output of a linker", output))
	}
	sound := a.reportWhole(withData(out))
	if out[0].Status == reader.StatusNotELF {
		a.status = program.ExitFailed
		return nil
	}
	var units []*compare.Unit
	for _, path := range paths {
		more, ok := c.load(path, 0)
		more = slices.DeleteFunc(more, func(u *compare.Unit) bool { return !inputs.has(path, u.Member) || inputs.passes(u) })
		sound = ok && a.reportWhole(withData(more)) && sound
		for _, u := range more {
			switch {
			case u.Linked && !out[0].Linked:
				return fmt.Errorf("the output comes first: 'sframe-lint link %s %s ...'", path, output)
			case u.Linked:
				a.printLine("%s: not compared: it is linked already", reports.Name(u.Path, u.Member))
			default:
				units = append(units, u)
			}
		}
	}
	a.needed = slices.Concat(a.needed, paths, f.maps)
	return a.writeLink(f, c, compare.Link(units, out[0]), sound)
}

// withData returns the units that are not merely without SFrame data. The report has those.
func withData(units []*compare.Unit) []*compare.Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *compare.Unit) bool {
		return u.Status == reader.StatusNoSFrame || u.Status == reader.StatusEmpty
	})
}

// writeLink writes the reports and sets the exit status.
func (a *app) writeLink(f *linkFlags, c *comparison, r *compare.LinkReport, sound bool) error {
	err := a.report(r, forms{
		"text":  func(w io.Writer) error { return compare.WriteLink(w, r, f.losses) },
		"sarif": func(w io.Writer) error { return writeLinkSARIF(w, r) },
	})
	switch {
	case err != nil:
		return err
	case c.cut(), !sound:
		a.status = program.ExitFailed
	case r.Lost > 0:
		a.status = program.ExitFindings
	case r.Described == 0:
		a.fail("no functions to compare")
	case r.Uncompared > 0:
		a.fail("%s not compared", rules.Count(r.Uncompared, "function"))
	}
	return nil
}

// linkEffect is a kind of loss with its title.
type linkEffect struct {
	kind  compare.Effect
	title string
}

var linkEffects = []linkEffect{
	{compare.SectionGone, "the output has no SFrame data"},
	{compare.NoData, "an input has no SFrame data"},
	{compare.FDELost, "functions have lost their FDEs"},
	{compare.FDEChanged, "a function has another FDE"},
	{compare.FieldDropped, "a header field on which all inputs agree is lost"},
	{compare.MixedInputs, "inputs of several versions or ABIs"},
	{compare.NotMerged, "the sections of the inputs are concatenated"},
	{compare.NotComparable, "functions that could not be compared"},
}

// maxLinkResults is the number of results that a report has: GitHub's code scanning rejects more.
const maxLinkResults = 25000

type (
	sarifText     map[string]string
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Message  sarifText     `json:"message,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
	}
	sarifResult struct {
		RuleID    string            `json:"ruleId"`
		RuleIndex int               `json:"ruleIndex"`
		Level     string            `json:"level"`
		Message   sarifText         `json:"message"`
		Locations []sarifLocation   `json:"locations"`
		Related   []sarifLocation   `json:"relatedLocations,omitempty"`
		Prints    map[string]string `json:"partialFingerprints"`
	}
)

func sarifAt(path string) (l sarifLocation) {
	l.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(path)}).String()
	return l
}

// writeLinkSARIF writes a link check as SARIF 2.1.0. It holds one result at a time.
func writeLinkSARIF(w io.Writer, r *compare.LinkReport) error {
	b := bufio.NewWriter(w)
	put := func(v any) error {
		text, err := json.Marshal(v)
		b.Write(text)
		return err
	}
	type rule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	var descriptors []rule
	for _, k := range linkEffects {
		descriptors = append(descriptors, rule{"link/" + string(k.kind), sarifText{"text": k.title}})
	}
	t := tool()
	b.WriteString(`{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":`)
	// A service requires that the two runs of a job, this one and the linter's, differ in their tools.
	err := put(map[string]any{"name": t.Name + " link", "version": t.Version, "informationUri": t.URL, "rules": descriptors})
	if err != nil {
		return err
	}
	b.WriteString(`},"results":[`)
	n := 0
	for x := range linkResults(r) {
		if n == maxLinkResults {
			break
		}
		if n > 0 {
			b.WriteString(",\n")
		}
		n++
		if err := put(x); err != nil {
			return err
		}
	}
	b.WriteString("]}]}\n")
	return b.Flush()
}

// linkResults returns the results: one for what concerns the whole output, and one for each
// input that lost functions, each function with another meaning and each input without data.
// Where one cause loses the functions, the inputs that lost them are locations of its result.
func linkResults(r *compare.LinkReport) iter.Seq[sarifResult] {
	return func(yield func(sarifResult) bool) {
		caused, lost := false, map[string]bool{}
		for l := range r.Losses() {
			if l.Kind == compare.FDELost {
				lost[l.Input] = true // by input, below
				continue
			}
			x := sarifLoss(r, l)
			if l.Kind == compare.NotMerged || l.Kind == compare.SectionGone {
				caused = true
				x.Related = lostBy(r)
				x.Message["text"] += lostText(r)
			}
			if !yield(x) {
				return
			}
		}
		for _, c := range r.Losers() {
			if !caused && lost[c.Input] && !yield(sarifLoss(r, compare.Loss{Kind: compare.FDELost, Input: c.Input, Message: c.Summary()})) {
				return
			}
		}
	}
}

// lostText names the inputs with the most losses.
func lostText(r *compare.LinkReport) string {
	const few = 3
	var some []string
	all, functions := r.Losers(), 0
	for _, c := range all {
		functions += c.Lost
		if len(some) < few {
			some = append(some, fmt.Sprintf("%s (%d)", c.Input, c.Lost))
		}
	}
	if functions == 0 {
		return ""
	}
	text := fmt.Sprintf("; %s of %s lost: %s", rules.Count(functions, "function"), rules.Count(len(all), "input"), strings.Join(some, ", "))
	if n := len(all) - len(some); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// maxRelated is the number of related locations that a result has.
const maxRelated = 100

// lostBy returns the inputs that lost functions.
func lostBy(r *compare.LinkReport) (all []sarifLocation) {
	for i, c := range r.Losers() {
		if i == maxRelated {
			break
		}
		in := sarifAt(c.Input)
		in.ID, in.Message = i+1, sarifText{"text": c.Summary()}
		all = append(all, in)
	}
	return all
}

func sarifLoss(r *compare.LinkReport, l compare.Loss) sarifResult {
	i := slices.IndexFunc(linkEffects, func(k linkEffect) bool { return k.kind == l.Kind })
	text := l.Message
	if l.Function != "" {
		text = fmt.Sprintf("%s: %s", l.Function, text)
	}
	level := "error"
	if l.Kind == compare.NoData || l.Kind == compare.NotComparable {
		level = "warning"
	}
	x := sarifResult{RuleID: "link/" + string(l.Kind), RuleIndex: i, Level: level, Message: sarifText{"text": text},
		Locations: []sarifLocation{sarifAt(r.Output)},
		Prints:    map[string]string{"link/v1": fmt.Sprintf("%s %s %s %s", l.Kind, r.Output, l.Input, l.Function)}}
	if l.Input != "" {
		in := sarifAt(l.Input)
		in.ID, in.Message = 1, sarifText{"text": "the input that has it"}
		x.Related = []sarifLocation{in}
	}
	return x
}
