package cfi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// differences compares the SFrame data of a file with its CFI.
func differences(t testing.TB, path string) (out []string, n cfi.Comparison) {
	err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames := must.Get(cfi.Load(o, 0))(t)
		if len(frames.Sections) == 0 {
			return nil
		}
		for _, s := range o.SFrames {
			if s.Section == nil {
				continue
			}
			m := cfi.Compare(s.Section, frames, func(d cfi.Difference) { out = append(out, describe(s.Section.ABI(), d)) })
			n.Functions += m.Functions
			n.Rows += m.Rows
			n.Cut = n.Cut || m.Cut
		}
		return nil
	})
	require.NoError(t, err)
	return out, n
}

func describe(abi model.ABIInfo, d cfi.Difference) string {
	s := fmt.Sprintf("%v %#x-%#x x%d", d.Kind, d.Start, d.End, d.Runs)
	switch d.Kind {
	case cfi.CFADiffers, cfi.RADiffers, cfi.FPDiffers:
		sframe, frames := d.Of(d.Kind)
		s += fmt.Sprintf(": %s, CFI %s", sframe.Format(abi), frames.Format(abi))
		for kind := d.Kind + 1; kind <= cfi.FPDiffers; kind++ {
			if d.Also.Has(kind) {
				s += fmt.Sprintf(", %v too", kind)
			}
		}
	case cfi.NoCFI, cfi.NoFDE, cfi.RangeDiffers:
	default:
		s += fmt.Sprintf(": CFI %v", d.Says)
	}
	if d.Inexpressible {
		s += " (inexpressible)"
	}
	return s
}

// TestCompareTranslators compares objects whose SFrame data contradicts the CFI.
func TestCompareTranslators(t *testing.T) {
	known := map[string][]string{
		// .eh_frame defines no CFA.
		"llvm-23/simple-bare.o":                  {"CFA 0x0-0x1 x1: rbp, CFI invalid"},
		"gas-2.40/cfa-other.o":                   {"CFA 0x1-0x2 x1: rsp+16, CFI rbx+16 (inexpressible)"},
		"gas-2.40/fp-alone-aarch64.o":            {"RA 0x4-0x8 x1: *(CFA-16), CFI unchanged, FP too"},
		"gas-2.44/fp-undefined.o":                nil, // not comparable
		"gas-2.44/signal-frame.o":                nil, // versions 1 and 2 have no mark
		"llvm-23/fp-undefined.o":                 nil,
		"llvm-23/signal-frame.o":                 nil,
		"gas-2.44/fp-same-value.o":               {"FP 0x2-0x3 x1: *(CFA-16), CFI unchanged"},
		"gas-2.44/ra-register.o":                 {"RA 0x1-0x2 x1: *(CFA-8), CFI rax (inexpressible)"},
		"gas-2.44/ra-undefined.o":                {"outermost frame 0x0-0x2 x1: CFI true"},
		"gas-2.44/remember-at-change.o":          {"CFA 0x3-0x4 x1: rsp+8, CFI rsp+16"},
		"gas-2.47/cfa-odd-s390x.o":               {"CFA 0x2-0x4 x1: r15+160, CFI r15+164"},
		"gas-2.47/cfa-offset-register-aarch64.o": {"CFA 0x4-0x8 x1: x29, CFI x29+16"},
		"gas-2.47/cfa-offset-register-s390x.o":   {"CFA 0x2-0x4 x1: r11+160, CFI r11+176"},
		"gas-2.47/cfa-offset-register.o":         {"CFA 0x1-0x2 x1: rbp+8, CFI rbp+16"},
		"gas-2.47/fp-expression.o":               {"FP 0x1-0x2 x1: *(reg536870911+24), CFI *(rsp+24)"},
		"gas-2.47/fp-register-restore.o":         {"FP 0x0-0x1 x1: rbx, CFI unchanged"},
		"gas-2.47/nested-states.o":               {"CFA 0x5-0x6 x1: rsp+24, CFI rsp+16"},
		"gas-2.47/ra-expression.o":               {"RA 0x1-0x2 x1: *(CFA-8), CFI *(rsp+8)"},
		"gas-2.47/ra-far.o":                      {"RA 0x0-0x1 x1: *(CFA-8), CFI *(CFA-264)"},
		"gas-2.47/ra-register-restore.o":         {"RA 0x2-0x3 x1: rax, CFI *(CFA-8)"},
		"gas-2.47/ra-value.o":                    {"RA 0x1-0x2 x1: *(CFA-8), CFI CFA-16"},
		"gas-2.47/restore-cold.o":                {"FP 0x2-0x3 x1: *(CFA-16), CFI unchanged"},
		"gas-2.47/restore-escape.o":              {"FP 0x1-0x2 x1: *(CFA-16), CFI unchanged"},
		"gas-2.47/restore-remembered.o":          {"FP 0x1-0x2 x1: *(CFA-16), CFI unchanged"},
		"gas-2.47/ra-restore-first.o":            nil, // of .eh_frame
		"gas-2.47/ra-same-value.o":               nil, // a rule that AMD64 has no register for
		"gas-2.47/simple-late.o":                 {"CFA 0x1-0x2 x1: rsp, CFI invalid"},
		"gas-2.47/undefined-offset.o":            {"outermost frame 0x2-0x3 x1: CFI false"},
		"gas-2.47/undefined-restore.o":           {"outermost frame 0x2-0x3 x1: CFI false"},
		"llvm-23/cfa-far.o":                      {"CFA 0x1-0x2 x1: rsp+16, CFI rsp+4294967312"},
		"llvm-23/fp-register.o":                  {"FP 0x1-0x2 x1: unchanged, CFI rbx (inexpressible)"},
		"llvm-23/fp-same-value.o":                {"FP 0x2-0x3 x1: *(CFA-16), CFI unchanged"},
		"llvm-23/fp-value.o":                     {"FP 0x1-0x2 x1: unchanged, CFI CFA-16 (inexpressible)"},
		"llvm-23/ra-register.o":                  {"RA 0x1-0x2 x1: *(CFA-8), CFI rax (inexpressible)"},
		"llvm-23/ra-undefined.o":                 {"outermost frame 0x0-0x2 x1: CFI true"},
		"llvm-23/rel-offset-0.o":                 {"FP 0x1-0x2 x1: unchanged, CFI *(CFA-16)"},
		"llvm-23/rel-offset-104.o":               {"FP 0x1-0x2 x1: *(CFA+104), CFI *(CFA-40)"},
		"llvm-23/restore-saved.o":                {"FP 0x1-0x2 x1: *(CFA-16), CFI unchanged"},
		"llvm-23/restore-state-early.o":          {"CFA 0x1-0x2 x1: rsp+16, CFI rsp+24"},
		"llvm-23/restore-state-adjust.o":         {"CFA 0x1-0x2 x1: rsp+24, CFI rsp+40"},
	}
	files := must.Get(filepath.Glob("../../../corpus/files/cfi/*/*.o"))(t)
	for _, file := range files {
		name := must.Get(filepath.Rel("../../../corpus/files/cfi", file))(t)
		out, _ := differences(t, file)
		require.Contains(t, known, name)
		require.Equal(t, known[name], out, name)
	}
}

// TestCompareCorpus compares files of the corpus whose SFrame data the
// assembler of the same file's CFI has written. What remains are faults of the
// tools, and functions that only one side can have.
func TestCompareCorpus(t *testing.T) {
	known := map[string][]string{
		// A function far away that has no CFI by intent.
		"binutils-2.40/amd64/far.elf": {"no CFI 0x7ffff000-0x7ffff003 x1"},
		"binutils-2.44/amd64/far.elf": {"no CFI 0x7ffff000-0x7ffff003 x1"},
		"binutils-2.47/amd64/far.elf": {"no CFI 0x300000000-0x300000003 x1"},
		// ld 2.40 has no FDE for .plt.got; later ones have a wrong one.
		"binutils-2.40/amd64/pltgot.elf": {"no FDE 0x310-0x318 x1"},
		"binutils-2.44/amd64/pltgot.elf": {"CFA 0x2f0-0x2f8 x1: rsp+16, CFI rsp+8"},
		"binutils-2.47/amd64/pltgot.elf": {"CFA 0x2f0-0x2f8 x1: rsp+16, CFI rsp+8"},
		// ld has lost the FDEs of the PLT.
		"binutils-2.47/amd64/lost-plt.elf":   {"no FDE 0x2d0-0x300 x1"},
		"binutils-2.47/s390x/init-first.elf": {"no FDE 0x2c8-0x328 x1"},
		"binutils-2.47/s390x/lost-plt.elf":   {"no FDE 0x2c8-0x328 x1"},
		// ld 2.40 takes .plt.sec for a PLT with a first stub of its own.
		"binutils-2.40/amd64/ibtplt.elf": {"CFA 0x309-0x30b x1: rsp+8, CFI rsp+16", "no FDE 0x310-0x320 x1", "CFA 0x320-0x326 x2: rsp+16, CFI rsp+8",
			"range 0x346-0x350 x1", "CFA 0x331-0x345 x1: rsp+8, CFI rsp+16"},
		// A CFA that version 1 and 2 have no FRE for.
		"binutils-2.40/amd64/program.elf": {"no FDE 0x4003e0-0x400474 x1"},
		"binutils-2.44/amd64/program.elf": {"no FDE 0x4003e0-0x400474 x1"},
		// gas 2.40 and 2.44 ignore an undefined RA.
		"binutils-2.40/amd64/start.elf":      {"outermost frame 0x4000e8-0x4000fc x1: CFI true (inexpressible)"},
		"binutils-2.40/aarch64/start.elf":    {"outermost frame 0x4000e8-0x4000fc x1: CFI true (inexpressible)"},
		"binutils-2.40/aarch64-be/start.elf": {"outermost frame 0x4000e8-0x4000fc x1: CFI true (inexpressible)"},
		"binutils-2.44/amd64/start.elf":      {"outermost frame 0x4000e8-0x4000fc x1: CFI true"},
		"binutils-2.44/aarch64/start.elf":    {"outermost frame 0x4000e8-0x4000fc x1: CFI true"},
		"binutils-2.44/aarch64-be/start.elf": {"outermost frame 0x4000e8-0x4000fc x1: CFI true"},
	}
	files := must.Get(filepath.Glob("../../../corpus/files/binutils-*/*/*.elf"))(t)
	rows := 0
	for _, file := range files {
		name := must.Get(filepath.Rel("../../../corpus/files", file))(t)
		out, n := differences(t, file)
		require.Equal(t, known[name], out, name)
		require.False(t, n.Cut)
		rows += n.Rows
	}
	require.Greater(t, rows, 2000)
}

// each decodes a file and passes its first SFrame section with the CFI to
// visit.
func each(t *testing.T, file string, visit func(o *reader.Object, f *reader.SFrame, frames *cfi.Frames)) {
	err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
		frames := must.Get(cfi.Load(o, 0))(t)
		if len(o.SFrames) > 0 {
			visit(o, o.SFrames[0], frames)
		}
		return nil
	})
	require.NoError(t, err)
}

// TestCompareMutants changes each data word and each info byte of real linked
// files. Every change that makes other rules is reported, at the PCs of the
// FRE and nowhere else.
func TestCompareMutants(t *testing.T) {
	for _, file := range []string{"2.40/amd64/one.elf", "2.44/amd64/one.elf", "2.47/amd64/one.elf", "2.44/aarch64/one.elf", "2.47/aarch64/one.elf",
		"2.47/aarch64-be/one.elf", "2.47/s390x/one.elf", "2.47/aarch64/pauth.elf"} {
		each(t, "../../../corpus/files/binutils-"+file, func(o *reader.Object, f *reader.SFrame, frames *cfi.Frames) {
			base := map[string]bool{}
			cfi.Compare(f.Section, frames, func(d cfi.Difference) { base[describe(f.Section.ABI(), d)] = true })
			mutants := 0
			check := func(r model.FRE, span model.Span, xor byte) {
				data := append([]byte(nil), f.Data...)
				at := span.Off
				if f.Section.ABI().Big {
					at = span.End() - 1
				}
				data[at] ^= xor
				sec, _ := o.ELF.SectionOf(f)
				s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: sec.Addr})
				fde := r.FDE()
				if s.NumFREs() != f.Section.NumFREs() {
					return // the bytes after it are read as other FREs
				}
				changed := s.FDE(fde.Index()).FRE(r.Index())
				if changed.Row() == r.Row() && changed.MangledRA() == r.MangledRA() {
					return
				}
				if r.End() <= r.Start() || r.Row().Outermost() && changed.Row().Outermost() {
					return
				}
				mutants++
				var hits []cfi.Difference
				cfi.Compare(s, frames, func(d cfi.Difference) {
					if !base[describe(s.ABI(), d)] {
						hits = append(hits, d)
					}
				})
				require.NotEmpty(t, hits, "%s: FDE %d, FRE %d, %v", file, fde.Index(), r.Index(), span)
				for _, d := range hits {
					require.Equal(t, fde.Index(), d.FDE)
					require.Equal(t, r.Index(), d.FRE.Index())
					require.Equal(t, fde.Start()+uint64(r.Start()), d.Start)
				}
			}
			for fde := range f.Section.FDEs() {
				for r := range fde.FREs() {
					for k := range r.NumWords() {
						check(r, r.WordSpan(k), 8)
						check(r, r.WordSpan(k), 0x40)
					}
					check(r, r.InfoSpan(), 1)
					if f.Section.ABI().Pauth {
						check(r, r.InfoSpan(), model.FREInfoMangledBit)
					}
				}
			}
			require.Greater(t, mutants, 10, file)
		})
	}
}

// TestCompareRanges changes sizes and starts of FDEs.
func TestCompareRanges(t *testing.T) {
	each(t, "../../../corpus/files/binutils-2.47/amd64/one.elf", func(o *reader.Object, f *reader.SFrame, frames *cfi.Frames) {
		sec, _ := o.ELF.SectionOf(f)
		fde := f.Section.FDE(1)
		var moved model.FDE
		after := func(change func(b []byte)) (out []string) {
			data := append([]byte(nil), f.Data...)
			change(data)
			s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: sec.Addr})
			cfi.Compare(s, frames, func(d cfi.Difference) { out = append(out, describe(s.ABI(), d)) })
			moved = s.FDE(1)
			return out
		}
		size := fde.FieldSpan(model.FDEFuncSize).Off
		start := fde.FieldSpan(model.FDEStart).Off
		require.Empty(t, after(func([]byte) {}))
		require.Equal(t, []string{fmt.Sprintf("range %#x-%#x x1", fde.End()-1, fde.End())}, after(func(b []byte) { b[size]-- }))
		require.Equal(t, []string{fmt.Sprintf("no FDE %#x-%#x x1", fde.Start(), fde.End())}, after(func(b []byte) { b[size] = 0 }))
		require.Contains(t, after(func(b []byte) { b[start]++ }), fmt.Sprintf("range %#x-%#x x1", fde.Start(), fde.Start()+1))
		far := after(func(b []byte) { b[start+4] ^= 1 })
		require.Contains(t, far, fmt.Sprintf("no CFI %#x-%#x x1", moved.Start(), moved.End()))
		require.Contains(t, far, fmt.Sprintf("no FDE %#x-%#x x1", fde.Start(), fde.End()))
	})
}

// TestCompareFiles compares the files of SFRAME_CFI (a glob pattern) and logs
// what differs.
func TestCompareFiles(t *testing.T) {
	pattern := os.Getenv("SFRAME_CFI")
	if pattern == "" {
		t.Skip("SFRAME_CFI names no files")
	}
	files := must.Get(filepath.Glob(pattern))(t)
	var rows, functions, count int
	for _, file := range files {
		if fi, err := os.Stat(file); err != nil || !fi.Mode().IsRegular() {
			continue
		}
		out, n := differences(t, file)
		for i, d := range out {
			if i < 10 {
				t.Log(file, d)
			}
		}
		rows, functions, count = rows+n.Rows, functions+n.Functions, count+len(out)
	}
	t.Logf("%d files, %d functions, %d rows, %d differences", len(files), functions, rows, count)
}
