package container_test

import (
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

// patch overwrites a field of a file.
type patch struct {
	at, width int
	value     uint64
}

// fileCase is a healthy file, changed in some way, and what is found in it.
// Offsets of findings count from the start of the file but for those in the
// section.
type fileCase struct {
	name    string
	base    ruletest.Base // V3AMD64 where there is none
	object  bool          // an object file instead of an executable
	edits   []ruletest.Edit
	change  func(*elftest.File)
	patches []patch
	cut     int // the file ends here, 0 for no cut
	want    []string
}

func (c fileCase) bytes(t *testing.T) []byte {
	t.Helper()
	if c.base.Name == "" {
		c.base = ruletest.V3AMD64
	}
	abi := c.base.ABI()
	f := elftest.Linked(abi.Machine, c.base.Big, c.base.Bytes(t, c.edits...))
	if c.object {
		f = object(t, c.base, c.edits...)
	}
	if c.change != nil {
		c.change(&f)
	}
	data := f.Bytes(t)
	for _, p := range c.patches {
		put(data[p.at:p.at+p.width], c.base.Big, p.value)
	}
	if c.cut > 0 {
		data = data[:c.cut]
	}
	return data
}

func put(b []byte, big bool, v uint64) {
	var le [8]byte
	binary.LittleEndian.PutUint64(le[:], v)
	for i := range b {
		if big {
			b[len(b)-1-i] = le[i]
		} else {
			b[i] = le[i]
		}
	}
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

// run compares what the family finds.
func run(t *testing.T, cases []fileCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == nil {
				want = []string{}
			}
			elftest.Read(t, c.bytes(t), func(o *reader.Object) {
				require.Equal(t, want, ruletest.Findings(t, container.Rules, o))
			})
		})
	}
}

// shdr and phdr are offsets of a field of the section's and the segment's
// header.
func shdr(field int) int { return elftest.Header(elftest.SFrameIndex) + field }

func phdr(field int) int { return elftest.Program(2) + field }

func TestHealthy(t *testing.T) {
	var cases []fileCase
	for _, base := range ruletest.Bases() {
		cases = append(cases, fileCase{name: base.Name, base: base},
			fileCase{name: base.Name + "/object", base: base, object: true})
	}
	run(t, cases)
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
	for _, c := range []fileCase{
		{name: "SF5004", object: true, patches: []patch{{shdr(8), 8, 0}}},
		{name: "SF5004, big-endian", base: ruletest.V2S390X, object: true, patches: []patch{{shdr(8), 8, 0}}},
		{name: "SF5006", patches: []patch{{shdr(0x30), 8, 4}}},
		{name: "SF5010", patches: []patch{{phdr(0x20), 8, 0x200}, {phdr(0x28), 8, 0x200}}},
		{name: "SF5010, big-endian", base: ruletest.V3S390X, patches: []patch{{phdr(0x28), 8, 0x200}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := c.bytes(t)
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
}

// A linked file cannot be corrected by a flag: no segment holds the section.
func TestNoFix(t *testing.T) {
	for _, c := range []fileCase{
		{patches: []patch{{shdr(8), 8, 0}}},
		{patches: []patch{{shdr(0x30), 8, 4}, {shdr(0x10), 8, 0x2004}, {phdr(0x10), 8, 0x2004}, {elftest.Program(1) + 0x10, 8, 0x2004}}},
	} {
		elftest.Read(t, c.bytes(t), func(o *reader.Object) {
			res := (&rules.Driver{Rules: container.Rules}).Run(o)
			require.Len(t, res.Findings, 1)
			require.Empty(t, res.Findings[0].Fixes)
		})
	}
}

// What is said names the values that are wrong and those that are right.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		fileCase
		message string
	}{
		{fileCase{patches: []patch{{shdr(4), 4, 1}}}, "sh_type of .sframe is SHT_PROGBITS, expected SHT_GNU_SFRAME (0x6ffffff4) since errata 1 of version 2: GNU ld 2.45 and later ignore an input section of another type"},
		{fileCase{patches: []patch{{shdr(4), 4, 0x70000001}}}, "sh_type of .sframe is 0x70000001, expected SHT_GNU_SFRAME (0x6ffffff4) since errata 1 of version 2: GNU ld 2.45 and later ignore an input section of another type"},
		{fileCase{patches: []patch{{shdr(8), 8, 3}}}, "sh_flags of .sframe is 0x3, with SHF_WRITE (0x1), but an SFrame section is read-only data with SHF_ALLOC only: the program can overwrite its unwind data"},
		{fileCase{patches: []patch{{shdr(8), 8, 0x100002}}}, "sh_flags of .sframe is 0x100002, but an SFrame section is read-only data with SHF_ALLOC (0x2) only: what a linker does for 0x100000 is unspecified"},
		{fileCase{object: true, change: reloc(1, ofType(1))}, "the relocation of sfdi_func_start_offset is R_X86_64_64, but the 8 bytes of the field need R_X86_64_PC64: the linker does not write the distance to the function"},
		{fileCase{object: true, change: remove(1)}, "no relocation applies to sfdi_func_start_offset: a linker cannot find the function that the FDE describes"},
		{fileCase{patches: []patch{{phdr(0x28), 8, 0xb7}}}, "p_memsz of PT_GNU_SFRAME is 183, but sh_size of .sframe is 182: the segment covers 1 byte after the section, which a reader at run time treats as SFrame data"},
	} {
		elftest.Read(t, c.bytes(t), func(o *reader.Object) {
			res := (&rules.Driver{Rules: container.Rules}).Run(o)
			require.Len(t, res.Findings, 1)
			require.Equal(t, c.message, res.Findings[0].Message)
		})
	}
}
