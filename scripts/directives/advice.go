package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/harness"
)

// removed is the advice to remove directives.
var removed = regexp.MustCompile(`^remove the CFI directives after the last instruction, at \+0x([0-9a-f]+)`)

// apply applies the advice of findings to a body. It reports whether there is one that it can follow.
func apply(abi *model.ABIInfo, body []line, all []harness.Finding) ([]line, bool) {
	body = slices.Clone(body)
	done := map[line]bool{}
	for i := range all {
		if m := removed.FindStringSubmatch(all[i].Help); m != nil {
			off, _ := strconv.ParseUint(m[1], 16, 64)
			n := len(body)
			body = slices.DeleteFunc(body, func(x line) bool { return x.off >= off && proof.Sets(abi, x.text) != "" })
			done[line{text: m[0]}] = len(body) < n
		}
		for directive := range strings.Lines(all[i].Correction) {
			at, text, _ := strings.Cut(strings.TrimSuffix(directive, "\n"), " ")
			off, _ := strconv.ParseUint(at, 10, 64)
			l := line{text: "\t" + text, off: off}
			if done[l] {
				continue
			}
			done[l] = true
			body = insert(slices.DeleteFunc(body, func(x line) bool {
				return x.off == off && proof.Sets(abi, x.text) != "" && proof.Sets(abi, x.text) == proof.Sets(abi, l.text)
			}), l)
		}
	}
	return body, len(done) > 0
}

// first returns the offset of the first instruction from an offset on.
func first(body []line, off uint64) uint64 {
	for _, l := range body {
		if l.insn && l.off >= off {
			return l.off
		}
	}
	return off
}

// insert adds a directive before the first instruction, or the padding before it, that is at its offset or later.
func insert(body []line, l line) []line {
	at := slices.IndexFunc(body, func(x line) bool {
		return x.off >= l.off && (x.insn || pads(x.text) && x.off == l.off && first(body, l.off) > l.off)
	})
	if at < 0 {
		at = len(body) - 1
	}
	return slices.Insert(body, at, l)
}
