package proof

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

//go:generate go test . -run ^TestStates$ -update

var update = flag.Bool("update", false, "write the expected states into the assembly in testdata")

// TestStates compares the state before each instruction of the files in testdata with
// what their assembly says.
func TestStates(t *testing.T) {
	files, err := filepath.Glob("testdata/*.s")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			compareStates(t, file, statesOf(t, strings.TrimSuffix(file, ".s")+".o"))
		})
	}
}

// statesOf returns the rules at each instruction of an object's functions, in the order of
// the addresses, text sections in the order of the file.
func statesOf(t *testing.T, file string) (out []string) {
	err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
		ranges := functions(t, o)
		frames, err := cfi.Load(o, 0)
		require.NoError(t, err)
		tr, err := New(o, ranges, LSDAs(frames), nil)
		require.NoError(t, err)
		states := make([][]string, len(ranges))
		require.NoError(t, tr.Run(1, func(f *Function) { states[f.Index()] = f.rules() }))
		for _, s := range states {
			out = append(out, s...)
		}
		return nil
	})
	require.NoError(t, err)
	return out
}

// functions returns the ranges of an object's CFI.
func functions(t *testing.T, o *reader.Object) (out []Range) {
	frames, err := cfi.Load(o, 0)
	require.NoError(t, err)
	for i := range frames.Sections {
		for f := range frames.Sections[i].FDEs() {
			out = append(out, Range{Place: f.Start.Place, Start: f.Start.Addr, End: f.Start.Addr + f.Size})
		}
	}
	return out
}

// rules returns the rules that are true at each instruction of a function.
func (f *Function) rules() []string {
	u := f.u
	p := &u.parts[f.part]
	at := map[uint64]string{}
	c := checker{f: f, u: u}
	u.walk(f.part, func(k int32, s *state) {
		text := fmt.Sprintf("%s, %s, %s", c.rule(WrongCFA, s), c.rule(WrongRA, s), c.rule(WrongFP, s))
		switch {
		case !u.anchored:
			text = "no anchor"
		case s.guess:
			text += " (guess)"
		case s.weak:
			text += " (weak)"
		}
		at[u.pc(k)] = text
	})
	var out []string
	for off := 0; off < len(p.code); off += int(u.dec.Len) {
		pc := p.Start + uint64(off)
		u.arch.Decode(p.code[off:], pc, &u.dec)
		text, ok := at[pc]
		if !ok {
			text = "-"
		}
		out = append(out, text)
	}
	return out
}

func (c *checker) rule(kind Aspect, s *state) string {
	r := c.truth(kind, model.Recovery{}, s)
	if r.Kind == model.Invalid {
		return "?"
	}
	return r.Format(c.u.arch.abi)
}

// compareStates compares states with the comments of the instructions in assembly.
func compareStates(t *testing.T, file string, states []string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	mark := "# "
	if strings.Contains(file, "aarch64") {
		mark = "// "
	}
	var out bytes.Buffer
	n := 0
	for i, line := range strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n") {
		line = strings.TrimSuffix(line, "\n")
		if !isInsn(line) {
			fmt.Fprintln(&out, line)
			continue
		}
		insn, want, _ := strings.Cut(line, "\t"+mark)
		require.Less(t, n, len(states), "%s:%d", file, i+1)
		if !*update {
			require.Equal(t, want, states[n], "%s:%d: %s", file, i+1, strings.TrimSpace(insn))
		}
		fmt.Fprintf(&out, "%s\t%s%s\n", strings.TrimRight(insn, "\t "), mark, states[n])
		n++
	}
	require.Equal(t, n, len(states))
	if *update {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
	}
}

// isInsn reports whether a line of assembly is an instruction: what is indented and no
// directive, or follows a label.
func isInsn(line string) bool {
	code, _, _ := strings.Cut(line, "#")
	if label, rest, ok := strings.Cut(code, ":"); ok && !strings.Contains(label, "\t") {
		code = "\t" + strings.TrimSpace(rest)
	}
	code = strings.TrimSpace(code)
	return code != "" && (!strings.HasPrefix(code, ".") || strings.HasPrefix(code, ".byte") || strings.HasPrefix(code, ".inst")) && !strings.HasPrefix(code, "//")
}
