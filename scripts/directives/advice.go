package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
)

// The advice of a finding: directives, and where they go.
var (
	writes = regexp.MustCompile(`\b(write|add) (\.cfi_.+?)(?: after "[^"]*",)? at \+0x([0-9a-f]+) of the function`)
	moves  = regexp.MustCompile(`\bmove (\.cfi_\S+|the directive)(.*?) from \+0x([0-9a-f]+) to \+0x([0-9a-f]+)`)
)

// apply applies the advice of a finding to a body. It reports whether there is one that it can follow.
func apply(abi *model.ABIInfo, body []line, f *subject.Finding) ([]line, bool) {
	if m := moves.FindStringSubmatch(f.Help); m != nil {
		from, _ := strconv.ParseUint(m[3], 16, 64)
		to, _ := strconv.ParseUint(m[4], 16, 64)
		return relocate(body, from, to, func(l *line) bool {
			return strings.Join(strings.Fields(strings.TrimSpace(l.text)), " ") == m[1]+m[2]
		})
	}
	m := writes.FindStringSubmatch(f.Help)
	if m == nil {
		return body, false
	}
	off, _ := strconv.ParseUint(m[3], 16, 64)
	body = slices.Clone(body)
	for text := range strings.SplitSeq(m[2], "; ") {
		l := line{text: "\t" + text, off: off}
		if m[1] == "write" {
			body = slices.DeleteFunc(body, func(x line) bool {
				return x.off == off && concerns(abi, &x) != "" && concerns(abi, &x) == concerns(abi, &l)
			})
		}
		body = insert(body, l)
	}
	return body, true
}

// insert adds a directive before the first instruction that is at its offset or later.
func insert(body []line, l line) []line {
	at := slices.IndexFunc(body, func(x line) bool { return x.insn && x.off >= l.off })
	if at < 0 {
		at = len(body) - 1
	}
	return slices.Insert(body, at, l)
}

// relocate moves directives from one offset to another one.
func relocate(body []line, from, to uint64, which func(*line) bool) ([]line, bool) {
	var moved []line
	rest := slices.DeleteFunc(slices.Clone(body), func(l line) bool {
		if l.off == from && mutable(&l) && which(&l) {
			l.off = to
			moved = append(moved, l)
			return true
		}
		return false
	})
	for _, l := range moved {
		rest = insert(rest, l)
	}
	return rest, len(moved) > 0
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
