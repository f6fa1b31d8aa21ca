package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
)

func programOf(lines ...string) *asmProgram {
	return &asmProgram{ABI: model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, Funcs: []asmFunc{{Name: "f", Start: ".cfi_startproc", Lines: lines}}}
}

func TestValid(t *testing.T) {
	assert.True(t, valid(programOf(".cfi_remember_state", ".cfi_restore_state", "nop")))
	assert.False(t, valid(programOf(".cfi_restore_state", ".cfi_remember_state", "nop")))
	assert.False(t, valid(programOf("nop", ".cfi_restore 6")), "it ends in a directive")
	assert.False(t, valid(programOf()))
}

func TestDirectives(t *testing.T) {
	p := programOf("nop", ".cfi_def_cfa 7, 16", ".cfi_def_cfa_offset 24", ".cfi_register 6, 3", ".cfi_offset 16, -8", ".cfi_escape 0x2e, 0x10", ".cfi_signal_frame")
	p.Funcs[0].Start = ".cfi_startproc simple"
	assert.Equal(t, "simple; nop; def_cfa SP; def_cfa_offset; register FP R; offset RA; escape 0x2e; signal_frame", directivesOf(p))
}

// A fault that gas has is found and made as small as can be, and so is a crash.
func TestFindsFaults(t *testing.T) {
	toolchain.Tool(t, "sid-x86_64-as")
	for _, a := range assemblers(os.Getenv("SFRAME_TOOLS"), t.TempDir()) {
		if a.name != "gas 2.47 AMD64" {
			continue
		}
		for _, x := range []struct {
			kind  string
			lines []string
			small string
		}{
			{"CFA", []string{"nop", ".cfi_offset 6, -16", ".cfi_def_cfa_offset 16", ".cfi_signal_frame", ".cfi_def_cfa_register 6", "nop", "nop"},
				"nop; def_cfa_offset; def_cfa_register FP; nop"},
			{"crash", []string{"nop", ".cfi_remember_state", ".cfi_def_cfa_offset 16", ".cfi_restore_state", "nop", ".cfi_undefined 3", "nop"},
				"remember_state; restore_state; nop"},
		} {
			p := programOf(x.lines...)
			r, err := a.assemble(p.String())
			require.NoError(t, err)
			require.NotEmpty(t, r.faults, strings.Join(x.lines, "\n"))
			small, f, err := a.minimize(p, r.faults[0])
			require.NoError(t, err)
			assert.Equal(t, x.kind, f.kind)
			assert.Equal(t, x.small, directivesOf(small))
		}
		r, err := a.assemble(programOf("nop", ".cfi_def_cfa_offset 16", "nop").String())
		require.NoError(t, err)
		assert.Equal(t, "agrees with .eh_frame", r.outcome())
		return
	}
	t.Fatal("no assembler")
}

// The reason why an assembler leaves out a function is known, and so is what it says.
func TestReasons(t *testing.T) {
	toolchain.Tool(t, "sid-x86_64-as")
	functions, omitted := 0, 0
	for _, a := range assemblers(os.Getenv("SFRAME_TOOLS"), t.TempDir()) {
		for seed := range int64(8) {
			for _, f := range generate(a.abi, seed).Funcs {
				p := asmProgram{ABI: a.abi, Funcs: []asmFunc{f}}
				r, err := a.assemble(p.String())
				require.NoError(t, err)
				functions, omitted = functions+r.functions, omitted+r.omitted
				for _, x := range r.faults {
					assert.NotEqual(t, "reason", x.kind, "%s: %v\n%v", a.name, x, p.String())
				}
			}
		}
	}
	assert.Greater(t, functions, 100)
	assert.Greater(t, omitted, 50)
}

// Each known fault has a program in the corpus, and others are not known.
func TestCauses(t *testing.T) {
	for _, x := range causes {
		_, _, err := corpus.Source("../../corpus", "src/cfi/"+x.name+".s")
		assert.NoError(t, err)
	}
	assert.Equal(t, "cfa-offset-register", causeOf("gas 2.47 AMD64", "CFA: nop; def_cfa_offset; def_cfa_register FP; nop"))
	assert.Equal(t, "nested-states", causeOf("gas 2.47 s390x", "FP: remember_state; register FP R; nop; remember_state; restore_state; nop; restore_state; nop"))
	assert.Empty(t, causeOf("gas 2.47 AMD64", "CFA: nop; def_cfa_offset; nop; def_cfa_register FP; nop"))
	assert.Empty(t, causeOf("gas 2.47 AMD64", "what is expected: CFA: nop; def_cfa_offset; def_cfa_register FP; nop"))
}
