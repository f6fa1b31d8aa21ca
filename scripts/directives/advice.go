package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
)

// removed is the advice to remove directives.
var removed = regexp.MustCompile(`^remove the CFI directives after the last instruction, at \+0x([0-9a-f]+)`)

// apply applies the advice of findings to a body. It reports whether there is one that it can follow.
func apply(abi *model.ABIInfo, body []line, all []subject.Finding) ([]line, bool) {
	body = slices.Clone(body)
	done := map[line]bool{}
	for i := range all {
		if m := removed.FindStringSubmatch(all[i].Help); m != nil {
			off, _ := strconv.ParseUint(m[1], 16, 64)
			n := len(body)
			body = slices.DeleteFunc(body, func(x line) bool { return x.off >= off && concerns(abi, &x) != "" })
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
				return x.off == off && concerns(abi, &x) != "" && concerns(abi, &x) == concerns(abi, &l)
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

// concerns returns what a directive sets: the CFA, or a register.
func concerns(abi *model.ABIInfo, l *line) string {
	switch name, operands := l.directive(); name {
	case "def_cfa", "def_cfa_offset", "def_cfa_register", "adjust_cfa_offset":
		return "CFA"
	case "offset", "rel_offset", "restore", "undefined", "same_value", "register", "val_offset":
		if len(operands) > 0 {
			return registerOf(abi, operands[0])
		}
	}
	return ""
}

// registerOf returns the name of a register that a directive has by its number or by a name.
func registerOf(abi *model.ABIInfo, operand string) string {
	if n, err := strconv.ParseUint(operand, 10, 32); err == nil {
		return abi.RegName(uint32(n))
	}
	name := strings.TrimPrefix(operand, "%")
	if rest, ok := strings.CutPrefix(name, "w"); ok {
		return "x" + rest
	}
	return name
}
