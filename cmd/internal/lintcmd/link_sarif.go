package lintcmd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/rules"
)

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
