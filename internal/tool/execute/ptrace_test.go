//go:build linux && amd64

package execute

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// compiled compiles a program of testdata/src with SFrame data in its own code.
func compiled(t *testing.T, source string, flags ...string) string {
	t.Helper()
	as, ld := toolchain.Tool(t, "sid-x86_64-as"), toolchain.Tool(t, "sid-x86_64-ld")
	driver := "gcc"
	if strings.HasSuffix(source, ".cc") {
		driver = "g++"
	}
	if _, err := exec.LookPath(driver); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	require.NoError(t, os.Symlink(as, filepath.Join(dir, "as")))
	require.NoError(t, os.Symlink(ld, filepath.Join(dir, "ld")))
	out := filepath.Join(dir, "prog")
	args := append([]string{"-B", dir, "-Wa,--gsframe", "-O2", "-w", "-pthread", "-Wl,--build-id", "-o", out, filepath.Join("testdata", "src", source)}, flags...)
	text, err := exec.Command(driver, args...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	return out
}

// executed runs a program and checks each step.
func executed(t *testing.T, prog string, change func(*Config)) *Report {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	cfg := Config{Path: prog, Args: []string{prog}, Files: [3]*os.File{null, null, null}, Check: Options{Every: 7}}
	if change != nil {
		change(&cfg)
	}
	r, err := Start(context.Background(), cfg)
	if err != nil && strings.Contains(err.Error(), "not permitted") {
		t.Skip(err)
	}
	require.NoError(t, err)
	return r
}

// inMain returns the mismatches outside of the linker's stubs.
func inMain(r *Report) (out []*Mismatch) {
	for _, m := range r.Mismatches {
		if m.Function != "" {
			out = append(out, m)
		}
	}
	return out
}

// TestInteropExecute executes programs that leave functions in all ways. The C library has no
// SFrame data, or is linked into the program.
func TestInteropExecute(t *testing.T) {
	for _, x := range []struct {
		source string
		flags  []string
		least  uint64 // steps that are checked
		most   uint64 // steps whose caller is not known
	}{
		{"signals.c", nil, 500, 0},
		{"signals.c", []string{"-static"}, 500, 0},
		{"jumps.c", nil, 300, 0},
		{"jumps.c", []string{"-static"}, 300, 0},
		{"coroutines.c", nil, 500, 0},
		{"coroutines.c", []string{"-static"}, 500, 0},
		{"adjacent.c", nil, 300, 0},
		{"adjacent.c", []string{"-static"}, 300, 0},
		{"exceptions.cc", nil, 3000, 0},
	} {
		t.Run(x.source+strings.Join(x.flags, ""), func(t *testing.T) {
			r := executed(t, compiled(t, x.source, x.flags...), nil)
			assert.Empty(t, inMain(r))
			assert.Equal(t, &Exit{}, r.Exit)
			assert.Greater(t, r.Stats.Checked, x.least)
			assert.LessOrEqual(t, r.Stats.NoCallers, x.most)
			assert.NotZero(t, r.Stats.Frames)
		})
	}
}

// TestInteropChildren executes threads and children. Those that are not followed must run
// without the breakpoints of their parent.
func TestInteropChildren(t *testing.T) {
	for _, flags := range [][]string{nil, {"-static"}} {
		prog := compiled(t, "threads.c", flags...)
		for _, children := range []bool{false, true} {
			r := executed(t, prog, func(c *Config) { c.Children = children })
			for _, m := range inMain(r) {
				t.Errorf("%v, children %v: %s", flags, children, m.text())
			}
			assert.Equal(t, &Exit{}, r.Exit)
			want := 1
			if children {
				want = 3
			}
			assert.Equal(t, want, r.Stats.Processes)
			assert.GreaterOrEqual(t, r.Stats.Threads, 5)
		}
	}
}

// TestInteropRealign names the rows of a known mistake of GCC, and whose it is.
func TestInteropRealign(t *testing.T) {
	prog := compiled(t, "realign.c", "-static")
	r := executed(t, prog, nil)
	require.NotEmpty(t, inMain(r))
	for _, m := range inMain(r) {
		assert.Equal(t, "realigned", m.Function)
		assert.Equal(t, whatFP, m.What)
		assert.Equal(t, CauseBoth, m.Cause)
		assert.Contains(t, m.Row, "FP=*(rbp)")
	}
}

// TestInteropWrongRow changes the CFA of one row that is executed, and expects the run to name it and nothing else.
func TestInteropWrongRow(t *testing.T) {
	prog := compiled(t, "jumps.c", "-static")
	require.Empty(t, inMain(executed(t, prog, nil)))
	fre := changeRow(t, prog, "variable", 2)
	r := executed(t, prog, nil)
	require.Len(t, r.Mismatches, 1)
	m := r.Mismatches[0]
	assert.Equal(t, "variable", m.Function)
	assert.Equal(t, fre.FDEIndex(), m.FDE)
	assert.Equal(t, fre.Index(), m.FRE)
	assert.Equal(t, whatCFA, m.What)
	assert.Equal(t, CauseSFrame, m.Cause)
	assert.True(t, r.Wrong())
	validates(t, r)
}

// validates checks a report against its schema.
func validates(t *testing.T, r *Report) {
	t.Helper()
	b, err := json.Marshal(r)
	require.NoError(t, err)
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "..", "docs", "schema", "run.schema.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	require.NoError(t, err)
	assert.NoError(t, s.Validate(doc))
}

// changeRow adds 8 to the CFA offset of a row of a function in a file.
func changeRow(t *testing.T, path, function string, index int) (fre model.FRE) {
	t.Helper()
	f, err := elf.Open(path)
	require.NoError(t, err)
	symbols, err := f.Symbols()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	var off int64
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		s := o.SFrames[0].Section
		for _, y := range symbols {
			if fde, ok := s.Find(y.Value); ok && y.Name == function {
				fre = fde.FRE(index)
				off = o.SFrames[0].Offset + fre.WordSpan(0).Off
			}
		}
		return nil
	}))
	require.NotZero(t, off)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[off] += 8
	require.NoError(t, os.WriteFile(path, b, 0o777))
	return fre
}

// TestQuirk: the linker's row for .plt.got of a default program is a known quirk, which is named and
// counted apart, and does not make the run fail.
func TestQuirk(t *testing.T) {
	r := executed(t, compiled(t, "plain.c", "-pie", "-fPIE"), nil)
	require.NotEmpty(t, r.Mismatches)
	for _, m := range r.Mismatches {
		assert.Equal(t, "GNU ld 2.46 to 2.47", m.Quirk, "%+v", m)
	}
	assert.False(t, r.Wrong())
	assert.Zero(t, r.Stats.Wrong)
	assert.NotZero(t, r.Stats.Quirks)
	var b bytes.Buffer
	require.NoError(t, WriteText(&b, r))
	assert.Contains(t, b.String(), "    a known quirk of GNU ld 2.46 to 2.47\n")
	assert.Contains(t, b.String(), ", 0 with a wrong row; ")
	r.Mismatches[0].Quirk = ""
	assert.True(t, r.Wrong())
}
