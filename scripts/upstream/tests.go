package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// targets are the configurations of binutils that have an ABI's machine and byte order.
var targets = map[string]string{"amd64": "x86_64-*-*", "aarch64": "aarch64-*-*", "aarch64-be": "aarch64_be-*-*", "s390x": "s390x-*-*"}

// binutilsTest adds the source of a section, and what objdump must print of a valid one.
func binutilsTest(files map[string]string, s *section) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\t.section\t.sframe, \"a\", %%0x6ffffff4\n", s.about)
	for line := range slices.Chunk(s.data, 8) {
		var bytes []string
		for _, c := range line {
			bytes = append(bytes, fmt.Sprintf("0x%02x", c))
		}
		fmt.Fprintf(&b, "\t.byte\t%s\n", strings.Join(bytes, ", "))
	}
	files[filepath.Join(binutilsDir, s.name+".s")] = b.String()
	b.Reset()
	fmt.Fprintf(&b, "#name: SFrame section, %s\n#source: %s.s\n#objdump: --sframe\n#target: %s\n", s.name, s.name, targets[abiName(s.abi)])
	if len(s.funcs) > 0 {
		fmt.Fprintf(&b, "#...\n +Num FDEs: %d\n", len(s.funcs))
		for i, f := range s.funcs {
			fmt.Fprintf(&b, "#...\n +func idx \\[%d\\]: pc = 0x[0-9a-f]+, size = %d bytes.*\n", i, f.Size())
		}
		b.WriteString("#pass\n")
	}
	files[filepath.Join(binutilsDir, s.name+".d")] = b.String()
}

// binutilsExp is the driver of the tests in binutils' suite.
const binutilsExp = `# SFrame sections that objdump --sframe reads: it prints the functions of a valid one, and ends by itself on any other.
# A .d file without patterns is of a section on which some version has crashed.

set sframe_dir [file join $srcdir $subdir]
foreach d [lsort [glob -nocomplain [file join $sframe_dir *.d]]] {
    set f [open $d]
    set text [read $f]
    close $f
    if { ![regexp {#target: (\S+)} $text -> target] || ![istarget $target] } { continue }
    set test [file rootname $d]
    if { [regexp {\n#pass} $text] } {
	run_dump_test $test
	continue
    }
    regexp {#name: ([^\n]*)} $text -> name
    if { [lindex [remote_exec host $AS "-o tmpdir/sframe-section.o $test.s"] 0] != 0 } {
	unsupported $name
	continue
    }
    set result [remote_exec host $OBJDUMP "--sframe tmpdir/sframe-section.o"]
    if { [lindex $result 0] < 0 || [lindex $result 0] > 128 || [regexp {child killed|core dumped|SIG[A-Z]+|Assertion} $result] } {
	fail $name
    } else {
	pass $name
    }
}
`

// llvmTest adds a test that makes an executable of a section with yaml2obj. llvm-readobj must print the functions of a
// valid one, and end by itself on any other: not fails if a signal ends it.
func llvmTest(files map[string]string, s *section) {
	var b strings.Builder
	order := "LSB"
	if s.abi.Big {
		order = "MSB"
	}
	fmt.Fprintf(&b, "## %s\n# RUN: yaml2obj %%s -o %%t\n", s.about)
	if len(s.funcs) > 0 {
		b.WriteString("# RUN: llvm-readobj --sframe %t | FileCheck %s\n\n")
		fmt.Fprintf(&b, "# CHECK: Num FDEs: %d\n", len(s.funcs))
		for i, f := range s.funcs {
			fmt.Fprintf(&b, "# CHECK: FuncDescEntry [%d] {\n# CHECK: Size: {{(0x%X|%d)$}}\n", i, f.Size(), f.Size())
		}
	} else {
		b.WriteString("# RUN: llvm-readobj --sframe %t > %t.out 2>&1 || not llvm-readobj --sframe %t\n")
	}
	fmt.Fprintf(&b, "\n--- !ELF\nFileHeader:\n  Class:   ELFCLASS64\n  Data:    ELFDATA2%s\n  Type:    ET_EXEC\n  Machine: %v\nSections:\n  - Name:    .sframe\n    Type:    SHT_GNU_SFRAME\n    Flags:   [ SHF_ALLOC ]\n    Address: 0x1000\n    Content: \"%x\"\n", order, s.abi.Machine, s.data)
	files[filepath.Join(llvmDir, s.name+".test")] = b.String()
}
