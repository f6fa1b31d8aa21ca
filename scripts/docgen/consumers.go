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
see [fuzzing.md](fuzzing.md#campaigns). [found-consumers.md](found-consumers.md) lists %d distinct faults and disagreements: %s.

| program | version | command | runs |
|---|---|---|---|
`

const encoderPart = `
### A write out of bounds by libsframe's encoder

` + "`sframe_encoder_write`" + ` of libsframe 2.47.50 writes five bytes beyond its buffer for each function that was added without FREs, as
version 3 allows: the size of the buffer counts a function's attribute with its first FRE. The fuzz target in ` + "`oss-fuzz/libsframe`" + `
found it. GNU ld calls ` + "`sframe_encoder_add_fres_buf`" + ` instead, which by its source does not have the fault.
[function-without-fres.c](../corpus/src/libsframe/function-without-fres.c) is enough, with TREE for the sources of binutils:

    : > config.h
    cc -w -fsanitize=address -DHAVE_BYTESWAP_H -DHAVE_ENDIAN_H -DHAVE_DECL_BSWAP_{16,32,64}=1 -I. -ITREE/include -ITREE/libctf \
        corpus/src/libsframe/function-without-fres.c TREE/libsframe/sframe*.c && ./a.out

AddressSanitizer reports a heap-buffer-overflow, a write of two bytes in ` + "`sframe_encoder_write_fde_attr`" + ` (sframe.c:2576). No public report was
found. As it writes out of bounds, read the [security policy](found-consumers.md#security-policies) first.
`

const breaksHead = `
## What consumers do with each fault

Each break of ` + "`sframe-fuzz break`" + ` makes one fault. The table lists what happened to the files that have it: "crash" or "hang" if it
happened at all, "notices" if there was a message or an exit status, "silent" if all runs ended without one. "Some" means
that other files with the same fault were accepted in silence. A linker gets object files, a library raw sections: "-" is a
fault that has no place there.

`

// consumersPart lists the programs of campaigns, and what they do with each fault.
func consumersPart(c *corpus.Consumers) string {
	var b strings.Builder
	kinds := map[string]int{}
	for _, f := range c.Finds {
		kinds[f.Kind]++
	}
	var counts []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		counts = append(counts, fmt.Sprintf("%d %s", kinds[k], k))
	}
	fmt.Fprintf(&b, consumersHead, len(c.Finds), strings.Join(counts, ", "))
	for _, t := range c.Targets {
		n := 0
		for _, k := range t.Runs {
			n += k
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %d |\n", t.Name, t.Version, t.Command, n)
	}
	b.WriteString(encoderPart)
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
	return b.String()
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
