package generator

import (
	"fmt"
	"strings"
)

const knobIntro = `# Knobs of the generator

Every knob is a flag of the same name. With the defaults, sections are small and as compilers make them, and a linter has
nothing to remark; other settings give sections that are as valid, but may earn a warning or a note. The same knobs always
give the same section. Percentages are of the functions, if nothing else is said. This page is made from the table in
` + "`generator/knobs.go`" + `.

| knob | kind | range | default | what it is |
|---|---|---|---|---|
`

// KnobDoc returns the documentation of all knobs, in Markdown.
func KnobDoc() string {
	var b strings.Builder
	b.WriteString(knobIntro)
	for _, k := range knobs {
		fmt.Fprintf(&b, "| `--%s` | %s | %s | %s | %s |\n", k.Name, k.Kind, k.Range(), k.Format(k.Default), k.Doc)
	}
	return b.String()
}
