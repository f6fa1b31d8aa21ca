package cfi_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/reader"
)

// workshop runs assemblers and linkers in a directory of its own.
type workshop struct {
	*testing.T
	bin, dir string
}

func newWorkshop(t *testing.T) workshop { return workshop{t, toolchain.Bin(t), t.TempDir()} }

func (w workshop) run(tool string, args ...string) {
	w.Helper()
	cmd := exec.Command(filepath.Join(w.bin, tool), args...)
	cmd.Dir = w.dir
	out, err := cmd.CombinedOutput()
	require.NoError(w, err, "%s %v: %s", tool, args, out)
}

// as assembles a source and returns the object's name.
func (w workshop) as(arch, name, source string, flags ...string) string {
	w.Helper()
	require.NoError(w, os.WriteFile(filepath.Join(w.dir, name+".s"), []byte(source), 0o666))
	w.run("sid-"+arch+"-as", append(flags, "-o", name+".o", name+".s")...)
	return name + ".o"
}

// got is what a file's CFI says.
type got struct {
	terminators int
	skipped     []cfi.Skipped
	fdes        []cfi.FDE
	rows        [][]string // of each FDE, in words
}

func (w workshop) load(name string) (g got) {
	w.Helper()
	err := reader.Scan(filepath.Join(w.dir, name), reader.Options{}, func(o *reader.Object) error {
		frames := must.Get(cfi.Load(o, 0))(w)
		g.skipped = frames.Skipped
		for _, s := range frames.Sections {
			require.Empty(w, s.Faults())
			g.terminators += len(s.Terminators())
			for f := range s.FDEs() {
				g.fdes = append(g.fdes, f)
				var rows []cfi.Row
				for r := range f.Rows() {
					rows = append(rows, r)
				}
				g.rows = append(g.rows, words(o.ELF.ABI(), f, rows))
			}
		}
		return nil
	})
	require.NoError(w, err)
	return g
}

const twoFunctions = `
	.section .text.a,"ax",@progbits
	.globl a
a:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	pop %rbp
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.section .text.b,"ax",@progbits
	.globl b
b:	.cfi_startproc
	ret
	.cfi_endproc
`

var rowsOfA = []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-2 rsp+16 *(CFA-8) *(CFA-16)", "2-3 rsp+8 *(CFA-8) unchanged"}

// TestInteropDebugFrame reads CFI that is in .debug_frame alone, and leaves
// out functions that the linker has discarded.
func TestInteropDebugFrame(t *testing.T) {
	w := newWorkshop(t)
	o := w.as("x86_64", "two", ".cfi_sections .debug_frame\n"+twoFunctions)
	g := w.load(o)
	require.Len(t, g.fdes, 2)
	require.True(t, g.fdes[0].Usable() && g.fdes[1].Usable())
	require.NotEqual(t, g.fdes[0].Start.Place, g.fdes[1].Start.Place)
	require.Equal(t, rowsOfA, g.rows[0])

	w.run("sid-x86_64-ld", "--gc-sections", "-e", "a", "-o", "linked", o)
	g = w.load("linked")
	require.Len(t, g.fdes, 2)
	require.True(t, g.fdes[0].Usable())
	require.Equal(t, rowsOfA, g.rows[0])
	require.True(t, g.fdes[1].Dead)
	require.Zero(t, g.fdes[1].Start.Addr)
	require.Empty(t, g.rows[1])
}

// TestInteropPartialLink reads what "-r" makes of three objects: relocations
// of functions that the linker has discarded, and, of mold, a length of 0 that
// ends the entries of one input between those of others.
func TestInteropPartialLink(t *testing.T) {
	w := newWorkshop(t)
	group := `
	.section .text.f,"axG",@progbits,f,comdat
	.weak f
f:	.cfi_startproc
	ret
	.cfi_endproc
`
	a := w.as("x86_64", "a", twoFunctions+group)
	b := w.as("x86_64", "b", "\t.section .eh_frame,\"a\",@unwind\n\t.long 0\n")
	c := w.as("x86_64", "c", group+"\t.text\ng:\t.cfi_startproc\n\tnop\n\tret\n\t.cfi_endproc\n")
	for linker, terminators := range map[string]int{"sid-x86_64-ld": 0, "sid-mold": 1} {
		w.run(linker, "-r", "-o", "partial.o", a, b, c)
		g := w.load("partial.o")
		require.Equal(t, rowsOfA, g.rows[0])
		var sizes []uint64
		for _, f := range g.fdes {
			if f.Usable() {
				sizes = append(sizes, f.Size)
			}
		}
		require.Equal(t, []uint64{3, 1, 1, 2}, sizes, "a, b, f and g")
		require.Equal(t, []string{"0-2 rsp+8 *(CFA-8) unchanged"}, g.rows[len(g.rows)-1])
		require.Equal(t, terminators, g.terminators, linker)
	}
}

// TestInteropUndefinedSymbol leaves out an FDE whose start is a symbol that
// the file does not define.
func TestInteropUndefinedSymbol(t *testing.T) {
	w := newWorkshop(t)
	g := w.load(w.as("x86_64", "undefined", `
	.section .eh_frame,"a",@unwind
0:	.long 2f-1f
1:	.long 0
	.byte 1
	.string "zR"
	.byte 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1
	.balign 8
2:	.long 4f-3f
3:	.long 3b-0b
	.long missing-.
	.long 8
	.byte 0
	.balign 8
4:
`))
	require.Len(t, g.fdes, 1)
	require.False(t, g.fdes[0].Usable())
	require.Equal(t, cfi.NoFault, g.fdes[0].Fault.Code)
}

// TestInteropSFrameAlone finds nothing to compare in an object that has SFrame
// data and no other CFI, and says which sections it does not read.
func TestInteropSFrameAlone(t *testing.T) {
	w := newWorkshop(t)
	g := w.load(w.as("x86_64", "sframe", ".cfi_sections .sframe\n"+twoFunctions, "--gsframe"))
	require.Empty(t, g.fdes)
	require.Empty(t, g.skipped)
}

// TestInteropCompressed reads compressed sections as it reads plain ones, in relocatable
// and in linked files.
func TestInteropCompressed(t *testing.T) {
	w := newWorkshop(t)
	var source strings.Builder
	source.WriteString(".cfi_sections .debug_frame\n.globl a\n")
	for i := range 100 { // small sections stay as they are
		source.WriteString(strings.NewReplacer(".text.a", ".text", "a:", fmt.Sprintf("a%d:", i), ".text.b", ".text", "b:", "").Replace(twoFunctions))
	}
	for _, arch := range []string{"x86_64", "s390x"} {
		text := source.String()
		if arch == "s390x" {
			text = strings.NewReplacer("push %rbp", "nop", "pop %rbp", "nop", "ret", "nop", "%rbp", "%r11").Replace(text)
		}
		plain := w.as(arch, "plain-"+arch, text)
		w.run("sid-"+arch+"-ld", "-e", "0", "-o", "linked-"+arch, plain)
		for _, file := range []string{plain, "linked-" + arch} {
			want := w.load(file)
			require.Len(t, want.fdes, 200)
			for _, how := range []string{"zlib", "zstd", "zlib-gnu"} {
				w.run("sid-"+arch+"-objcopy", "--compress-debug-sections="+how, file, how)
				was := must.Get(os.ReadFile(filepath.Join(w.dir, file)))(t)
				now := must.Get(os.ReadFile(filepath.Join(w.dir, how)))(t)
				require.Less(t, len(now), len(was))
				have := w.load(how)
				require.Empty(t, have.skipped)
				require.Equal(t, want.rows, have.rows, "%s %s", how, file)
				for i := range want.fdes {
					require.Equal(t, want.fdes[i].Start, have.fdes[i].Start)
				}
			}
		}
	}
}

// TestInteropNoSectionHeaders finds .eh_frame by its segment, with a table of FDEs and
// without one.
func TestInteropNoSectionHeaders(t *testing.T) {
	w := newWorkshop(t)
	source := strings.ReplaceAll(twoFunctions, ".section .text.", ".section .text,\"ax\",@progbits,unique,1\n#")
	o := w.as("x86_64", "o", source+"\t.section .data.rel.ro,\"aw\"\n\t.quad 0x1122334455667788, a\n", "--gsframe")
	for _, linker := range []string{"sid-x86_64-ld", "sid-mold", "sid-lld"} {
		for _, flags := range [][]string{{"-shared", "-z", "noseparate-code"}, {"-pie"}, {"-static"}} {
			w.run(linker, append(flags, "--eh-frame-hdr", "-e", "a", "-o", "linked", o)...)
			want := w.load("linked")
			require.Len(t, want.fdes, 2)
			w.run("sid-x86_64-strip", "--strip-section-headers", "-o", "bare", "linked")
			have := w.load("bare")
			require.Empty(t, have.skipped)
			require.Equal(t, want.rows, have.rows, "%s %v", linker, flags)
			require.Equal(t, want.fdes[0].Start, have.fdes[0].Start)
			require.Zero(t, have.terminators)
		}
	}
}

// TestInteropEmptyFunction accepts functions of size 0 beside others at the
// same address, as in musl's setjmp.
func TestInteropEmptyFunction(t *testing.T) {
	w := newWorkshop(t)
	g := w.load(w.as("x86_64", "empty", `
	.cfi_startproc
	.cfi_endproc
	.cfi_startproc
	ret
	.cfi_endproc
`))
	require.Len(t, g.fdes, 2)
	require.True(t, g.fdes[0].Usable())
	require.Empty(t, g.rows[0])
	require.Equal(t, []string{"0-1 rsp+8 *(CFA-8) unchanged"}, g.rows[1])
}

// TestInteropPLT evaluates the expression that linkers write for lazy PLT
// stubs.
func TestInteropPLT(t *testing.T) {
	w := newWorkshop(t)
	o := w.as("x86_64", "caller", "\t.globl f\nf:\t.cfi_startproc\n\tcall g@PLT\n\tcall h@PLT\n\tret\n\t.cfi_endproc\n")
	w.run("sid-x86_64-ld", "-shared", "-z", "lazy", "-o", "lib.so", o)
	found := false
	for _, f := range w.load("lib.so").fdes {
		for row := range f.Rows() {
			if row.CFA.Kind != cfi.Expression {
				continue
			}
			found = true
			require.Zero(t, row.Start%16)
			for pc := row.Start; pc < row.End; pc++ {
				want := int64(8)
				if pc&15 >= 11 { // after the push
					want = 16
				}
				r := f.Recover(&row, pc)
				require.Equal(t, cfi.Comparable, r.CFAReason)
				require.Equal(t, want, r.CFA.Offset, "%#x", pc)
			}
		}
	}
	require.True(t, found)
}

// TestInteropSigned reads what .cfi_negate_ra_state and .cfi_b_key_frame give.
func TestInteropSigned(t *testing.T) {
	w := newWorkshop(t)
	g := w.load(w.as("aarch64", "signed", `
	.cfi_startproc
	.cfi_b_key_frame
	.inst 0xd503237f
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	.cfi_remember_state
	ldp x29, x30, [sp], #16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	.inst 0xd50323ff
	.cfi_negate_ra_state
	ret
	.cfi_restore_state
	nop
	.cfi_endproc
	.cfi_startproc
	.cfi_signal_frame
	nop
	.cfi_endproc
`))
	require.True(t, g.fdes[0].CIE.KeyB)
	require.False(t, g.fdes[0].CIE.Signal)
	require.True(t, g.fdes[1].CIE.Signal)
	require.Equal(t, []string{"0-4 sp unchanged unchanged", "4-8 sp unchanged unchanged signed:1", "8-12 sp+16 *(CFA-8) *(CFA-16) signed:1",
		"12-16 sp unchanged unchanged signed:1", "16-20 sp unchanged unchanged", "20-24 sp+16 *(CFA-8) *(CFA-16) signed:1"}, g.rows[0])
}

// TestInteropLongEntries reads a .debug_frame whose entries have 64-bit
// lengths as readelf does. In .eh_frame readelf takes 8 bytes for the CIE
// pointer then; the Linux Standard Base says 4.
func TestInteropLongEntries(t *testing.T) {
	w := newWorkshop(t)
	m := &image{kind: cfi.DebugFrame, abi: amd64, long: true}
	k := usual(amd64)
	k.aug, k.data = "", nil
	m.fde(m.cie(k), num(false, 8, 0x1000), num(false, 8, 16), nil, ops(0x41, 0x0e, 16))
	w.as("x86_64", "empty", "")
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "bytes"), m.b, 0o666))
	w.run("sid-x86_64-objcopy", "--add-section", ".debug_frame=bytes", "empty.o", "long.o")
	out, err := exec.Command(filepath.Join(w.bin, "sid-x86_64-readelf"), "--debug-dump=frames-interp", filepath.Join(w.dir, "long.o")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	rows := readelf(t, bytes.NewReader(out), "rbp")[".debug_frame"]
	require.Len(t, rows, 1)
	require.Equal(t, []printed{{0x1000, "rsp+8", "u", "c-8"}, {0x1001, "rsp+16", "u", "c-8"}}, rows[0][0].rows)
	f := fdes(m)[0]
	require.Equal(t, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-16 rsp+16 *(CFA-8) unchanged"}, words(amd64, f, slices.Collect(f.Rows())))
}
