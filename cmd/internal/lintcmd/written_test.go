package lintcmd

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

const writtenSource = `
	.text
	.globl	one, two
	.type	one, %%function
one:	.cfi_startproc
	%[1]s
	.cfi_def_cfa_offset 176
	%[1]s
	.cfi_endproc
	.size	one, .-one
	.type	two, %%function
two:	.cfi_startproc
	%[1]s
	%[1]s
	.cfi_endproc
	.size	two, .-two
`

// TestWrittenLinks: the linkers of a version find every function in each kind of object file that this program writes.
func TestWrittenLinks(t *testing.T) {
	for _, x := range []struct {
		arch, nop, cfa string
		size           int
		abi            model.ABI
		oldest         int // version
	}{
		{"x86_64", "nop", "rsp+8", 2, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, 2},
		{"aarch64", "nop", "sp+0", 8, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, 2},
		{"s390x", "nopr", "r15+160", 4, model.SFRAME_ABI_S390X_ENDIAN_BIG, 3},
	} {
		t.Run(x.arch, func(t *testing.T) { testWrittenLinks(t, x.arch, x.nop, x.cfa, x.size, x.abi, x.oldest) })
	}
}

func testWrittenLinks(t *testing.T, arch, nop, cfa string, size int, abi model.ABI, oldest int) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(tool string, args ...string) {
		out, err := exec.Command(toolchain.Tool(t, tool), args...).CombinedOutput()
		require.NoError(t, err, "%s: %s", args, out)
	}
	lint := func(args ...string) string {
		status, out, errs := runMain(nil, args...)
		require.Less(t, status, 2, "%s: %s%s", args, out, errs)
		return out
	}
	require.NoError(t, os.WriteFile(at("a.s"), fmt.Appendf(nil, writtenSource, nop), 0o666))
	run("sid-"+arch+"-as", at("a.s"), "-o", at("none.o"))
	run("sid-"+arch+"-as", "--gsframe", at("a.s"), "-o", at("gas3.o"))
	if oldest == 2 {
		run("trixie-"+arch+"-as", "--gsframe", at("a.s"), "-o", at("gas2.o"))
	}
	written := map[string]int{}
	for v := oldest; v <= 3; v++ {
		to, other := strconv.Itoa(v), strconv.Itoa(max(5-v, oldest))
		lint("rewrite", "--to", to, "--output", at("rewrite"+to+".o"), at("gas"+other+".o"))
		lint("rewrite", "--output", at("same"+to+".o"), at("gas"+to+".o"))
		lint("synth", "--to", to, "--output", at("synth"+to+".o"), at("none.o"))
		lint("synth", "--replace", "--to", to, "--output", at("replace"+to+".o"), at("gas"+other+".o"))
		require.NoError(t, os.WriteFile(at("t.sfs"), []byte(lint("dump", "--format", "asm", at("gas"+to+".o"))), 0o666))
		lint("asm", at("t.sfs"), "--into", at("gas"+to+".o"), "--output", at("into"+to+".o"))
		require.NoError(t, os.WriteFile(at("t.sfs"), fmt.Appendf(nil, ".version %d\n.abi %s\n.elf rel\n.func one 0 %[3]d\n0: cfa = %[4]s\n.func two %[3]d %[3]d\n0: cfa = %[4]s\n", v, strings.Replace(arch, "x86_64", "amd64", 1), size, cfa), 0o666))
		lint("asm", at("t.sfs"), "--output", at("asm"+to+".o"))
		for _, kind := range []string{"rewrite", "same", "synth", "replace", "into", "asm"} {
			written[kind+to+".o"] = v
		}
		c := generator.Default()
		c.Seed, c.Version, c.ABI = 7, model.Version(v), abi
		p, err := generator.Generate(c)
		require.NoError(t, err)
		if v == 2 {
			p.Flags &^= model.SFRAME_F_FDE_FUNC_START_PCREL
		}
		f, err := generator.WrapRel(p)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(at("generator"+to+".o"), f.Bytes, 0o666))
		written["generator"+to+".o"] = v
	}
	data, err := os.ReadFile(at("gas3.o"))
	require.NoError(t, err)
	f, err := elf.Open(at("gas3.o"))
	require.NoError(t, err)
	for i, s := range f.Sections { // as an older rewrite left it
		if s.Name == ".sframe" {
			copy(data[f.FileHeader.ByteOrder.Uint64(data[0x28:])+uint64(64*i)+4:], []byte{1, 0, 0, 0})
		}
	}
	require.NoError(t, f.Close())
	require.NoError(t, os.WriteFile(at("fix3.o"), data, 0o666))
	lint("--fix", "--fix-unsafe", at("fix3.o"))
	written["fix3.o"] = 3

	linkers := [4][]string{2: {"trixie-" + arch + "-ld"}, 3: {"sid-" + arch + "-ld", "sid-mold"}}
	for name, v := range written {
		for _, linker := range linkers[v] {
			run(linker, at(name), "-o", at("out"))
			assert.Empty(t, lost(t, at("out")), "%s, linked by %s", name, linker)
		}
	}
}

// lost returns the functions of a linked file that are in no FDE.
func lost(t *testing.T, path string) (names []string) {
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	all, err := f.Symbols()
	require.NoError(t, err)
	starts := map[uint64]bool{}
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		for _, sf := range o.SFrames {
			for i := range sf.Section.NumFDEs() {
				fde := sf.Section.FDE(i)
				starts[fde.Start()] = true
			}
		}
		return nil
	}))
	functions := 0
	for _, s := range all {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			if functions++; !starts[s.Value] {
				names = append(names, s.Name)
			}
		}
	}
	assert.NotZero(t, functions)
	return names
}
