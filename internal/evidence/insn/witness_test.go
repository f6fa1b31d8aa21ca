package insn

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// printed is one instruction as objdump prints it.
type printed struct {
	pc   uint64
	code []byte
	name string
	args []string // operands
	note string   // the whole text
}

// target returns the address that the last operand is.
func (p printed) target() (uint64, bool) {
	if len(p.args) == 0 {
		return 0, false
	}
	last, _, _ := strings.Cut(p.args[len(p.args)-1], " ")
	v, err := strconv.ParseUint(strings.TrimPrefix(last, "0x"), 16, 64)
	return v, err == nil
}

// objdump runs a disassembler over a file and calls visit for each instruction.
func objdump(t *testing.T, visit func(printed), arch string, args ...string) {
	t.Helper()
	cmd := exec.Command(toolchain.Tool(t, "sid-"+arch+"-objdump"), args...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if p, ok := parse(lines.Text(), arch == "aarch64"); ok {
			visit(p)
		}
	}
	require.NoError(t, lines.Err())
	require.NoError(t, cmd.Wait())
}

// parse takes a line such as "   4:\td65f03c0 \tret". Words says that the bytes are printed as
// a little-endian word.
func parse(line string, words bool) (printed, bool) {
	f := strings.SplitN(line, "\t", 3)
	if len(f) < 3 || !strings.HasSuffix(f[0], ":") {
		return printed{}, false
	}
	pc, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(f[0]), ":"), 16, 64)
	if err != nil {
		return printed{}, false
	}
	code, err := hex.DecodeString(strings.ReplaceAll(f[1], " ", ""))
	if err != nil {
		return printed{}, false
	}
	if words {
		for i, j := 0, len(code)-1; i < j; i, j = i+1, j-1 {
			code[i], code[j] = code[j], code[i]
		}
	}
	text, _, _ := strings.Cut(f[2], "//")
	text, _, _ = strings.Cut(text, "<")
	text, _, _ = strings.Cut(text, "#\t")
	text = strings.ReplaceAll(strings.TrimSpace(text), "\t", " ")
	name, rest, _ := strings.Cut(text, " ")
	return printed{pc, code, name, operands(rest), f[2]}, true
}

// operands splits at commas outside brackets.
func operands(s string) []string {
	var out []string
	depth, from := 0, 0
	s = strings.TrimSpace(s)
	for k, c := range s {
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:k]))
				from = k + 1
			}
		}
	}
	if s != "" {
		out = append(out, strings.TrimSpace(s[from:]))
	}
	return out
}

// witness holds a decoder against a disassembler.
type witness struct {
	decode Decoder
	// flow returns the flow of an instruction, writes the registers that it changes, and
	// unknown reports one that the disassembler does not decode.
	flow    func(printed) Flow
	writes  func(printed) []Reg
	unknown func(printed) bool
	name    func(printed) string // nil: it is the first word
	only    uint32               // the registers that are compared, a bit each; 0: all

	stores func(printed) bool // nil, or whether it stores to a word that one register addresses
	// lost has the names of instructions that may set a register to anything.
	lost *regexp.Regexp

	insns, bad int
	faults     map[string]int
	examples   map[string]string
}

func (w *witness) fault(p printed, format string, args ...any) {
	if w.name != nil {
		p.name = w.name(p)
	}
	key := p.name + ": " + fmt.Sprintf(format, args...)
	if w.faults == nil {
		w.faults, w.examples = map[string]int{}, map[string]string{}
	}
	w.faults[key]++
	if w.examples[key] == "" {
		w.examples[key] = fmt.Sprintf("%x: %x %s", p.pc, p.code, p.note)
	}
}

// check compares one instruction.
func (w *witness) check(p printed) {
	if w.unknown(p) {
		w.bad++
		return
	}
	w.insns++
	var i Insn
	w.decode(p.code, p.pc, &i)
	if int(i.Len) != len(p.code) {
		w.fault(p, "length %d, not %d", i.Len, len(p.code))
		return
	}
	if w.flow == nil {
	} else if want := w.flow(p); i.Flow != want {
		w.fault(p, "flow %d, not %d", i.Flow, want)
	} else if want == Jump || want == Branch || want == Call {
		if to, ok := p.target(); ok && to != i.Target {
			w.fault(p, "other target")
		}
	}
	if w.writes == nil {
		return
	}
	var got, want uint32
	for _, op := range i.Ops[:i.N] {
		if op.Do != Store && op.Do != Forget && op.Do != Compare {
			got |= 1 << op.Dst
		}
	}
	for _, r := range w.writes(p) {
		want |= 1 << r
	}
	w.certain(p, &i, want)
	if w.only != 0 {
		got, want = got&w.only, want&w.only
	}
	switch {
	case want&^got != 0:
		w.fault(p, "written registers are missing")
	case got&^want != 0:
		w.fault(p, "registers are not written")
	}
}

// certain checks that the values of registers that an instruction changes, and its store, are stated as
// well as they can be.
func (w *witness) certain(p printed, i *Insn, written uint32) {
	name := p.name
	if w.name != nil {
		name = w.name(p)
	}
	if w.only != 0 {
		written &= w.only
	}
	stores := false
	for _, op := range i.Ops[:i.N] {
		stores = stores || op.Do == Store || op.Do == Forget
		if op.Do == Lose && written>>op.Dst&1 != 0 && (w.lost == nil || !w.lost.MatchString(name)) {
			w.fault(p, "the value may be anything")
		}
	}
	if w.stores != nil && w.stores(p) && !stores {
		w.fault(p, "a store is missing")
	}
}

// report fails for each kind of difference.
func (w *witness) report(t *testing.T) {
	t.Helper()
	var keys []string
	for k := range w.faults {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return w.faults[keys[i]] > w.faults[keys[j]] })
	for _, k := range keys {
		t.Errorf("%d times %s (%s)", w.faults[k], k, w.examples[k])
	}
	t.Logf("%d instructions, %d that the disassembler does not decode", w.insns, w.bad)
}

// files holds the decoder against the disassembly of the files of SFRAME_CODE, a list of glob
// patterns.
func (w *witness) files(t *testing.T, arch string) {
	for _, pattern := range strings.Fields(os.Getenv("SFRAME_CODE")) {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, path := range paths {
			if machine(path) == arch {
				objdump(t, w.check, arch, "-d", "-z", "-w", path)
			}
		}
	}
}

// raw holds the decoder against the disassembly of code without a file format, which has an
// instruction at each multiple of cell bytes. What is between them is padding.
func (w *witness) raw(t *testing.T, arch, bfdArch string, code []byte, cell uint64, options ...string) {
	disassemble(t, func(p printed) {
		if p.pc%cell == 0 {
			w.check(p)
		}
	}, code, arch, bfdArch, options...)
}

// disassemble calls visit for each instruction of code without a file format.
func disassemble(t *testing.T, visit func(printed), code []byte, arch, bfdArch string, options ...string) {
	path := filepath.Join(t.TempDir(), "code")
	require.NoError(t, os.WriteFile(path, code, 0o600))
	objdump(t, visit, arch, append(options, "-D", "-z", "-w", "-b", "binary", "-m", bfdArch, path)...)
}

// machine returns the architecture of an ELF file in the names of tools.
func machine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 20)
	if _, err := f.Read(head); err != nil || !bytes.HasPrefix(head, []byte("\x7fELF")) {
		return ""
	}
	switch m := int(head[18]) | int(head[19]); m {
	case 62:
		return "x86_64"
	case 183:
		return "aarch64"
	case 22:
		return "s390x"
	}
	return ""
}
