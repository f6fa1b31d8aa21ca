package code_test

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
)

//go:generate go test . -run TestWriters -update
var update = flag.Bool("update", false, "rewrite testdata/unflagged.txt; reasons are kept")

// around is a function with room for an instruction that writes a target, and its rows. Without the instruction they are
// right. Where SP is written it loops instead of a return, at which SP would be another one.
type around struct {
	machine       elf.Machine
	before, after string // code
	rows          string
}

// functions are by ABI and target: for a slot, FP has the address of the word in which it is saved.
var functions = map[string]around{
	"amd64 fp":     {elf.EM_X86_64, "", "90c3", ".abi amd64\n.func f 0x1000 %d\n  0: cfa = rsp+8\n"},
	"amd64 sp":     {elf.EM_X86_64, "", "90ebfe", ".abi amd64\n.func f 0x1000 %d\n  0: cfa = rsp+8\n"},
	"amd64 slot":   {elf.EM_X86_64, "55488d6c24f0", "905dc3", ".abi amd64\n.func f 0x1000 %d\n  0: cfa = rsp+8\n  1: cfa = rsp+16; fp = *(cfa-16)\n  %d: cfa = rsp+8\n"},
	"aarch64 fp":   {elf.EM_AARCH64, "", "1f2003d5c0035fd6", ".abi aarch64\n.func f 0x1000 %d\n  0: cfa = sp\n"},
	"aarch64 sp":   {elf.EM_AARCH64, "", "1f2003d500000014", ".abi aarch64\n.func f 0x1000 %d\n  0: cfa = sp\n"},
	"aarch64 ra":   {elf.EM_AARCH64, "", "1f2003d5c0035fd6", ".abi aarch64\n.func f 0x1000 %d\n  0: cfa = sp\n"},
	"aarch64 slot": {elf.EM_AARCH64, "fd7bbfa9fd030091", "1f2003d5fd7bc1a8c0035fd6", ".abi aarch64\n.func f 0x1000 %d\n  0: cfa = sp\n  4: cfa = sp+16; ra = *(cfa-8); fp = *(cfa-16)\n  %d: cfa = sp\n"},
	"s390x fp":     {elf.EM_S390, "", "070707fe", ".abi s390x\n.func f 0x1000 %d\n  0: cfa = r15+160\n"},
	"s390x sp":     {elf.EM_S390, "", "0707a7f40000", ".abi s390x\n.func f 0x1000 %d\n  0: cfa = r15+160\n"},
	"s390x ra":     {elf.EM_S390, "", "070707fe", ".abi s390x\n.func f 0x1000 %d\n  0: cfa = r15+160\n"},
	"s390x slot":   {elf.EM_S390, "ebbff0580024" + "41b0f058", "0707" + "ebbff0580004" + "07fe", ".abi s390x\n.func f 0x1000 %d\n  0: cfa = r15+160\n  6: cfa = r15+160; ra = *(cfa-48); fp = *(cfa-72)\n  %d: cfa = r15+160\n"},
}

// found returns the rules that have findings in a function with an instruction.
func (a around) found(t *testing.T, code []byte) string {
	before, err := hex.DecodeString(a.before)
	require.NoError(t, err)
	after, err := hex.DecodeString(a.after)
	require.NoError(t, err)
	all := slices.Concat(before, code, after)
	ret := 1 // bytes of the return
	switch a.machine {
	case elf.EM_AARCH64:
		ret = 4
	case elf.EM_S390:
		ret = 2
	}
	args := []any{len(all), len(all) - ret}[:strings.Count(a.rows, "%d")]
	out, err := asm.Assemble(fmt.Appendf(nil, ".address %#x\n"+a.rows, append([]any{elftest.SFrame}, args...)...), asm.Options{})
	require.NoError(t, err)
	symbols := []elftest.Symbol{{}, elftest.Function("f", 0x1000, uint64(len(all)))}
	data := elftest.WithCode(t, a.machine, a.machine == elf.EM_S390, out.Section, symbols, map[int][]byte{0: all})
	var ids []string
	for _, f := range findings(t, data) {
		ids = append(ids, f[:6])
	}
	return strings.Join(ids, " ")
}

// TestWriters: an instruction that overwrites FP, SP, RA, or the slot of FP, is noticed: the rows of its function become
// wrong. testdata/unflagged.txt has those that are not, with the reason. Package insn writes the list of all.
func TestWriters(t *testing.T) {
	for name, a := range functions {
		require.Empty(t, a.found(t, nil), name)
	}
	list, err := os.ReadFile("../../../internal/evidence/insn/testdata/writers.tsv")
	require.NoError(t, err)
	unflagged, all := map[string][]string{}, 0
	for line := range strings.Lines(string(list)) {
		f := strings.Split(line, "\t")
		a, ok := functions[f[0]+" "+f[1]]
		require.True(t, ok, line)
		code, err := hex.DecodeString(f[3])
		require.NoError(t, err)
		if all++; a.found(t, code) == "" {
			unflagged[f[0]+" "+f[1]] = append(unflagged[f[0]+" "+f[1]], f[2])
		}
	}
	require.Positive(t, all)
	const file = "testdata/unflagged.txt"
	old, err := os.ReadFile(file)
	require.NoError(t, err)
	got := reasoned(t, old, unflagged)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o666))
	}
	require.Equal(t, string(old), string(got))
}

// reasoned returns the file of the instructions that are not flagged: a line for each target and reason. Those that have no
// reason yet have "?", which no file may have.
func reasoned(t *testing.T, old []byte, unflagged map[string][]string) []byte {
	reason := map[string]string{}
	for line := range strings.Lines(string(old)) {
		target, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		why, names, _ := strings.Cut(rest, ": ")
		for name := range strings.FieldsSeq(names) {
			reason[target+" "+name] = why
		}
		if !*update {
			require.NotEqual(t, "?", why, line)
		}
	}
	lines := map[string][]string{}
	for target, names := range unflagged {
		for _, name := range names {
			why, ok := reason[target+" "+name]
			if !ok {
				why = "?"
			}
			key := target + ": " + why
			lines[key] = append(lines[key], name)
		}
	}
	var out bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&out, "%s: %s\n", key, strings.Join(lines[key], " "))
	}
	return out.Bytes()
}
