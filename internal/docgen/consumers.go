package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/corpus"
)

const consumersHead = `
## Consumers

` + "`sframe-fuzz run`" + ` made valid, broken and mutated files and ran these programs on them:
see [fuzzing.md](fuzzing.md#campaigns). For each place where one fails, or kind of disagreement, the table has the smallest file. A row
that names several programs is a fault of a library that they share. A place without a name is a module and an
offset in it. The clause is what the file does not meet; a valid file meets all of them. A disagreement with the name of a profile is
one that [consumers.md](consumers.md) describes. To see a row:

    sframe-fuzz run --target 'objdump --sframe @@' corpus/consumers/FILE
    sframe-fuzz run --library libsframe=/usr/lib/x86_64-linux-gnu/libsframe.so.3 corpus/consumers/FILE
    sframe-fuzz run --library libsframe=binutils-2.47.50 corpus/consumers/FILE # with sanitizers

None of the faults has been reported upstream by this project. Before a report on one in which memory is written out of bounds, read the
security policy of the program: binutils/SECURITY.txt for GNU binutils, <https://llvm.org/docs/Security.html> for LLVM.

| program | version | command | runs |
|---|---|---|---|
`

const findsHead = `
| what | where or how | programs | input | bytes | clause | file |
|---|---|---|---|---|---|---|
`

const breaksHead = `
## What consumers do with each fault

Each break of ` + "`sframe-fuzz break`" + ` makes one fault. The table lists what happened to the files that have it: "crash" or "hang" if it
happened at all, "notices" if there was a message or an exit status, "silent" if all runs ended without one. "Some" means
that other files with the same fault were accepted in silence. A linker gets object files, a library raw sections: "-" is a
fault that has no place there.

`

// consumersPart lists what campaigns have found in consumers.
func consumersPart(dir string) (string, error) {
	c, err := corpus.LoadConsumers(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(consumersHead)
	for _, t := range c.Targets {
		n := 0
		for _, k := range t.Runs {
			n += k
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %d |\n", t.Name, t.Version, t.Command, n)
	}
	b.WriteString(findsHead)
	for _, f := range c.Finds {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s | [%s](../corpus/consumers/%s) |\n", f.Kind, code(f.Key), strings.Join(f.Targets, ", "),
			inputText(f), f.Size, f.Clause, f.ABI, f.File)
	}
	b.WriteString(breaksHead)
	b.WriteString("| break |")
	for _, t := range c.Targets {
		fmt.Fprintf(&b, " %s |", t.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(c.Targets)) + "\n")
	for _, name := range slices.Sorted(maps.Keys(c.Breaks)) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, t := range c.Targets {
			fmt.Fprintf(&b, " %s |", outcome(c.Breaks[name][t.Name]))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

func code(key string) string { return "`" + strings.ReplaceAll(key, "|", "\\|") + "`" }

func inputText(f corpus.ConsumerFind) string {
	if f.Break != "" {
		return f.Class + ": " + f.Break
	}
	return f.Class
}

// outcome sums up what a target did with the files of a break.
func outcome(n map[string]int) string {
	noticed := n["notices"] + n["rejects"]
	switch {
	case len(n) == 0:
		return "-"
	case n["crash"] > 0:
		return "crash"
	case n["hang"] > 0:
		return "hang"
	case n["memory"]+n["slow"] > 0:
		return "blow-up"
	case noticed > 0 && n["accepts"] > 0:
		return "notices some"
	case noticed > 0:
		return "notices"
	}
	return "silent"
}
