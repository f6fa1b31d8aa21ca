package lint_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Check a file with the rules that are on by default.
func ExampleCheckFile() {
	file, err := lint.CheckFile(context.Background(), "../corpus/files/hand/v3-amd64-bad-version.sframe")
	if err != nil {
		log.Fatal(err)
	}
	for _, object := range file.Objects {
		for _, f := range object.Findings {
			fmt.Printf("+%#x: %s: %s\n", f.Span.Off, f.Rule.ID, f.Message)
		}
	}
	// Output:
	// +0x2: SF1003: sfp_version is 4, but only versions 1, 2 and 3 have been published: consumers reject the section
}

// Report only what an earlier run has not found, and look at the outcome as a whole.
func ExampleNew() {
	check := func(known *lint.Baseline, path string) *lint.Run {
		linter, err := lint.New(lint.Options{
			Profile: "toolchain", Select: []string{"SF2", "SF5003"},
			Severity: []lint.Override{{ID: "SF5003", Level: rules.Note}},
			Baseline: known, Record: true,
		})
		if err != nil {
			log.Fatal(err)
		}
		run := linter.Run(context.Background(), path)
		for file := range run.Files() {
			if file.Err != nil {
				log.Print(file.Reason())
			}
		}
		return run
	}
	const file = "../corpus/files/binutils-2.44/amd64/pltgot.elf"
	first := check(nil, file)
	recorder, err := first.Recorded()
	if err != nil {
		log.Fatal(err)
	}
	var list strings.Builder
	if err := recorder.Write(&list); err != nil {
		log.Fatal(err)
	}
	known, err := lint.ReadBaseline(strings.NewReader(list.String()))
	if err != nil {
		log.Fatal(err)
	}
	second := check(known, file)
	for _, s := range []lint.Summary{first.Summary(), second.Summary()} {
		fmt.Println(s.Warnings, "warnings,", s.Notes, "notes,", s.Tally[lint.ByBaseline], "known")
	}
	// Output:
	// 1 warnings, 1 notes, 0 known
	// 0 warnings, 0 notes, 2 known
}

// Show what the fixes of findings would change.
func ExampleOptions_fix() {
	linter, err := lint.New(lint.Options{Select: []string{"SF5010"}, Fix: lint.ShowFixes})
	if err != nil {
		log.Fatal(err)
	}
	for file := range linter.Run(context.Background(), "../corpus/files/binutils-2.47/amd64/program.elf").Files() {
		os.Stdout.Write(file.Diff)
	}
	// Output:
	// --- ../corpus/files/binutils-2.47/amd64/program.elf
	// +++ ../corpus/files/binutils-2.47/amd64/program.elf (fixed)
	// @@ 0xd0, 8 bytes, SF5010: set p_filesz and p_memsz to sh_size @@
	// -6c 02 00 00 00 00 00 00
	// +50 02 00 00 00 00 00 00
	// @@ 0xd8, 8 bytes, SF5010: set p_filesz and p_memsz to sh_size @@
	// -6c 02 00 00 00 00 00 00
	// +50 02 00 00 00 00 00 00
}

// Rules lists what can be selected.
func ExampleRules() {
	for _, r := range lint.Rules() {
		if r.Severity == rules.Error && strings.HasPrefix(r.ID, "SF100") {
			fmt.Println(r.ID, r.Title)
		}
	}
	// Output:
	// SF1001 wrong magic number
	// SF1002 section shorter than its header
	// SF1003 unknown version
	// SF1004 obsolete version 1
	// SF1005 undefined flag bits
	// SF1006 unknown ABI identifier
	// SF1007 ABI contradicts the byte order
	// SF1008 fixed RA offset is not the ABI's
	// SF1009 fixed FP offset is not the ABI's
}

// Record the findings of a run, and leave them out of the next one.
func ExampleBaseline() {
	rule := rules.New(rules.Rule{ID: "ACME1001", Title: "small function"}, nil)
	main := rules.Finding{Rule: rule, Path: "build/a.out", Section: ".sframe", InSection: true, FDE: 3, FRE: -1, Function: "main"}
	other := main
	other.Function = "other"

	var recorder lint.Recorder
	recorder.Add(&main)
	var file bytes.Buffer
	if err := recorder.Write(&file); err != nil {
		log.Fatal(err)
	}
	fmt.Print(file.String())

	known, err := lint.ReadBaseline(&file)
	if err != nil {
		log.Fatal(err)
	}
	main.FDE, main.FileOffset = 5, 0x1000 // the file was built again
	fmt.Println(known.Has(&main), known.Has(&other))
	// Output:
	// {
	//   "schema": "sframe-lint/baseline/1",
	//   "findings": [
	//     {"rule":"ACME1001","file":"build/a.out","section":".sframe","function":"main","place":"FDE","count":1}
	//   ]
	// }
	// true false
}
