package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// assembler is a program for an ABI.
type assembler struct {
	Tools
	name    string // "gas 2.47 AMD64"
	abi     model.ABI
	version model.Version // that it writes
	by      cfi.Assembler
	dir     string // for files
}

// Describe returns the name, and what it writes.
func (a *assembler) Describe() (name, about string) { return a.name, "writes " + a.version.String() }

// releases are the suites of the tools, and the ABIs that each release has.
var releases = []struct {
	suite, release string
	version        model.Version
	by             cfi.Assembler
	archs          []string
}{
	{"bookworm", "2.40", model.SFRAME_VERSION_1, cfi.GAS240, []string{"x86_64", "aarch64"}},
	{"trixie", "2.44", model.SFRAME_VERSION_2, cfi.GAS241, []string{"x86_64", "aarch64"}},
	{"sid", "2.47", model.SFRAME_VERSION_3, cfi.GAS246, []string{"x86_64", "aarch64", "s390x"}},
}

var abis = map[string]model.ABI{
	"x86_64": model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "aarch64": model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "s390x": model.SFRAME_ABI_S390X_ENDIAN_BIG,
}

// assemblers returns the ones in a directory of tools. dir is for their files.
func assemblers(tools, dir string) (all []*assembler) {
	add := func(name, arch string, t Tools, version model.Version, by cfi.Assembler) {
		if _, err := os.Stat(t.As[0]); err == nil {
			abi := abis[arch]
			all = append(all, &assembler{t, name + " " + model.LookupABI(abi).Name, abi, version, by, dir})
		}
	}
	for _, x := range releases {
		for _, arch := range x.archs {
			add("gas "+x.release, arch, GNU(tools, x.suite, arch), x.version, x.by)
		}
	}
	for _, arch := range []string{"x86_64", "aarch64"} {
		add("llvm-mc", arch, Tools{As: []string{filepath.Join(tools, "bin", "sid-llvm-mc"), "--triple", arch + "-linux-gnu", "--filetype=obj", "--gsframe"}},
			model.SFRAME_VERSION_2, cfi.LLVM23)
	}
	return all
}

// result is what an assembler made of a program.
type result struct {
	message  string // of a crash, or why it was rejected
	rejected bool
	faults   []fault

	// functions have CFI, and omitted of them no FDE. The reasons are what the assembler says of that.
	functions, omitted int
	reasons            []string
}

func (r *result) outcome() string {
	switch {
	case r.rejected:
		return rejected
	case r.message != "":
		return crashed
	case len(r.faults) > 0:
		return disagrees
	}
	return agrees
}

// Outcomes.
const (
	crashed   = "crashed"
	rejected  = "rejected"
	disagrees = "disagrees with .eh_frame"
	agrees    = "agrees with .eh_frame"
)

// reason is the kind of a fault of sframe-lint: the assembler says another one.
const reason = "reason"

// fault is a difference between the two sections, a crash, or damage of .sframe.
type fault struct {
	kind string
	d    cfi.Difference // unless there is a message

	message string
}

func (f fault) String() string {
	if f.message != "" {
		return f.message
	}
	sframe, cfi := f.d.Of(f.d.Kind)
	return fmt.Sprintf("at %#x to %#x, .sframe: %+v, .eh_frame: %+v, says %t", f.d.Start, f.d.End, sframe, cfi, f.d.Says)
}

// alike returns a name that faults of the same cause probably share.
func (f fault) alike() string {
	shape := func(r model.Recovery) string { return fmt.Sprint(r.Kind, r.Deref, r.Reg > 64) }
	sframe, cfi := f.d.Of(f.d.Kind)
	return fmt.Sprint(f.kind, f.message, shape(sframe), shape(cfi), f.d.Says)
}

// assemble assembles a program and compares the two sections of the object.
func (a *assembler) assemble(program string) (*result, error) {
	dir, err := os.MkdirTemp(a.dir, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "a.o")
	said, err := a.Assemble(program, out)
	r := &result{}
	var refused *Refused
	switch {
	case errors.As(err, &refused) && refused.Crashed != "":
		r.message = refused.Crashed
		r.faults = []fault{{kind: "crash", message: r.message}}
		return r, nil
	case errors.As(err, &refused):
		r.message, r.rejected = refused.Message, true
		return r, nil
	case err != nil:
		return nil, err
	}
	for _, m := range leftOut.FindAllStringSubmatch(said, -1) {
		r.reasons = append(r.reasons, cmp.Or(m[1], m[2]))
	}
	return r, r.compare(out, a)
}

// leftOut finds why an assembler leaves out an FDE.
var leftOut = regexp.MustCompile(`(?:no SFrame FDE emitted|skipping SFrame FDE); ([^\n]*)|warning: ([^\n]*)\. Omitting SFrame`)

// compare finds what the sections of an object disagree on, and whether the functions that are left out are the ones that are known to be.
func (r *result) compare(path string, a *assembler) error {
	return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil || len(frames.Sections) == 0 {
			return err
		}
		x, err := rewrite.Expect(o, a.version, true, 0)
		if err != nil {
			return err
		}
		r.differences("what is expected: ", x.SFrame.Section, frames)
		for _, s := range o.SFrames {
			for _, f := range s.Faults {
				r.faults = append(r.faults, fault{kind: "damaged", message: fmt.Sprint(f)})
			}
			if s.Section != nil {
				r.differences("", s.Section, frames)
			}
		}
		if len(r.faults) == 0 {
			r.unexpected(o.SFrames, x.Omitted)
		}
		r.drops(o, frames, a)
		return nil
	})
}

// drops compares the functions that have no FDE, and what the assembler says of each, with what is known of it.
func (r *result) drops(o *reader.Object, frames *cfi.Frames, a *assembler) {
	h := model.Header{Version: a.version}
	if _, pcrel := a.by.Output(); pcrel {
		h.Flags = model.SFRAME_F_FDE_FUNC_START_PCREL
	}
	said := r.reasons
	odd := func(format string, args ...any) {
		r.faults = append(r.faults, fault{kind: reason, message: digits.ReplaceAllString(fmt.Sprintf(format, args...), "N")})
	}
	for f := range frames.Sections[0].FDEs() { // in the order of the source
		r.functions++
		written := slices.ContainsFunc(o.SFrames, func(s *reader.SFrame) bool {
			return s.Section != nil && slices.ContainsFunc(slices.Collect(s.Section.FDEs()), func(x model.FDE) bool {
				if uint32(x.Place()) != f.Start.Place || x.Start() != f.Start.Addr {
					return false
				}
				if x.Signal() && x.NumFREs() == 0 && len(said) > 0 {
					said = said[1:] // its CFI is left out
				}
				return true
			})
		})
		if written {
			if d, ok := f.Dropped(a.by); ok {
				odd("has an FDE, but %q, %s", d.Says, d.Why)
			}
			continue
		}
		r.omitted++
		why := drops.Of(h, o.ELF, &f)
		i := slices.IndexFunc(said, func(s string) bool { return why.Says != "" && strings.HasPrefix(s, why.Says) })
		switch {
		case i >= 0 && a.by == cfi.LLVM23: // it says all that is wrong with a function
		case i == 0:
			said = said[1:]
		case why.Says == "" && why.Lost, why.Says != "" && a.by != cfi.GAS240:
			odd("left out: %q, %s; the assembler says %q", why.Says, why.Why, said)
		}
	}
	if len(said) > 0 && (a.by != cfi.LLVM23 || r.omitted == 0) {
		odd("the assembler says %q of no function", said)
	}
}

// unexpected adds the FDEs of functions that the version cannot express. One of a signal frame without FREs stands for
// CFI that was left out, with a reason.
func (r *result) unexpected(all []*reader.SFrame, omitted []rewrite.Omission) {
	for _, s := range all {
		if s.Section == nil {
			continue
		}
		for f := range s.Section.FDEs() {
			for _, m := range omitted {
				if uint32(f.Place()) == m.Place && f.Start() == m.Start && (f.NumFREs() > 0 || !f.Signal() || len(r.reasons) == 0) {
					r.faults = append(r.faults, fault{kind: "unexpected", message: "an FDE, but " + digits.ReplaceAllString(m.Why, "N")})
				}
			}
		}
	}
}

// differences adds what a section and CFI disagree on.
func (r *result) differences(prefix string, s *model.Section, frames *cfi.Frames) {
	cfi.Compare(s, frames, func(d cfi.Difference) {
		if d.Kind == cfi.NoFDE {
			return
		}
		kind := prefix + d.Kind.String()
		if d.Inexpressible {
			kind += ", inexpressible"
		}
		r.faults = append(r.faults, fault{kind: kind, d: d})
	})
}

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
	{"simple-late", anyGas, `CFA: simple; nop; .*; nop`},
	{"simple-bare", llvm, `CFA: simple; nop`},
	{"cfa-odd-s390x", newGas + " s390x", `CFA: (def_cfa \w+|def_cfa_offset); nop`},
	{"cfa-far", llvm, `CFA: (def_cfa \w+|def_cfa_offset); nop`},
	{"cfa-offset-register", anyGas, `CFA: .*\b(adjust_cfa_offset|def_cfa_offset|def_cfa \w+|restore_state); def_cfa_register \w+; nop`},
	{"remember-at-change", oldGas, `(CFA|FP|signed RA): (.*; )?nop; (adjust_cfa_offset|def_cfa_(offset|register \w+)|def_cfa \w+|(rel_)?offset FP|restore FP|negate_ra_state); remember_state; nop; restore_state; nop`},
	{"restore-state-adjust", llvm, `CFA: .*; remember_state; (def_cfa_offset|def_cfa \w+); restore_state; (adjust_cfa_offset|def_cfa_offset); nop`},
	{"restore-state-early", llvm, `CFA: .*; remember_state; .*; (offset FP|def_cfa_offset); restore_state; nop`},
	{"nested-states", newGas, `(CFA|RA|FP): (.*; )?remember_state; .*; remember_state; (.*; )?restore_state; nop; (.*; )?restore_state; nop`},

	{"fp-alone-aarch64", `gas 2\.40 AArch64`, `RA: .*\b(rel_)?offset FP; (def_cfa \w+; )?nop`},
	{"fp-same-value", oldGas + "|" + llvm, `(FP|RA): .*\bsame_value (FP|RA); (offset RA; )?nop`},
	{"fp-expression", newGas, `FP: .*\bescape 0x10; nop`},
	{"fp-register-restore", newGas, `FP: .*\bregister FP R; (def_cfa \w+; )?restore FP; nop`},
	{"restore-cold", anyGas, `FP: .*\boffset FP; (nop; )?restore FP; (def_cfa \w+; )?nop`},
	{"restore-saved", llvm, `FP: offset FP; restore FP; nop`},
	{"fp-register", llvm, `FP, inexpressible: .*\bregister FP R; nop`},
	{"fp-value", llvm, `FP, inexpressible: .*\bval_offset FP; (def_cfa \w+; )?nop`},
	{"rel-offset-0", llvm, `FP: (.*\brel_)?offset FP; nop`},

	{"ra-undefined", oldGas + "|" + llvm, `outermost frame(, inexpressible)?: .*\bundefined RA; nop`},
	{"undefined-restore", newGas, `outermost frame: .*\bundefined RA; restore RA; nop`},
	{"ra-register", oldGas + "|" + llvm, `RA, inexpressible: .*\b((rel_|val_)?offset RA|register RA R|escape 0x10)(; def_cfa \w+)?; nop`},
	{"ra-far", newGas, `RA: (.*\b)?(rel_)?offset RA; (def_cfa \w+; )?nop`},
	{"ra-value", newGas, `(RA|outermost frame): .*\bval_offset RA; nop`},
	{"ra-expression", newGas, `RA: .*\bescape 0x10; (def_cfa \w+; )?nop`},
	{"ra-register-restore", newGas, `RA: .*\b((rel_)?offset RA|register RA R); (def_cfa \w+; )?restore RA; nop`},

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
