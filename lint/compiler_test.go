package lint

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	corpusfiles "github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/rules"
)

// advised returns the errors and warnings of a file with their bytes and remedies.
func advised(t *testing.T, path string) (out []string) {
	files, _ := run(t, Options{Profile: "toolchain", Show: rules.Warning}, path)
	require.Len(t, files, 1)
	for _, o := range files[0].Objects {
		for _, f := range o.Findings {
			out = append(out, fmt.Sprintf("%s %#x+%d %s", f.Rule.ID, f.Span.Off, f.Span.Len, f.Help))
		}
	}
	return out
}

// TestAdvice: an advice has all directives that a function needs.
func TestAdvice(t *testing.T) {
	for name, want := range map[string][]string{
		"calls-only":   {"SF3114 0x31+3 write .cfi_def_cfa_offset 32 at +0x8, and .cfi_def_cfa sp, 0; .cfi_restore x29; .cfi_restore x30 at +0x20 of the function"},
		"packed-slots": {`SF3116 0x34+5 write .cfi_restore %r11 after "std %f10,112(%r15)", at +0xa of the function`},
		"scratch-registers": {
			"SF3115 0x34+3 write .cfi_offset %r11, -72; .cfi_offset %r14, -48 at +0x16 of the function",
			"SF3116 0x34+3 write .cfi_offset %r11, -72; .cfi_offset %r14, -48 at +0x16 of the function",
		},
		"unsaved-fp": {
			`SF3116 0x37+3 write .cfi_offset %rbp, -16 after "mov %rsp,%rbp", at +0x4 of the function`,
			"SF3105 0x39+1 write .cfi_offset %rbp, -16 at +0x4 of the function",
		},
		"restored-early": {"SF3114 0x37+3 write .cfi_def_cfa_offset 328 at +0xe, and .cfi_def_cfa_offset 160 at +0x16 of the function"},
		"adjust-sign":    {`SF3114 0x37+3 write .cfi_def_cfa_offset 8 after "lea 0x28(%rsp),%rsp", at +0x12 of the function`},
	} {
		assert.Equal(t, want, advised(t, "../corpus/files/wrong-cfi/"+name+".o"), name)
	}
}

const around = `	.cfi_startproc
	stp x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov x29, sp
	bl x
	ldp x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
`

// TestAdviceWhereRAIsWrong: where RA is said to be in a wrong slot, the advice is the right slot, not
// the register, which it still has: with FP saved and RA not, the assembler writes no FDE. Where it has
// written none for that, the finding gives the slot.
func TestAdviceWhereRAIsWrong(t *testing.T) {
	as := toolchain.Tool(t, "sid-aarch64-as")
	for _, x := range []struct{ name, middle, want string }{
		{"slot", "\t.cfi_offset 30, -8\n", "SF3115 0x64+5 write .cfi_offset x30, -24 at +0x4 of the function"},
		{"none", "", "SF6014 0x8+4 write .cfi_offset x30, -24 at +0x4, and .cfi_restore x30 at +0x10 of the function"},
	} {
		source := filepath.Join(t.TempDir(), x.name+".s")
		f := ".type f, %function\nf:\n"
		middle := "\t.cfi_startproc\n\tstp x29, x30, [sp, -32]!\n\t.cfi_def_cfa_offset 32\n\t.cfi_offset 29, -32\n" + x.middle +
			around[len("\t.cfi_startproc\n\tstp x29, x30, [sp, -32]!\n\t.cfi_def_cfa_offset 32\n\t.cfi_offset 29, -32\n\t.cfi_offset 30, -24\n"):]
		text := "\t.text\n\t.globl e, f, g\n\t.type e, %function\ne:\n" + around + "\t.size e, .-e\n\t" + f + middle +
			"\t.size f, .-f\n\t.type g, %function\ng:\n" + around + "\t.size g, .-g\n"
		require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
		object := source + ".o"
		out, err := exec.Command(as, "--gsframe", "-o", object, source).CombinedOutput()
		require.NoError(t, err, string(out))
		got := advised(t, object)
		require.Len(t, got, 1, "%v", got)
		assert.Equal(t, x.want, got[0])
	}
}

const oneCause = "../corpus/files/wrong-cfi/one-cause.o"

// causes returns the findings of a file by their functions, and the number of their cause, 0 for none.
func causes(t *testing.T, o Options, path string) (out []string) {
	o.Profile, o.Show = "toolchain", rules.Warning
	files, _ := run(t, o, path)
	require.Len(t, files, 1)
	number := map[*rules.Cause]int{nil: 0}
	for _, x := range files[0].Objects {
		for _, f := range x.Counted() {
			if _, ok := number[f.Cause()]; !ok {
				number[f.Cause()] = len(number)
			}
			out = append(out, fmt.Sprintf("%s %#x+%d %s %d", f.Rule.ID, f.Span.Off, f.Span.Len, f.Function, number[f.Cause()]))
		}
	}
	return out
}

var withOneCause = []string{
	"SF3114 0xf1+3 one 1", "SF3114 0xfe+3 two 1", "SF3114 0x10b+3 three 1", "SF3114 0x118+3 four 1",
	"SF3114 0x125+3 on_sp 1", "SF3114 0x131+3 early 1", "SF3114 0x13e+3 no_return 1",
	"SF3114 0x14b+3 wrong_slot 0", "SF3114 0x158+3 no_frame 0", "SF3114 0x160+3 lost 0", "SF3114 0x178+3 stray 0",
	"SF3114 0x180+3 bare_call 0", "SF3114 0x190+4 pushes 0",
}

// TestOneCause: functions whose CFI holds at calls have one cause, with others in the same file. Exceptions and
// baselines are for functions.
func TestOneCause(t *testing.T) {
	assert.Equal(t, withOneCause, causes(t, Options{}, oneCause))
	except := []Exception{{Rules: []string{"SF3114"}, Functions: []string{"two", "lost"}, Reason: "x"}}
	assert.Equal(t, slices.Concat(withOneCause[:1], withOneCause[2:9], withOneCause[10:]), causes(t, Options{Exceptions: except}, oneCause))

	l := must.Get(New(Options{Profile: "toolchain", Record: true}))(t)
	r := l.Run(t.Context(), oneCause)
	for range r.Files() {
	}
	known := must.Get(r.Recorded())(t)
	var file bytes.Buffer
	require.NoError(t, known.Write(&file))
	assert.Equal(t, len(withOneCause), strings.Count(file.String(), `"function"`))
	b := must.Get(ReadBaseline(&file))(t)
	assert.Empty(t, causes(t, Options{Baseline: b}, oneCause))
}

// TestCauseOfLinkedFile: start files of another compiler do not hide which one writes rows for calls only; a compiler
// that does not has another fault, and a source in assembly has none.
func TestCauseOfLinkedFile(t *testing.T) {
	as := toolchain.Tool(t, "sid-aarch64-as")
	text, _, err := corpusfiles.Source("../corpus", "src/wrong-cfi/one-cause.s")
	require.NoError(t, err)
	ident := regexp.MustCompile(`(?m)^\s*\.ident.*$`)
	for idents, want := range map[string]bool{
		".ident \"GCC: (Debian 12.2.0-14) 12.2.0\"\n.ident \"Debian clang version 14.0.6\"": true,
		".ident \"GCC: (Debian 12.2.0-14) 12.2.0\"":                                         false,
		"": false,
	} {
		object := filepath.Join(t.TempDir(), "a.o")
		c := exec.Command(as, "--gsframe", "-o", object)
		c.Stdin = bytes.NewReader(ident.ReplaceAllLiteral(text, []byte(idents)))
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		got := causes(t, Options{}, object)
		require.Len(t, got, len(withOneCause))
		for i, x := range withOneCause {
			if !want {
				x = x[:len(x)-1] + "0"
			}
			assert.Equal(t, x, got[i], idents)
		}
	}
}
