package main

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
)

const knobsHead = `# Knobs of the generator

` + notice + `Every knob is a flag of the same name. With the defaults, sections are small, as a compiler would make them, and
a linter reports nothing. With other values sections are as valid, but can cause a warning or a note. The same knobs always
give the same section. The last four knobs, and %s in version 3, make what the manual allows and no tool writes; only
%s chooses them at random. [corners.md](corners.md) counts the values that are reached. Percentages are of the functions unless stated otherwise.

| knob | kind | range | default | meaning |
|---|---|---|---|---|
`

// knobsPage lists the knobs of the generator.
func knobsPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, knobsHead, "`--pcrel=false`", "`--spec-wide`")
	for _, k := range generator.Knobs() {
		fmt.Fprintf(&b, "| `--%s` | %s | %s | %s | %s |\n", k.Name, k.Kind, k.Range(), k.Format(k.Default), k.Doc)
	}
	return b.String()
}
