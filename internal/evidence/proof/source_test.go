package proof

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

var amd64 = model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)

// TestSourceApply adds directives after those that are there already, and replaces those that set the same thing.
func TestSourceApply(t *testing.T) {
	for name, x := range map[string]struct {
		source string
		edits  []Placed
		want   string
	}{
		"between instructions": {"\tpush %rbp\n\tnop\n", []Placed{{1, ".cfi_def_cfa_offset 16"}}, "\tpush %rbp\n\t.cfi_def_cfa_offset 16\n\tnop\n"},
		"another of the CFA": {"\tpush %rbp\n\t.cfi_adjust_cfa_offset 16\n\t.cfi_offset 6, -16\n\tnop\n", []Placed{{1, ".cfi_def_cfa_offset 16"}},
			"\tpush %rbp\n\t.cfi_offset 6, -16\n\t.cfi_def_cfa_offset 16\n\tnop\n"},
		"another of a register by number": {"\tpush %rbp\n\t.cfi_offset 6, -24\n\tnop\n", []Placed{{1, ".cfi_offset %rbp, -16"}}, "\tpush %rbp\n\t.cfi_offset %rbp, -16\n\tnop\n"},
		"two at a place":                  {"  push %rbp\n1:\n  nop", []Placed{{1, ".cfi_def_cfa_offset 16"}, {1, ".cfi_offset %rbp, -16"}}, "  push %rbp\n  .cfi_def_cfa_offset 16\n  .cfi_offset %rbp, -16\n1:\n  nop"},
		"what follows from the offset before": {"\tpush %rbp\n\t.cfi_def_cfa_offset 24\n\tmov %rsp, %rbp\n\t.cfi_def_cfa_register %rbp\n\tnop\n", []Placed{{1, ".cfi_def_cfa_offset 16"}, {3, ".cfi_def_cfa %rbp, 16"}},
			"\tpush %rbp\n\t.cfi_def_cfa_offset 16\n\tmov %rsp, %rbp\n\t.cfi_def_cfa_register %rbp\n\tnop\n"},
		"what is added to the offset before": {"\tpush %rbp\n\t.cfi_def_cfa_offset 24\n\tpush %rbx\n\t.cfi_adjust_cfa_offset 8\n\tpush %r12\n\t.cfi_adjust_cfa_offset 16\n", []Placed{{1, ".cfi_def_cfa_offset 16"}, {3, ".cfi_def_cfa_offset 24"}, {5, ".cfi_def_cfa_offset 32"}},
			"\tpush %rbp\n\t.cfi_def_cfa_offset 16\n\tpush %rbx\n\t.cfi_adjust_cfa_offset 8\n\tpush %r12\n\t.cfi_def_cfa_offset 32\n"},
		"a restored state between": {"\tpush %rbp\n\t.cfi_def_cfa_offset 24\n\tnop\n\t.cfi_restore_state\n\tpush %rbx\n\t.cfi_adjust_cfa_offset 8\n", []Placed{{1, ".cfi_def_cfa_offset 16"}, {5, ".cfi_def_cfa_offset 24"}},
			"\tpush %rbp\n\t.cfi_def_cfa_offset 16\n\tnop\n\t.cfi_restore_state\n\tpush %rbx\n\t.cfi_def_cfa_offset 24\n"},
		"the next function":                {"\tret\n\t.cfi_endproc\n\t.cfi_startproc\n\t.cfi_def_cfa_offset 8\n", []Placed{{1, ".cfi_def_cfa_offset 16"}}, "\tret\n\t.cfi_def_cfa_offset 16\n\t.cfi_endproc\n\t.cfi_startproc\n\t.cfi_def_cfa_offset 8\n"},
		"lines that end in CR":             {"\tpush %rbp\r\n\tnop\r\n", []Placed{{1, ".cfi_def_cfa_offset 16"}}, "\tpush %rbp\r\n\t.cfi_def_cfa_offset 16\r\n\tnop\r\n"},
		"after a last line without an end": {"\tnop\n\tpush %rbp", []Placed{{2, ".cfi_def_cfa_offset 16"}}, "\tnop\n\tpush %rbp\n\t.cfi_def_cfa_offset 16\n"},
		"far apart": {strings.Repeat("\tpush %rbp\n", 30), []Placed{{1, ".cfi_def_cfa_offset 16"}, {30, ".cfi_def_cfa_offset 248"}},
			"\tpush %rbp\n\t.cfi_def_cfa_offset 16\n" + strings.Repeat("\tpush %rbp\n", 29) + "\t.cfi_def_cfa_offset 248\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := ReadSource(strings.NewReader(x.source))
			require.NoError(t, err)
			require.Empty(t, s.Diff("a.s"))
			require.NoError(t, s.Apply(&amd64, x.edits))
			assert.Equal(t, x.want, string(s.Bytes()))
			applies(t, x.source, s.Diff("src/a.s"), x.want)
		})
	}
}

// applies holds a diff against git.
func applies(t *testing.T, before, diff, after string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "src"), 0o777))
	path := filepath.Join(dir, "src", "a.s")
	require.NoError(t, os.WriteFile(path, []byte(before), 0o666))
	c := exec.Command("git", "apply", "--whitespace=nowarn", "-")
	c.Dir, c.Stdin = dir, strings.NewReader("# a comment\n"+diff)
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s%s", diff, out)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, after, string(b))
}

// TestSourceNotApplied leaves a source as it is where the place of a directive is not known.
func TestSourceNotApplied(t *testing.T) {
	for source, want := range map[string]error{
		"\tpush %rbp; nop\n": errSeveral,
		"\tpush %rbp\n\t.cfi_offset 6, -16; .cfi_def_cfa_offset 16\n": errSeveral,
		"\tpush %rbp /* a\n*/\n": errSeveral,
		"":                       errLine,
	} {
		s, err := ReadSource(strings.NewReader(source))
		require.NoError(t, err)
		after := 1
		if want == errLine {
			after = 2
		}
		assert.ErrorIs(t, s.Apply(&amd64, []Placed{{after, ".cfi_def_cfa_offset 16"}}), want, source)
		assert.Empty(t, s.Diff("a.s"))
		assert.Equal(t, source, string(s.Bytes()))
	}
	_, err := ReadSource(strings.NewReader("\x1b[31m"))
	assert.EqualError(t, err, "it has control characters")
	_, err = ReadSource(strings.NewReader(strings.Repeat("\n", MaxSource+1)))
	assert.EqualError(t, err, "it has more than 8388608 bytes")
}
