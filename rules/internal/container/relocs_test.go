package container_test

import (
	"debug/elf"
	"slices"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
)

// relocs changes the relocations.
func relocs(change func([]elftest.Reloc) []elftest.Reloc) func(*elftest.File) {
	return func(f *elftest.File) { f.Relocs = change(f.Relocs) }
}

// reloc changes one.
func reloc(i int, change func(*elftest.Reloc)) func(*elftest.File) {
	return func(f *elftest.File) { change(&f.Relocs[i]) }
}

func remove(i int) func(*elftest.File) {
	return relocs(func(r []elftest.Reloc) []elftest.Reloc { return slices.Delete(r, i, i+1) })
}

func swap(i, j int) func(*elftest.File) {
	return relocs(func(r []elftest.Reloc) []elftest.Reloc { r[i], r[j] = r[j], r[i]; return r })
}

func add(more ...elftest.Reloc) func(*elftest.File) {
	return relocs(func(r []elftest.Reloc) []elftest.Reloc { return append(r, more...) })
}

func ofType(typ uint32) func(*elftest.Reloc) { return func(r *elftest.Reloc) { r.Type = typ } }

const pc64 = uint32(elf.R_X86_64_PC64)

func TestUnrelocated(t *testing.T) {
	run(t, []fileCase{
		{name: "V3", object: true, change: remove(1), want: []string{"SF5016 0x2c+8"}},
		{name: "last", object: true, change: remove(4), want: []string{"SF5016 0x5c+8"}},
		{name: "V2", object: true, base: ruletest.V2AArch64, change: remove(1), want: []string{"SF5016 0x30+4"}},
		{name: "V1", object: true, base: ruletest.V1AMD64, change: remove(1), want: []string{"SF5016 0x2d+4"}},
		{name: "V3 s390x", object: true, base: ruletest.V3S390X, change: remove(0), want: []string{"SF5016 0x1c+8"}},
		{name: "all", object: true, change: relocs(func([]elftest.Reloc) []elftest.Reloc { return nil }),
			want: []string{"SF5016 0x1c+8"}},
		{name: "the FDEs run into the FREs", object: true, edits: []ruletest.Edit{ruletest.Set(8, "00000006")}},
		{name: "the FDEs run out of the section", object: true, edits: []ruletest.Edit{ruletest.Set(8, "00010000")}},
		{name: "unknown version", object: true, edits: []ruletest.Edit{ruletest.Set(2, "09")}},
	})
}

func TestRelocPlaces(t *testing.T) {
	// A further section of one FDE, at 0xb8.
	further := []ruletest.Edit{ruletest.Insert(0xb6, `0000
		dee2 03 04 03 00 f8 00 00000001 00000000 00000005 00000000 00000010
		0000000000000000 00000010 00000000 # 0xd4
		0000 00 00 00`)}
	run(t, []fileCase{
		{name: "at the start field of a further section", object: true, edits: further, change: add(elftest.Reloc{Offset: 0xd4, Symbol: 1, Type: pc64})},
		{name: "beside the start field of a further section", object: true, edits: further, change: add(elftest.Reloc{Offset: 0xdc, Symbol: 1, Type: pc64}),
			want: []string{"SF5017 file 0x4078+24"}},
		{name: "in the FREs", object: true, change: add(elftest.Reloc{Offset: 0x8c, Symbol: 1, Type: pc64}), want: []string{"SF5017 file 0x4078+24"}},
		{name: "in the header", object: true, change: add(elftest.Reloc{Offset: 0, Symbol: 1, Type: pc64}), want: []string{"SF5017 file 0x4078+24"}},
		{name: "right after the FDEs", object: true, change: add(elftest.Reloc{Offset: 0x6c, Symbol: 1, Type: pc64}), want: []string{"SF5017 file 0x4078+24"}},
		{name: "in the first FDE", object: true, change: add(elftest.Reloc{Offset: 0x24, Symbol: 1, Type: pc64}), want: []string{"SF5018 file 0x4078+24"}},
		{name: "after the section", object: true, change: add(elftest.Reloc{Offset: 1 << 40, Symbol: 1, Type: pc64}), want: []string{"SF5017 file 0x4078+24"}},
		{name: "no offset at all", object: true, change: add(elftest.Reloc{Offset: 1 << 63, Symbol: 1, Type: pc64}), want: []string{"SF5017 file 0x4078+24"}},
		{name: "instead of an FDE's", object: true, change: reloc(2, func(r *elftest.Reloc) { r.Offset = 0x8c }), want: []string{"SF5016 0x3c+8", "SF5017 file 0x4030+24"}},
		{name: "on the size", object: true, change: add(elftest.Reloc{Offset: 0x34, Symbol: 1, Type: pc64}), want: []string{"SF5018 file 0x4078+24"}},
		{name: "beside the start", object: true, change: reloc(1, func(r *elftest.Reloc) { r.Offset += 4 }), want: []string{"SF5016 0x2c+8", "SF5018 file 0x4018+24"}},
		{name: "as ld 2.44 -r leaves them", object: true, base: ruletest.V2AMD64,
			change: relocs(func(r []elftest.Reloc) []elftest.Reloc { r[2].Offset, r[3].Offset = 0x46, 0x9c; return r }),
			want:   []string{"SF5016 0x44+4", "SF5016 0x58+4", "SF5018 file 0x4030+24", "SF5017 file 0x4048+24"}},
	})
}

func TestNoneReloc(t *testing.T) {
	none := elftest.Reloc{Offset: 0x8c}
	run(t, []fileCase{
		{name: "after them", object: true, change: add(none), want: []string{"SF5019 file 0x4078+24"}},
		{name: "on a start besides", object: true, change: add(elftest.Reloc{Offset: 0x2c}), want: []string{"SF5019 file 0x4078+24"}},
		{name: "instead", object: true, change: reloc(1, ofType(0)), want: []string{"SF5016 0x2c+8", "SF5019 file 0x4018+24"}},
		{name: "AArch64, 0", object: true, base: ruletest.V3AArch64, change: add(none), want: []string{"SF5019 file 0x4078+24"}},
		{name: "AArch64, 256", object: true, base: ruletest.V3AArch64, change: add(elftest.Reloc{Offset: 0x8c, Type: 256}), want: []string{"SF5019 file 0x4078+24"}},
		{name: "s390x", object: true, base: ruletest.V3S390X, change: add(none), want: []string{"SF5019 file 0x4078+24"}},
	})
}

func TestRelocType(t *testing.T) {
	bad := []string{"SF5020 file 0x4018+24"}
	run(t, []fileCase{
		{name: "narrow", object: true, change: reloc(1, ofType(uint32(elf.R_X86_64_PC32))), want: bad},
		{name: "absolute", object: true, change: reloc(1, ofType(uint32(elf.R_X86_64_64))), want: bad},
		{name: "no type", object: true, change: reloc(1, ofType(0xfffff)), want: bad},
		{name: "V2 wide", object: true, base: ruletest.V2AMD64, change: reloc(1, ofType(pc64)), want: bad},
		{name: "V1 wide", object: true, base: ruletest.V1AMD64, change: reloc(1, ofType(pc64)), want: bad},
		{name: "AArch64", object: true, base: ruletest.V3AArch64, change: reloc(1, ofType(uint32(elf.R_AARCH64_PREL32))), want: bad},
		{name: "V2 AArch64", object: true, base: ruletest.V2AArch64BE, change: reloc(1, ofType(uint32(elf.R_AARCH64_PREL64))), want: bad},
		{name: "s390x", object: true, base: ruletest.V3S390X, change: reloc(1, ofType(uint32(elf.R_390_PC32))), want: bad},
		{name: "all", object: true, change: relocs(func(r []elftest.Reloc) []elftest.Reloc {
			for i := range r {
				r[i].Type = uint32(elf.R_X86_64_PC32)
			}
			return r
		}), want: []string{"SF5020 file 0x4000+24", "SF5020 file 0x4018+24", "SF5020 file 0x4030+24", "SF5020 file 0x4048+24", "SF5020 file 0x4060+24"}},
	})
}

func TestRelocOrder(t *testing.T) {
	run(t, []fileCase{
		{name: "two", object: true, change: swap(1, 2), want: []string{"SF5021 file 0x4030+24"}},
		{name: "first and last", object: true, change: swap(0, 4), want: []string{"SF5021 file 0x4018+24", "SF5021 file 0x4060+24"}},
		{name: "V2 s390x", object: true, base: ruletest.V2S390X, change: swap(0, 1), want: []string{"SF5021 file 0x4018+24"}},
	})
}

func TestDoubleReloc(t *testing.T) {
	run(t, []fileCase{
		{name: "the same", object: true, change: relocs(func(r []elftest.Reloc) []elftest.Reloc { return slices.Insert(r, 1, r[1]) }), want: []string{"SF5022 file 0x4030+24"}},
		{name: "another, at the end", object: true, change: add(elftest.Reloc{Offset: 0x5c, Symbol: 1, Type: pc64, Addend: 1}), want: []string{"SF5022 file 0x4078+24"}},
		{name: "three", object: true, change: relocs(func(r []elftest.Reloc) []elftest.Reloc { return slices.Insert(r, 1, r[1], r[1]) }),
			want: []string{"SF5022 file 0x4030+24", "SF5022 file 0x4048+24"}},
	})
}

func TestUndefinedSymbol(t *testing.T) {
	bad := []string{"SF5023 file 0x4018+24"}
	symbol := func(section elf.SectionIndex) func(*elftest.File) {
		return func(f *elftest.File) {
			f.Symbols = append(f.Symbols, elftest.Symbol{Name: "far", Section: section, Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL})
			f.Relocs[1].Symbol = 2
		}
	}
	run(t, []fileCase{
		{name: "undefined", object: true, change: symbol(elf.SHN_UNDEF), want: bad},
		{name: "undefined, big-endian", object: true, base: ruletest.V2AArch64BE, change: symbol(elf.SHN_UNDEF), want: bad},
		{name: "none", object: true, change: reloc(1, func(r *elftest.Reloc) { r.Symbol = 0 }), want: bad},
		{name: "beyond the table", object: true, change: reloc(1, func(r *elftest.Reloc) { r.Symbol = 2 }), want: bad},
		{name: "far beyond the table", object: true, change: reloc(1, func(r *elftest.Reloc) { r.Symbol = 1<<32 - 1 }), want: bad},
		{name: "defined", object: true, change: symbol(elftest.TextIndex)},
		{name: "absolute", object: true, change: symbol(elf.SHN_ABS), want: bad},
		{name: "common", object: true, change: symbol(elf.SHN_COMMON), want: bad},
		{name: "no such section", object: true, change: symbol(77), want: bad},
	})
}

func TestInGroup(t *testing.T) {
	text := elftest.Header(elftest.TextIndex) + 8
	grouped := []patch{{text, 8, uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR | elf.SHF_GROUP)}}
	run(t, []fileCase{
		{name: "all functions", object: true, base: ruletest.V1AMD64, patches: grouped, want: []string{"SF5032 0x1c+4", "SF5032 0x2d+4"}},
		{name: "the section too", object: true, patches: append([]patch{{shdr(8), 8, uint64(elf.SHF_ALLOC | elf.SHF_GROUP)}}, grouped...)},
		{name: "linked", patches: grouped},
	})
}

// Relocations that cannot be read must not pass for ones that are not there.
func TestRelocsDamaged(t *testing.T) {
	head := elftest.Header(elftest.RelocsIndex)
	bad := []string{"SF5028 file 0x4c0+64"}
	run(t, []fileCase{
		{name: "SHT_REL", object: true, patches: []patch{{head + 4, 4, uint64(elf.SHT_REL)}}, want: bad},
		{name: "entry size", object: true, patches: []patch{{head + 0x38, 8, 16}}, want: bad},
		{name: "symbol table", object: true, patches: []patch{{head + 0x28, 4, 0}}, want: bad},
		{name: "beyond the file", object: true, patches: []patch{{head + 0x18, 8, 1 << 30}}, want: bad},
	})
}

// The names of fields are those of the section's version.
func TestStartField(t *testing.T) {
	for v, want := range map[model.Version]string{1: "sfde_func_start_address", 2: "sfde_func_start_address", 3: "sfdi_func_start_offset"} {
		if got := model.FieldName(v, model.FDEStart); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
