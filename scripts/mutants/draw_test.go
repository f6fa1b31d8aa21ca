package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
)

// A seed makes one program, and programs differ and have all directives.
func TestGenerate(t *testing.T) {
	for _, abi := range model.ABIs() {
		seen, kinds := map[string]bool{}, map[string]bool{}
		for seed := range int64(300) {
			p := generate(abi.ID, seed).String()
			require.Equal(t, p, generate(abi.ID, seed).String())
			seen[p] = true
			for _, d := range regexp.MustCompile(`\.cfi_\w+`).FindAllString(p, -1) {
				kinds[d] = true
			}
		}
		assert.Greater(t, len(seen), 290)
		want := 18
		if abi.Pauth {
			want = 20
		}
		assert.Len(t, kinds, want, "%s: %v", abi.Name, kinds)
	}
}

// Assemblers accept every program.
func TestAssemblersAccept(t *testing.T) {
	for _, x := range []struct {
		tool string
		abi  model.ABI
		args []string
	}{
		{"sid-x86_64-as", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, nil},
		{"bookworm-x86_64-as", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, nil},
		{"sid-aarch64-as", model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, nil},
		{"sid-aarch64-as", model.SFRAME_ABI_AARCH64_ENDIAN_BIG, []string{"-EB"}},
		{"sid-s390x-as", model.SFRAME_ABI_S390X_ENDIAN_BIG, nil},
		{"sid-llvm-mc", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, []string{"--triple=x86_64-linux-gnu", "--filetype=obj"}},
		{"sid-llvm-mc", model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, []string{"--triple=aarch64-linux-gnu", "--filetype=obj"}},
	} {
		tool := toolchain.Tool(t, x.tool)
		dir := t.TempDir()
		for seed := range int64(100) {
			in := filepath.Join(dir, strconv.FormatInt(seed, 10)+".s")
			p := generate(x.abi, seed).String()
			require.NoError(t, os.WriteFile(in, []byte(p), 0o666))
			out, err := exec.Command(tool, append(x.args, "-o", in+".o", in)...).CombinedOutput()
			require.NoError(t, err, "%s: seed %d: %s\n%s", x.tool, seed, out, p)
		}
	}
}

func Example_generate() {
	fmt.Print(generate(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, 1))
	// Output:
	//	.text
	//	.globl f0
	//	.type f0, @function
	// f0:
	//	.cfi_startproc
	//	nop
	//	.cfi_def_cfa_offset 24
	//	nop
	//	.cfi_def_cfa_register 6
	//	nop
	//	.cfi_adjust_cfa_offset 16
	//	.cfi_rel_offset 6, 0
	//	nop
	//	.cfi_restore 16
	//	nop
	//	.cfi_remember_state
	//	.cfi_rel_offset 16, 80
	//	nop
	//	.cfi_offset 2, -96
	//	nop
	//	nop
	//	.cfi_endproc
	//	.size f0, .-f0
	//	.section .note.GNU-stack,"",@progbits
}
