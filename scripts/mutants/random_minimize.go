package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// minimize removes functions and lines from a program while the fault remains, and
// returns the fault of what is left.
func (a *assembler) minimize(p *asmProgram, f fault) (*asmProgram, fault, error) {
	var failed error
	remains := func(p *asmProgram) bool {
		if !valid(p) {
			return false // another fault may be in what is left
		}
		r, err := a.assemble(p.String())
		if err != nil {
			failed = err
			return false
		}
		i := slices.IndexFunc(r.faults, func(x fault) bool { return x.alike() == f.alike() })
		if i >= 0 {
			f = r.faults[i]
		}
		return i >= 0
	}
	for i := len(p.Funcs) - 1; i >= 0 && len(p.Funcs) > 1; i-- {
		q := &asmProgram{ABI: p.ABI, Funcs: slices.Delete(slices.Clone(p.Funcs), i, i+1)}
		if remains(q) {
			p = q
		}
	}
	for again := true; again; {
		again = false
		for i := range p.Funcs {
			for j := len(p.Funcs[i].Lines) - 1; j >= 0; j-- {
				q := &asmProgram{ABI: p.ABI, Funcs: slices.Clone(p.Funcs)}
				q.Funcs[i].Lines = slices.Delete(slices.Clone(q.Funcs[i].Lines), j, j+1)
				if remains(q) {
					p, again = q, true
				}
			}
		}
	}
	return p, f, failed
}

// valid reports whether no state is restored that was not remembered, and every
// function ends in an instruction.
func valid(p *asmProgram) bool {
	for i := range p.Funcs {
		lines := p.Funcs[i].Lines
		if len(lines) == 0 || strings.HasPrefix(lines[len(lines)-1], ".cfi_") {
			return false
		}
		depth := 0
		for _, l := range lines {
			switch l {
			case ".cfi_remember_state":
				depth++
			case ".cfi_restore_state":
				depth--
			}
			if depth < 0 {
				return false
			}
		}
	}
	return true
}

// directivesOf returns the directives of a program in one line, with the roles of
// registers and without offsets.
func directivesOf(p *asmProgram) string {
	var all []string
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if f.Start != ".cfi_startproc" {
			all = append(all, "simple")
		}
		for _, l := range f.Lines {
			all = append(all, directiveOf(p.ABI, l))
		}
	}
	return strings.Join(all, "; ")
}

func directiveOf(abi model.ABI, line string) string {
	name, args, _ := strings.Cut(line, " ")
	first, second, _ := strings.Cut(args, ", ")
	switch name {
	case ".cfi_escape":
		return "escape " + first
	case ".cfi_register":
		return "register " + role(abi, first) + " " + role(abi, second)
	case ".cfi_def_cfa_offset", ".cfi_adjust_cfa_offset":
		return name[len(".cfi_"):]
	}
	if !strings.HasPrefix(name, ".cfi_") {
		return "nop"
	}
	return strings.TrimSpace(name[len(".cfi_"):] + " " + role(abi, first))
}

// role returns SP, FP or RA, or an R for other registers.
func role(abi model.ABI, reg string) string {
	n, err := strconv.ParseUint(reg, 10, 32)
	if err != nil {
		return reg
	}
	info := model.LookupABI(abi)
	switch uint32(n) {
	case info.SP:
		return "SP"
	case info.FP:
		return "FP"
	case info.RA:
		return "RA"
	}
	return "R"
}
