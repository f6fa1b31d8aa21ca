package insn

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var amd64Prefix = regexp.MustCompile(`^((rep[nz]*|repnz|repz|lock|notrack|bnd|data16|addr32|[c-g]s|ss|rex[.A-Z]*|xacquire|xrelease)$)`)

// amd64Data finds what no compiler writes: prefixes alone, far branches and others, which objdump
// prints for tables between functions.
var amd64Data = regexp.MustCompile(`(^|\s)(lret|iret|int1|udb|lcall|ljmp|hlt|int3|loop|jrcxz|xbegin)|^(.*\s)?(rex[.A-Z]*|[c-g]s|ss|rep[nz]*|lock|data16|addr32)\s*$`)

// amd64Flow returns the flow by the name, which may follow prefixes.
func amd64Flow(p printed) Flow {
	words := strings.Fields(p.name + " " + strings.Join(p.args, ","))
	for len(words) > 1 && amd64Prefix.MatchString(words[0]) {
		words = words[1:]
	}
	name, _, _ := strings.Cut(words[0], ",")
	indirect := len(words) > 1 && strings.HasPrefix(words[1], "*")
	switch {
	case strings.HasPrefix(name, "jmp") && indirect:
		return IndirectJump
	case strings.HasPrefix(name, "jmp"):
		return Jump
	case strings.HasPrefix(name, "j"), strings.HasPrefix(name, "loop"), name == "xbegin":
		return Branch
	case strings.HasPrefix(name, "call") && indirect:
		return IndirectCall
	case strings.HasPrefix(name, "call"):
		return Call
	case strings.HasPrefix(name, "ret"):
		return Return
	case name == "ud2" || name == "hlt" || name == "ud1" || name == "ud0" || name == "int3":
		return Stop
	}
	return Next
}

// TestInteropAMD64 compares lengths and flow with objdump for the files of SFRAME_CODE. Tables in
// the code, which both decode as they can, may differ: 1 in 10,000.
func TestInteropAMD64(t *testing.T) {
	if os.Getenv("SFRAME_CODE") == "" {
		t.Skip("SFRAME_CODE names no files")
	}
	w := witness{decode: AMD64, flow: amd64Flow, unknown: func(p printed) bool {
		return strings.HasPrefix(p.name, ".") || strings.Contains(p.note, "(bad)") || amd64Data.MatchString(p.note)
	}}
	w.files(t, "x86_64")
	differences := 0
	for kind, n := range w.faults {
		differences += n
		t.Logf("%d times %s (%s)", n, kind, w.examples[kind])
	}
	t.Logf("%d instructions, %d differences, %d that the disassembler does not decode", w.insns, differences, w.bad)
	require.LessOrEqual(t, differences, w.insns/10000)
}
