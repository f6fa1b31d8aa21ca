package container_test

import (
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

// places are offsets in the files: of the headers of sections and segments, and of the file.
var places = map[string]int{
	"shdr": elftest.Header(elftest.SFrameIndex), "text": elftest.Header(elftest.TextIndex), "relocs": elftest.Header(elftest.RelocsIndex),
	"symbols": elftest.Header(elftest.SymbolsIndex), "more": elftest.Header(elftest.MoreIndex),
	"code": elftest.Program(0), "load": elftest.Program(1), "phdr": elftest.Program(2), "file": 0,
}

// fileOf returns a healthy executable with some changes:
//
//	object                     it is an object file
//	set, insert, delete        as [ruletest.Table] has them, of the section
//	patch shdr+0x10 8 0x2004   another value of some bytes at one of the places
//	cut 40                     the file ends there
//	NAME NUMBERS               a change of a part
func fileOf(t *testing.T, base ruletest.Base, changes []ruletest.Change) []byte {
	t.Helper()
	var edits []ruletest.Edit
	for _, c := range changes {
		if e, ok := c.Edit(t); ok {
			edits = append(edits, e)
		}
	}
	f := elftest.Linked(base.ABI().Machine, base.Big, base.Bytes(t, edits...))
	if slices.ContainsFunc(changes, func(c ruletest.Change) bool { return c[0] == "object" }) {
		f = object(t, base, edits...)
	}
	rest := slices.DeleteFunc(slices.Clone(changes), func(c ruletest.Change) bool {
		_, edit := c.Edit(t)
		return edit || c[0] == "object" || part(&f, c, func(i int) uint64 { return c.Int(t, i) })
	})
	data, order := f.Bytes(t), binary.ByteOrder(binary.LittleEndian)
	if f.Big {
		order = binary.BigEndian
	}
	for _, c := range rest {
		if c[0] == "cut" {
			data = data[:c.Int(t, 1)]
			continue
		}
		require.Equal(t, "patch", c[0])
		name, off, _ := strings.Cut(c[1], "+")
		at := places[name] + int(ruletest.Change{off}.Int(t, 0))
		number.Put(order, data[at:at+int(c.Int(t, 2))], c.Int(t, 3))
	}
	return data
}

// part changes a part of a file. It reports whether it knows the change.
func part(f *elftest.File, c ruletest.Change, n func(int) uint64) bool {
	switch c[0] {
	case "type":
		f.Type = elf.Type(n(1))
	case "big":
		f.Big = n(1) == 1
	case "no-section":
		f.NoSFrame = true
	case "no-bytes":
		f.SFrame = nil
	case "more":
		f.Sections = append(f.Sections, elf.SectionHeader{Name: c[1], Type: elf.SectionType(n(2)), Flags: elf.SectionFlag(n(3)), Offset: n(4), Size: n(5), Addralign: 8})
	case "second":
		second(f)
	case "segments":
		f.Segments = f.Segments[:n(1)]
	case "without":
		f.Segments = slices.Delete(f.Segments, int(n(1)), int(n(1))+1)
	case "another": // segment of SFrame data
		f.Segments = append(f.Segments, elf.ProgHeader{Type: reader.PT_GNU_SFRAME, Off: n(1), Vaddr: n(1), Filesz: 64, Memsz: 64})
	case "no-relocs":
		f.Relocs = nil
	case "remove":
		f.Relocs = slices.Delete(f.Relocs, int(n(1)), int(n(1))+1)
	case "swap":
		f.Relocs[n(1)], f.Relocs[n(2)] = f.Relocs[n(2)], f.Relocs[n(1)]
	case "repeat":
		f.Relocs = slices.Insert(f.Relocs, int(n(1)), f.Relocs[n(1)])
	case "add": // a relocation: its offset, symbol, type and addend
		f.Relocs = append(f.Relocs, elftest.Reloc{Offset: n(1), Symbol: uint32(n(2)), Type: uint32(n(3)), Addend: int64(n(4))})
	case "reloc-at":
		f.Relocs[n(1)].Offset = n(2)
	case "reloc-symbol":
		f.Relocs[n(1)].Symbol = uint32(n(2))
	case "reloc-type":
		f.Relocs[n(1)].Type = uint32(n(2))
	case "far": // the second leads to a symbol of a section
		f.Symbols = append(f.Symbols, elftest.Symbol{Name: "far", Section: elf.SectionIndex(n(1)), Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL})
		f.Relocs[1].Symbol = 2
	default:
		return false
	}
	return true
}

// object is an object file with a relocation for every FDE of the section,
// which is not sorted, as a function has no address yet.
func object(t *testing.T, base ruletest.Base, edits ...ruletest.Edit) elftest.File {
	t.Helper()
	data := base.Bytes(t, append([]ruletest.Edit{ruletest.Set(3, "04")}, edits...)...)
	abi := base.ABI()
	s, faults := reader.DecodeSection(base.Bytes(t), reader.SectionOptions{Addr: ruletest.Addr})
	require.Empty(t, faults)
	typ := abi.Reloc32
	if s.Version() == model.SFRAME_VERSION_3 {
		typ = abi.Reloc64
	}
	var relocs []elftest.Reloc
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		relocs = append(relocs, elftest.Reloc{Offset: uint64(f.FieldSpan(model.FDEStart).Off), Symbol: 1, Type: typ, Addend: int64(f.Start() - elftest.Text)})
	}
	return elftest.Object(abi.Machine, base.Big, data, relocs...)
}

// table compares what the family finds in files. Offsets of findings count from the start of the file but for those in the
// section.
func table(t *testing.T, text string) {
	t.Helper()
	ruletest.Lines(t, text, func(t *testing.T, base ruletest.Base, changes []ruletest.Change, findings string) {
		elftest.Read(t, fileOf(t, base, changes), func(o *reader.Object) {
			require.Equal(t, ruletest.Want(findings), ruletest.Findings(t, container.Rules, o))
		})
	})
}

// v3 is a file of a section of version 3.
func v3(t *testing.T, changes string) []byte {
	t.Helper()
	return fileOf(t, ruletest.V3AMD64, ruletest.Changes(changes, nil))
}

func TestHealthy(t *testing.T) {
	for _, base := range ruletest.Bases() {
		table(t, base.Name+" | executable |  |\n"+base.Name+" | object | object |")
	}
}

func TestRulesAreComplete(t *testing.T) {
	last := ""
	for _, r := range container.Rules {
		require.Regexp(t, `^SF50\d\d$`, r.ID)
		require.NotEqual(t, last, r.ID)
		last = r.ID
		for _, s := range []string{r.Title, r.Text, r.Fix, r.Good, r.Bad} {
			require.NotEmpty(t, s, r.ID)
		}
	}
}

func TestRawSectionHasNoContainer(t *testing.T) {
	for _, base := range ruletest.Bases() {
		require.Empty(t, ruletest.Findings(t, container.Rules, ruletest.Raw(base.Bytes(t))))
	}
	require.Empty(t, ruletest.Findings(t, container.Rules, ruletest.Raw(nil)))
	require.Empty(t, ruletest.Findings(t, container.Rules, &reader.Object{Status: reader.StatusNotELF}))
	require.Empty(t, ruletest.Findings(t, container.Rules, &reader.Object{Status: reader.StatusOtherClass}))
}

func TestEmptyStructures(t *testing.T) {
	for _, typ := range []elf.Type{elf.ET_NONE, elf.ET_REL, elf.ET_EXEC, elf.ET_DYN, elf.ET_CORE} {
		o := ruletest.Raw(ruletest.V3AMD64.Bytes(t))
		o.ELF = &reader.ELF{Type: typ, Machine: elf.EM_X86_64}
		require.NotPanics(t, func() { ruletest.Findings(t, container.Rules, o) })
		o.SFrames[0].Section, o.SFrames[0].Index = nil, 7
		require.NotPanics(t, func() { ruletest.Findings(t, container.Rules, o) })
	}
}

// The fix of a finding leaves nothing to be found.
func TestFixes(t *testing.T) {
	ruletest.Lines(t, `
		V3AMD64 | SF5004 | object / patch shdr+8 8 0 |
		V2S390X | SF5004, big-endian | object / patch shdr+8 8 0 |
		V3AMD64 | SF5006 | patch shdr+0x30 8 4 |
		V3AMD64 | SF5010 | patch phdr+0x20 8 0x200 / patch phdr+0x28 8 0x200 |
		V3S390X | SF5010, big-endian | patch phdr+0x28 8 0x200 |
	`, func(t *testing.T, base ruletest.Base, changes []ruletest.Change, _ string) {
		data := fileOf(t, base, changes)
		elftest.Read(t, data, func(o *reader.Object) {
			res := (&rules.Driver{Rules: container.Rules}).Run(o)
			require.Len(t, res.Findings, 1)
			require.Len(t, res.Findings[0].Fixes, 1)
			require.True(t, res.Findings[0].Fixes[0].Safe)
			elftest.Apply(data, res.Findings[0].Fixes[0])
		})
		elftest.Read(t, data, func(o *reader.Object) { require.Empty(t, ruletest.Findings(t, container.Rules, o)) })
	})
}

// A linked file cannot be corrected by a flag: no segment holds the section.
func TestNoFix(t *testing.T) {
	for _, changes := range []string{
		"patch shdr+8 8 0",
		"patch shdr+0x30 8 4 / patch shdr+0x10 8 0x2004 / patch phdr+0x10 8 0x2004 / patch load+0x10 8 0x2004",
	} {
		elftest.Read(t, v3(t, changes), func(o *reader.Object) {
			res := (&rules.Driver{Rules: container.Rules}).Run(o)
			require.Len(t, res.Findings, 1)
			require.Empty(t, res.Findings[0].Fixes)
		})
	}
}

// What is said names the values that are wrong and those that are right.
func TestMessages(t *testing.T) {
	for changes, message := range map[string]string{
		"patch shdr+4 4 1":          "sh_type of .sframe is SHT_PROGBITS, expected SHT_GNU_SFRAME (0x6ffffff4) since errata 1 of version 2: GNU ld 2.45 and later ignore such an input section",
		"patch shdr+4 4 0x70000001": "sh_type of .sframe is 0x70000001, expected SHT_GNU_SFRAME (0x6ffffff4) since errata 1 of version 2: GNU ld 2.45 and later ignore such an input section",
		"patch shdr+8 8 3":          "sh_flags of .sframe is 0x3, but SFrame sections must not have SHF_WRITE (0x1): the program can overwrite the section",
		"patch shdr+8 8 0x100002":   "sh_flags of .sframe is 0x100002, but SFrame sections have only SHF_ALLOC (0x2): linkers may do anything with a section that has flags 0x100000",
		"object / reloc-type 1 1":   "the relocation of sfdi_func_start_offset is R_X86_64_64, but the field has 8 bytes and needs R_X86_64_PC64: the linker does not write the distance to the function",
		"object / remove 1":         "no relocation applies to sfdi_func_start_offset: a linker cannot find the function that the FDE describes",
		"patch phdr+0x28 8 0xb7":    "p_memsz of PT_GNU_SFRAME is 183, but sh_size of .sframe is 182: readers at run time interpret 1 byte after the section as SFrame data",
	} {
		elftest.Read(t, v3(t, changes), func(o *reader.Object) {
			res := (&rules.Driver{Rules: container.Rules}).Run(o)
			require.Len(t, res.Findings, 1)
			require.Equal(t, message, res.Findings[0].Message)
		})
	}
}
