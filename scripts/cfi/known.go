package main

import "regexp"

// cause is a known fault of assemblers. docs/found.md lists each with the smallest program that shows it.
type cause struct {
	name   string // of the program in corpus/src
	tools  string // regular expression for how the name of the assembler starts
	faults string // regular expression for the name of the fault after minimizing
}

const (
	anyGas = "gas"
	oldGas = `gas 2\.4[04]`
	newGas = `gas 2\.47`
	llvm   = "llvm-mc"
)

// causes are tried in their order.
var causes = []cause{
	{"cfa-other", `gas 2\.40`, `CFA, inexpressible: .*\bdef_cfa(_register)? R; nop`},
	{"simple-late", anyGas, `CFA: simple; nop; [^;]*; nop`},
	{"simple-bare", llvm, `CFA: simple; nop`},
	{"cfa-odd-s390x", newGas + " s390x", `CFA: (def_cfa \w+|def_cfa_offset); nop`},
	{"cfa-far", llvm, `CFA: (def_cfa \w+|def_cfa_offset); nop`},
	{"cfa-offset-register", anyGas, `CFA: .*\b(adjust_cfa_offset|def_cfa_offset|def_cfa \w+|restore_state); def_cfa_register \w+; nop`},
	{"remember-at-change", oldGas, `CFA: nop; (adjust_cfa_offset|def_cfa_offset|def_cfa \w+); remember_state; nop; restore_state; nop`},
	{"restore-state-adjust", llvm, `CFA: .*; remember_state; (def_cfa_offset|def_cfa \w+); restore_state; (adjust_cfa_offset|def_cfa_offset); nop`},
	{"restore-state-early", llvm, `CFA: .*; remember_state; .*; offset FP; restore_state; nop`},
	{"nested-states", newGas, `(CFA|RA|FP): (.*; )?remember_state; .*; remember_state; (.*; )?restore_state; nop; (.*; )?restore_state; nop`},

	{"fp-alone-aarch64", `gas 2\.40 AArch64`, `RA: .*\b(rel_)?offset FP; (def_cfa \w+; )?nop`},
	{"fp-same-value", oldGas + "|" + llvm, `(FP|RA): .*\bsame_value (FP|RA); nop`},
	{"fp-expression", newGas, `FP: .*\bescape 0x10; nop`},
	{"fp-register-restore", newGas, `FP: .*\bregister FP R; restore FP; nop`},
	{"restore-cold", anyGas, `FP: .*\boffset FP; (nop; )?restore FP; (def_cfa \w+; )?nop`},
	{"restore-saved", llvm, `FP: offset FP; restore FP; nop`},
	{"fp-register", llvm, `FP, inexpressible: .*\bregister FP R; nop`},
	{"fp-value", llvm, `FP, inexpressible: .*\bval_offset FP; (def_cfa \w+; )?nop`},
	{"rel-offset-0", llvm, `FP: (.*\brel_)?offset FP; nop`},

	{"ra-undefined", oldGas + "|" + llvm, `outermost frame(, inexpressible)?: .*\bundefined RA; nop`},
	{"undefined-restore", newGas, `outermost frame: .*\bundefined RA; restore RA; nop`},
	{"ra-register", oldGas + "|" + llvm, `RA, inexpressible: .*\b((rel_|val_)?offset RA|register RA R|escape 0x10)(; def_cfa \w+)?; nop`},
	{"ra-far", newGas, `RA: (.*\b)?(rel_)?offset RA; (def_cfa \w+; )?nop`},
	{"ra-value", newGas, `RA: .*\bval_offset RA; nop`},
	{"ra-expression", newGas, `RA: .*\bescape 0x10; (def_cfa \w+; )?nop`},
	{"ra-register-restore", newGas, `RA: .*\b((rel_)?offset RA|register RA R); restore RA; nop`},

	{"fp-undefined", oldGas + "|" + llvm, `unexpected: (.*; )?undefined FP; (.*; )?nop`},
	{"ra-same-value", anyGas + "|" + llvm, `unexpected: (.*; )?same_value RA; (.*; )?nop`},
	{"signal-frame", oldGas + "|" + llvm, `unexpected: (.*; )?signal_frame; (.*; )?nop`},
	{"ra-register", llvm, `unexpected: (.*; )?escape 0x10; nop`},
	{"ra-restore-first", newGas, `unexpected: restore RA; nop`},
	{"simple-late", anyGas, `unexpected: simple; .*`},
	{"simple-bare", llvm, `unexpected: simple; .*`},

	{"restore-state-at-once", anyGas, `crash: .*\brestore_state; nop`},
	{"restore-first", oldGas, `crash: restore \w+; nop`},
	{"register-first", oldGas, `crash: def_cfa_register \w+; nop`},
	{"simple-register", anyGas, `crash: simple; .*`},
	{"remember-first", llvm, `crash: .*\bremember_state; .*`},
}

// causeOf returns the name of a known fault of an assembler, or "".
func causeOf(assembler, fault string) string {
	for _, x := range causes {
		if match("^(?:"+x.tools+")", assembler) && match("^(?:"+x.faults+")$", fault) {
			return x.name
		}
	}
	return ""
}

func match(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) }
