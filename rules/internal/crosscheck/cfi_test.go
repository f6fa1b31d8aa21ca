package crosscheck_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
)

const corpusFiles = "../../../corpus/files/"

// change overwrites bytes of the .sframe section.
type change struct {
	off   int64
	bytes string
}

// changed returns the objects of a corpus file with changes in its first section.
func changed(t *testing.T, file string, changes ...change) (data []byte) {
	t.Helper()
	data, err := os.ReadFile(corpusFiles + file)
	require.NoError(t, err)
	require.NoError(t, reader.Scan(corpusFiles+file, reader.Options{}, func(o *reader.Object) error {
		for _, c := range changes {
			copy(data[o.SFrames[0].Offset+c.off:], c.bytes)
		}
		return nil
	}))
	return data
}

// found returns what rules find in a file: those on CFI if none are given.
func found(t *testing.T, data []byte, onCFI ...*rules.Rule) (places, messages []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "changed")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	all := len(onCFI) == 0
	for _, r := range crosscheck.Rules {
		if all && r.ID >= "SF6007" {
			onCFI = append(onCFI, r)
		}
	}
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		places = append(places, ruletest.Findings(t, onCFI, o)...)
		for _, f := range (&rules.Driver{Rules: onCFI}).Run(o).Findings {
			messages = append(messages, f.Message)
		}
		return nil
	}))
	return places, messages
}

// The program's .eh_frame lies after the section, and is right. A function has none.
const (
	program = "binutils-2.47/amd64/one.elf"
	bare    = "SF6014 0x8+4"
)

// at writes a finding as ruletest.Findings does.
func at(id string, sp model.Span) string { return fmt.Sprintf("%s 0x%x+%d", id, sp.Off, sp.Len) }

// section returns the model of a file's first section.
func section(t *testing.T, file string) (s *model.Section) {
	t.Helper()
	require.NoError(t, reader.Scan(corpusFiles+file, reader.Options{}, func(o *reader.Object) error {
		s = o.SFrames[0].Section
		return nil
	}))
	return s
}

// TestContradictions changes one thing of healthy files.
func TestContradictions(t *testing.T) {
	s := section(t, program)
	row := func(i, j int) model.FRE { return s.FDE(i).FRE(j) }
	size := s.FDE(1).FieldSpan(model.FDEFuncSize).Off
	framed := -1 // with a row that saves FP
	for f := range s.FDEs() {
		if f.NumFREs() > 1 && f.FRE(1).NumWords() > 1 {
			framed = f.Index()
			break
		}
	}
	require.GreaterOrEqual(t, framed, 0)
	pauth := section(t, "binutils-2.47/aarch64/pauth.elf")
	signed := pauth.FDE(1)
	for _, test := range []struct {
		name, file string
		changes    []change
		want       []string
		say        []string // of the messages
	}{
		{"nothing", program, nil, []string{bare}, nil},
		{"CFA", program, []change{{row(framed, 1).WordSpan(0).Off, "\x20"}},
			[]string{bare, at("SF6007", row(framed, 1).Span())}, []string{"is rsp+32 in the FRE, but", "but rsp+16 in the CFI (.eh_frame+0x"}},
		{"FP", program, []change{{row(framed, 1).WordSpan(1).Off, "\xe8"}},
			[]string{bare, at("SF6009", row(framed, 1).Span())}, []string{"is *(CFA-24) in the FRE, but", "but *(CFA-16) in the CFI"}},
		{"CFA and FP", program, []change{{row(framed, 1).WordSpan(0).Off, "\x20\xe8"}},
			[]string{bare, at("SF6007", row(framed, 1).Span())}, []string{"; FP is *(CFA-24) in the FRE, but *(CFA-16) in the CFI; the code"}},
		{"signal", program, []change{{s.FDE(1).FieldSpan(model.FDEInfo).Off, "\x80"}},
			[]string{bare, at("SF6012", s.FDE(1).FieldSpan(model.FDEInfo))}, []string{"the FDE marks a signal frame, but the CFI does not"}},
		{"shorter", program, []change{{size, string(rune(s.FDE(1).Size() - 1))}},
			[]string{bare, at("SF6013", s.FDE(1).FieldSpan(model.FDEFuncSize))}, []string{"the rest has no FRE"}},
		{"key", "binutils-2.47/aarch64/pauth.elf", []change{{signed.FieldSpan(model.FDEInfo).Off, string([]byte{signed.Info() ^ 0x20})}},
			[]string{at("SF6010", signed.FieldSpan(model.FDEInfo))}, []string{"signs RA, but the CFI says key"}},
		{"signature", "binutils-2.47/aarch64/pauth.elf", []change{{signed.FRE(1).InfoSpan().Off, string([]byte{signed.FRE(1).Info() ^ 0x80})}},
			[]string{at("SF6010", signed.FRE(1).InfoSpan())}, []string{"is not signed in the FRE, but", "but signed in the CFI"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			places, messages := found(t, changed(t, test.file, test.changes...))
			require.Equal(t, test.want, places)
			for _, say := range test.say {
				require.Contains(t, strings.Join(messages, "\n"), say)
			}
		})
	}
}

// TestCompressedCFI compares with a compressed .debug_frame, and reports one that can't be
// read.
func TestCompressedCFI(t *testing.T) {
	data, err := os.ReadFile("../../../internal/evidence/cfi/testdata/load/zlib.o")
	require.NoError(t, err)
	places, _ := found(t, data)
	require.Empty(t, places)
	var fre, frame int64
	require.NoError(t, reader.Scan("../../../internal/evidence/cfi/testdata/load/zlib.o", reader.Options{}, func(o *reader.Object) error {
		r, ok := o.SFrames[0].Section.FDE(1).At(1)
		require.True(t, ok)
		fre = o.SFrames[0].Offset + r.WordSpan(0).Off
		for _, s := range o.ELF.Sections {
			if s.Name == ".debug_frame" {
				frame = int64(s.Offset)
			}
		}
		return nil
	}))
	data[fre] += 8
	places, _ = found(t, data)
	require.Len(t, places, 1)
	require.Contains(t, places[0], "SF6007")
	data[frame+40] ^= 0x55
	places, _ = found(t, data)
	require.Empty(t, places)
	require.NoError(t, reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		res := (&rules.Driver{Rules: []*rules.Rule{container.Unbacked}}).Run(o)
		require.Len(t, res.Findings, 1)
		require.Contains(t, res.Findings[0].Message, ".debug_frame can't be read (cannot be decompressed: ")
		return nil
	}))
}

// TestSignalStub: of an FDE for stubs, SF6018 reports the rows and nothing else.
func TestSignalStub(t *testing.T) {
	for _, c := range []struct {
		info string
		want []string
	}{
		{"\x10", []string{"SF6018 0x85+3"}},
		{"\x90", []string{"SF6012 0x82+1", "SF6018 0x85+3"}},
	} {
		data := changed(t, "binutils-2.47/amd64/pltgot.elf", change{0x82, c.info})
		places, _ := found(t, data)
		require.Equal(t, c.want, places, "%x", c.info)
	}
}

// TestDisplaced: an FDE has a wrong start and covers code without CFI; its function, the only
// one of .text, lacks it.
func TestDisplaced(t *testing.T) {
	const file = "binutils-2.47/amd64/pltgot.elf"
	main := section(t, file).FDE(3)
	sp := main.FieldSpan(model.FDEStart)
	data := changed(t, file)
	at := int64(0x388) + sp.Off // the section's offset
	binary.LittleEndian.PutUint64(data[at:], binary.LittleEndian.Uint64(data[at:])+uint64(main.Size()))
	places, messages := found(t, data)
	require.Contains(t, places, bare)
	require.Contains(t, strings.Join(messages, "\n"), "\"main\" (FDE 3 of the same size covers code without CFI at 0x30e and probably has a wrong start; .eh_frame+0x58)")
}

// TestLeftOut: an old assembler leaves a function out because of an instruction of its CFI.
// That is no loss; the same section without the instruction in the CFI is.
func TestLeftOut(t *testing.T) {
	data, err := os.ReadFile(corpusFiles + "binutils-2.44/amd64/args-size.o")
	require.NoError(t, err)
	places, messages := found(t, data)
	require.Equal(t, []string{"SF6014 0x8+4"}, places)
	require.Contains(t, messages[0], `"second" (DW_CFA_GNU_args_size; GNU as 2.41 to 2.44 says "CFI insn CFI_escape (0x103)"; .eh_frame+0x46)`)

	plain := bytes.Replace(data, []byte("\x42\x2e\x08\x45\x2e\x00"), []byte("\x42\x00\x00\x45\x00\x00"), 1)
	require.False(t, bytes.Equal(data, plain))
	places, messages = found(t, plain)
	require.Equal(t, []string{bare}, places)
	require.Contains(t, messages[0], `"second" (its CFI is simple, so its data was lost, or its source has .cfi_escape or .cfi_label; .eh_frame+0x2c)`)

	places, _ = found(t, plain, crosscheck.Uncovered(nil, true), crosscheck.KernelLost(true)) // one of them is enough
	require.Equal(t, []string{"SF6025 0x8+4"}, places)
}
