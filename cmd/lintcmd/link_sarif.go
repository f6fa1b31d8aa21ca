package lintcmd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/compare"
)

// linkKinds are the kinds of loss, with a title for each.
var linkKinds = []struct {
	kind  compare.LossKind
	title string
}{
	{compare.SectionGone, "the output has no SFrame data"},
	{compare.NoData, "an input has no SFrame data"},
	{compare.FDELost, "a function has lost its FDE"},
	{compare.FDEChanged, "a function has another FDE"},
	{compare.FieldDropped, "a header field on which all inputs agree is lost"},
	{compare.MixedInputs, "inputs of several versions or ABIs"},
	{compare.NotMerged, "the sections of the inputs are concatenated"},
	{compare.NotComparable, "functions that could not be compared"},
}

// maxLinkResults is how many results a report has: GitHub's code scanning rejects more.
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
	for _, k := range linkKinds {
		descriptors = append(descriptors, rule{"link/" + string(k.kind), sarifText{"text": k.title}})
	}
	t := tool()
	b.WriteString(`{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":`)
	err := put(map[string]any{"name": t.Name, "version": t.Version, "informationUri": t.URL, "rules": descriptors})
	if err != nil {
		return err
	}
	b.WriteString(`},"automationDetails":{"id":"sframe-lint/link/"},"results":[`)
	n := 0
	for l := range r.Losses() {
		if n == maxLinkResults {
			break
		}
		if n > 0 {
			b.WriteString(",\n")
		}
		n++
		if err := put(sarifLoss(r, &l)); err != nil {
			return err
		}
	}
	b.WriteString("]}]}\n")
	return b.Flush()
}

func sarifLoss(r *compare.LinkReport, l *compare.Loss) sarifResult {
	i := slices.IndexFunc(linkKinds, func(k struct {
		kind  compare.LossKind
		title string
	}) bool {
		return k.kind == l.Kind
	})
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
