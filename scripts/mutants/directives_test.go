package main

import (
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
)

var amd64 = model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)

// body is a function that saves rbp.
func body() []line {
	return []line{
		{".cfi_startproc", 0, false},
		{"push %rbp", 0, true},
		{".cfi_def_cfa_offset 16", 1, false},
		{".cfi_offset 6, -16", 1, false},
		{"pop %rbp", 1, true},
		{".cfi_def_cfa_offset 8", 2, false},
		{"ret", 2, true},
		{".cfi_endproc", 3, false},
	}
}

func text(body []line) string {
	var all []string
	for _, l := range body {
		all = append(all, strings.TrimSpace(l.text))
	}
	return strings.Join(all, "\n")
}

// TestApply applies directives as findings have them: what sets the same thing at the same place goes, the rest
// stays, and an advice that two findings give is applied once.
func TestApply(t *testing.T) {
	for _, x := range []struct {
		correction, old, new string
	}{
		{"1 .cfi_def_cfa_offset 24\n", ".cfi_def_cfa_offset 16\n.cfi_offset 6, -16", ".cfi_offset 6, -16\n.cfi_def_cfa_offset 24"},
		{"2 .cfi_negate_ra_state\n", ".cfi_def_cfa_offset 8", ".cfi_def_cfa_offset 8\n.cfi_negate_ra_state"},
		{"1 .cfi_def_cfa %rsp, 16\n1 .cfi_restore %rbp\n2 .cfi_offset %rbp, -16\n",
			".cfi_def_cfa_offset 16\n.cfi_offset 6, -16\npop %rbp\n.cfi_def_cfa_offset 8", ".cfi_def_cfa %rsp, 16\n.cfi_restore %rbp\npop %rbp\n.cfi_def_cfa_offset 8\n.cfi_offset %rbp, -16"},
	} {
		f := Finding{Correction: x.correction}
		got, ok := apply(&amd64, body(), []Finding{f, f})
		assert.True(t, ok)
		assert.Equal(t, strings.Replace(text(body()), x.old, x.new, 1), text(got), x.correction)
	}
	_, ok := apply(&amd64, body(), []Finding{{Help: "correct the offset of the slot"}})
	assert.False(t, ok)
}

// TestDirectiveKinds makes each kind of fault, and only that.
func TestDirectiveKinds(t *testing.T) {
	s := &source{abi: amd64}
	for i := range directiveKinds {
		p := &proc{body: body()}
		got, what := s.mutate(p, directiveKinds[i], rand.New(rand.NewSource(1)))
		require.NotNil(t, got, directiveKinds[i].name)
		assert.Contains(t, what, ".cfi_")
		assert.NotEqual(t, text(p.body), text(got), directiveKinds[i].name)
		assert.Equal(t, text(body()), text(p.body))
		assert.Equal(t, insns(p.body), insns(got), directiveKinds[i].name)
	}
}

func insns(body []line) (all []string) {
	for _, l := range body {
		if l.insn {
			all = append(all, l.text)
		}
	}
	return all
}

// TestRound makes faults in a file of assembly: all that count are found, and the advice corrects them.
func TestRound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "amd64")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	var b strings.Builder
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		b.WriteString("\t.text\n\t.globl " + name + "\n\t.type " + name + ", @function\n" + name + ":\n")
		b.WriteString(strings.ReplaceAll(text(body()), "pop %rbp", "mov %rdi, %rbp\ncall *%rbp\npop %rbp") + "\n\t.size " + name + ", .-" + name + "\n")
	}
	path := filepath.Join(dir, "few.s")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
	o := &flags{Tools: filepath.Dir(toolchain.Bin(t)), Work: t.TempDir(), Kinds: slices.Concat(kindsOf(directiveKinds[:1]), kindsOf(directiveKinds[3:6])), Seed: 1, Count: 10}
	s, err := loadSource(path, o)
	require.NoError(t, err)
	table := newTable()
	require.NoError(t, rounds(table, []*source{s}, o))
	sum := table.Sum(s.abi.Name, "")
	assert.GreaterOrEqual(t, sum[Found], 10)
	assert.Zero(t, sum[Silent]+sum[Astray])
	assert.Equal(t, sum[Found], sum[corrected])
}
