package fuzzcmd

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// testSuite is how the tests of a project's test suite are written.
type testSuite struct {
	shared map[string][]byte // files beside the tests
	suffix string
	test   func(e *entry, s *breaks.Subject) string
}

var testSuites = map[string]testSuite{
	forDejaGnu: {map[string][]byte{"sframe-fuzz.exp": []byte(dejaGnuExp)}, ".d", dejaGnuTest},
	forLit:     {map[string][]byte{"lit.cfg.py": []byte(litConfig)}, ".test", litTest},
}

const dejaGnuExp = `# Tests of a program that prints SFrame data, written by sframe-fuzz export --for dejagnu.
#
#     runtest --tool binutils --srcdir DIR OBJDUMP=/path/to/objdump sframe-fuzz.exp
#
# The program must end by itself for every file. What it prints of a valid section must match
# the lines of the .d file after its options, in their order.

if { ![info exists OBJDUMP] } { set OBJDUMP objdump }

proc sframe_fuzz_lines { path } {
    set f [open $path]
    set lines [split [string trim [read $f]] "\n"]
    close $f
    return $lines
}

foreach d [lsort [glob -nocomplain [file join [file dirname [info script]] *.d]]] {
    set name ""
    set patterns {}
    set file ""
    foreach line [sframe_fuzz_lines $d] {
	if { [regexp {^#name: (.*)$} $line -> name] || [regexp {^#file: (.*)$} $line -> file] } { continue }
	if { ![string match "#*" $line] } { lappend patterns $line }
    }
    set code [catch { eval exec $OBJDUMP --sframe [file join [file dirname $d] $file] 2>@1 } out]
    if { $code && [lindex $errorCode 0] == "CHILDKILLED" } {
	fail "$name: [lindex $errorCode 2]"
	continue
    }
    set at 0
    set lines [split $out "\n"]
    foreach p $patterns {
	while { $at < [llength $lines] && ![regexp -- $p [lindex $lines $at]] } { incr at }
    }
    if { [llength $patterns] > 0 && $at >= [llength $lines] } { fail $name } else { pass $name }
}
`

// testName says what a test is about.
func testName(e *entry) string {
	name := fmt.Sprintf("SFrame version %d, %s: ", e.Version, e.ABI)
	if len(e.Expect) == 0 {
		return name + "valid"
	}
	x := e.Expect[0]
	return name + fmt.Sprintf("%s, which sframe-lint reports as %s", x.Break, x.Rule)
}

func dejaGnuTest(e *entry, s *breaks.Subject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#name: %s\n#file: %s\n#objdump: --sframe\n", testName(e), e.File)
	if len(e.Expect) > 0 {
		return b.String()
	}
	p := s.Plan()
	fmt.Fprintf(&b, "Num FDEs: %d$\n", len(p.Funcs))
	for i := range p.Funcs {
		fmt.Fprintf(&b, "func idx \\[%d\\]: pc = 0x%x, size = %d bytes\n", i, p.Funcs[i].Start, p.Funcs[i].Size)
	}
	return b.String()
}

const litConfig = `# Tests of a program that prints SFrame data, written by sframe-fuzz export --for lit.
#
#     lit -Dreadobj=/path/to/llvm-readobj -Dfilecheck=/path/to/FileCheck DIR
import lit.formats

config.name = "sframe-fuzz"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test"]
config.substitutions.append(("%readobj", lit_config.params.get("readobj", "llvm-readobj")))
config.substitutions.append(("%filecheck", lit_config.params.get("filecheck", "FileCheck")))
`

func litTest(e *entry, s *breaks.Subject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", testName(e))
	if len(e.Expect) > 0 {
		// The status of a program that a signal ended is above 128.
		fmt.Fprintf(&b, "# RUN: sh -c '%%readobj --sframe %%S/%s > %%t 2>&1; test $? -lt 128'\n", e.File)
		return b.String()
	}
	fmt.Fprintf(&b, "# RUN: %%readobj --sframe %%S/%s | %%filecheck %%s\n", e.File)
	p := s.Plan()
	fmt.Fprintf(&b, "# CHECK: Num FDEs: %d\n", len(p.Funcs))
	for i := range p.Funcs {
		f := &p.Funcs[i]
		fmt.Fprintf(&b, "# CHECK: FuncDescEntry [%d] {\n# CHECK: PC: {{0x0*%X$}}\n# CHECK-NEXT: Size: {{(0x%X|%d)$}}\n", i, f.Start, f.Size, f.Size)
	}
	return b.String()
}

// tests makes the i-th section in an executable, and its test.
func (f *exportFlags) tests(suite *testSuite, i int) made {
	m := f.seedFile(i)
	if m.err != nil {
		return m
	}
	s, err := m.Recipe.Subject()
	if err != nil {
		return made{err: err}
	}
	m.complete()
	m.beside = map[string][]byte{fileName(i) + suite.suffix: []byte(suite.test(m.entry, s))}
	return m
}
