//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

var work = flag.Bool("work", false, "count what runs access, with a tenth of the work that they need")

// yields are the functions that yield what a step of work is for, by their files.
var yields = map[string][]string{
	"internal/evidence/insn/amd64.go":       {"AMD64"},
	"internal/evidence/insn/amd64_plain.go": {"x86PlainOne"},
	"internal/evidence/cfi/fde.go":          {"decode"},
	"internal/evidence/cfi/run.go":          {"step"},
	"model/fde.go":                          {"FDE", "Function"},
	"model/fre.go":                          {"load"},
	"rules/walk.go":                         {"next"},
	"reader/fde.go":                         {"fde"},
	"reader/symbols.go":                     {"decode"},
}

// beyond is the number of accesses that a run may make after its steps.
const beyond = 100_000

// TestWork runs commands on files that are small for the work that they take. Accesses are the executions of yields, by the
// counters of a program that is built for coverage. A run whose limit is fewer steps says that it was cut, and makes few more.
func TestWork(t *testing.T) {
	if !*work && !*few {
		t.Skip("runs for long: use -work or -smoke")
	}
	c := newCounted(t)
	for _, in := range workInputs() {
		dir := t.TempDir()
		path, err := in.build(dir)
		require.NoError(t, err)
		for _, args := range workRuns(path) {
			name := fmt.Sprintf("%s: %s", in.name, strings.Join(args[:len(args)-1], " "))
			all, out := c.run(t, args, 1<<40)
			require.NotZero(t, all, "%s: %s", name, out)
			for _, limit := range []int64{all - beyond, all / 10} {
				if all < 2*beyond {
					break
				}
				n, out := c.run(t, args, limit)
				assert.Contains(t, out, "--limit max-", "%s: %d of %d accesses", name, n, all)
				assert.LessOrEqual(t, n, limit+beyond, "%s: %d accesses", name, all)
			}
		}
	}
}

// workRuns are the commands that look at all of a file. With -work, each rule also has a run of its own.
func workRuns(path string) (all [][]string) {
	out := written(path)
	for _, command := range []string{"--no-config", "dump", "dump --code --cfi", "coverage --code", "expect", "stat", "consumers",
		"view --output " + out, "synth --replace --output " + out, "rewrite --output " + out, "diff " + path, "link " + path} {
		all = append(all, append(strings.Fields(command), path))
	}
	for _, r := range catalogue.All(catalogue.Settings{}) {
		one := []string{"--no-config", "--select", r.ID, path}
		if strings.HasPrefix(r.ID, "SF8") {
			one = append([]string{"--consumer", "all"}, one...)
		}
		if *work {
			all = append(all, one)
		}
	}
	return all
}

// ehFrameAddr is where ehFrame puts a section.
const ehFrameAddr = 0x50000000

// workInputs have less than the bytes that raise a limit.
func workInputs() []input {
	le := binary.LittleEndian
	code := func(n int) section {
		return section{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: textAddr, data: append(bytes.Repeat([]byte{nop}, n-1), ret)}
	}
	of := func(name string, size, fdes, sections, symbols int) input {
		return object(name, 0, func() *image {
			m := &image{typ: elf.ET_EXEC}
			m.add(code(size))
			for range sections {
				m.add(section{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: textAddr, at: 64, size: uint64(size), existing: true})
			}
			frame := []byte{20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0}
			for i := range fdes {
				frame = append(le.AppendUint32(le.AppendUint32(frame, 16), uint32(len(frame)+4)), 0, 0, 0, 0)
				le.PutUint32(frame[len(frame)-4:], uint32(textAddr+i%size-ehFrameAddr-len(frame)+4))
				frame = append(le.AppendUint32(frame, uint32(size-i%size)), 0, 0, 0, 0)
			}
			m.add(ehFrame(append(frame, 0, 0, 0, 0)))
			m.sframe(leaves(fdes, func(i int, f *fde) { f.start, f.size, f.info = textAddr+int64(i%size), uint32(size-i%size), addr4 }))
			m.functions(symbols, func(int) uint32 { return 1 }, []byte("\x00f\x00"))
			return m
		})
	}
	return []input{
		of("4,000 overlapping FDEs", 100_000, 4000, 0, 1),
		of("4,000 overlapping sections", 50_000, 4000, 4000, 1),
		of("30,000 symbols at one address", 1000, 10, 0, 30_000),
		of("a function of 900,000 instructions", 900_000, 1, 0, 1),
	}
}

// counted is a program that counts how often blocks of its code are executed.
type counted struct {
	program, dir string
	at           map[string]bool // where yields start, by file, line and column
}

func newCounted(t *testing.T) *counted {
	const module = "github.com/sframe-lint/sframe-lint/"
	c := &counted{dir: t.TempDir(), at: map[string]bool{}}
	c.program = filepath.Join(c.dir, "sframe-lint")
	packages := map[string]bool{module + "cmd/sframe-lint": true} // it writes the counts
	for file, names := range yields {
		packages[module+filepath.Dir(file)] = true
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			for _, name := range names {
				if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == name {
					p := fset.Position(d.Body.Pos())
					c.at[fmt.Sprintf("%s%s:%d.%d", module, file, p.Line, p.Column)] = true
				}
			}
		}
	}
	out, err := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg="+strings.Join(slices.Sorted(maps.Keys(packages)), ","), "-o", c.program, module+"cmd/sframe-lint").CombinedOutput()
	require.NoError(t, err, string(out))
	return c
}

// run runs the program with a limit of its work, and returns the number of accesses and what it says.
func (c *counted) run(t *testing.T, args []string, limit int64) (n int64, out string) {
	counts := filepath.Join(c.dir, "counts")
	require.NoError(t, os.RemoveAll(counts))
	require.NoError(t, os.Mkdir(counts, 0o777))
	cmd := exec.Command(c.program, append([]string{"--limit", fmt.Sprintf("max-work=%d", limit)}, args...)...)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+counts)
	_ = os.Remove(written(args[len(args)-1])) // there may be none
	said, _ := cmd.CombinedOutput()           // findings are errors, too
	text := filepath.Join(c.dir, "text")
	textfmt, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counts, "-o="+text).CombinedOutput()
	require.NoError(t, err, string(textfmt))
	all, err := os.ReadFile(text)
	require.NoError(t, err)
	for line := range strings.Lines(string(all)) {
		at, rest, _ := strings.Cut(line, ",")
		if c.at[at] {
			k, err := strconv.ParseInt(strings.Fields(rest)[2], 10, 64)
			require.NoError(t, err)
			n += k
		}
	}
	return n, string(said)
}
