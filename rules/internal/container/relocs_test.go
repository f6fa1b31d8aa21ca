package container_test

import (
	"testing"

	"github.com/sframe-lint/sframe-lint/model"
)

func TestUnrelocated(t *testing.T) {
	table(t, `
		V3AMD64 | V3 | object / remove 1 | SF5016 0x2c+8
		V3AMD64 | last | object / remove 4 | SF5016 0x5c+8
		V2AArch64 | V2 | object / remove 1 | SF5016 0x30+4
		V1AMD64 | V1 | object / remove 1 | SF5016 0x2d+4
		V3S390X | V3 s390x | object / remove 0 | SF5016 0x1c+8
		V3AMD64 | all | object / no-relocs | SF5016 0x1c+8
		V3AMD64 | the FDEs run into the FREs | object / set 8 00000006 |
		V3AMD64 | the FDEs run out of the section | object / set 8 00010000 |
		V3AMD64 | unknown version | object / set 2 09 |
	`)
}

func TestRelocPlaces(t *testing.T) {
	table(t, `
		# A further section of one FDE, at 0xb8; 0xd4 is its start field.
		further: insert 0xb6 0000 dee2 03 04 03 00 f8 00 00000001 00000000 00000005 00000000 00000010 0000000000000000 00000010 00000000 0000 00 00 00
		V3AMD64 | at the start field of a further section | object / further / add 0xd4 1 24 |
		V3AMD64 | beside the start field of a further section | object / further / add 0xdc 1 24 | SF5017 file 0x4078+24
		V3AMD64 | in the FREs | object / add 0x8c 1 24 | SF5017 file 0x4078+24
		V3AMD64 | in the header | object / add 0 1 24 | SF5017 file 0x4078+24
		V3AMD64 | right after the FDEs | object / add 0x6c 1 24 | SF5017 file 0x4078+24
		V3AMD64 | in the first FDE | object / add 0x24 1 24 | SF5018 file 0x4078+24
		V3AMD64 | after the section | object / add 0x10000000000 1 24 | SF5017 file 0x4078+24
		V3AMD64 | no offset at all | object / add 0x8000000000000000 1 24 | SF5017 file 0x4078+24
		V3AMD64 | instead of an FDE's | object / reloc-at 2 0x8c | SF5016 0x3c+8, SF5017 file 0x4030+24
		V3AMD64 | on the size | object / add 0x34 1 24 | SF5018 file 0x4078+24
		V3AMD64 | beside the start | object / reloc-at 1 0x30 | SF5016 0x2c+8, SF5018 file 0x4018+24
		V2AMD64 | as ld 2.44 -r leaves them | object / reloc-at 2 0x46 / reloc-at 3 0x9c | SF5016 0x44+4, SF5016 0x58+4, SF5018 file 0x4030+24, SF5017 file 0x4048+24
	`)
}

func TestNoneReloc(t *testing.T) {
	table(t, `
		V3AMD64 | after them | object / add 0x8c 0 0 | SF5019 file 0x4078+24
		V3AMD64 | on a start besides | object / add 0x2c 0 0 | SF5019 file 0x4078+24
		V3AMD64 | instead | object / reloc-type 1 0 | SF5016 0x2c+8, SF5019 file 0x4018+24
		V3AArch64 | AArch64, 0 | object / add 0x8c 0 0 | SF5019 file 0x4078+24
		V3AArch64 | AArch64, 256 | object / add 0x8c 0 256 | SF5019 file 0x4078+24
		V3S390X | s390x | object / add 0x8c 0 0 | SF5019 file 0x4078+24
	`)
}

func TestRelocType(t *testing.T) {
	table(t, `
		V3AMD64 | narrow | object / reloc-type 1 2 | SF5020 file 0x4018+24
		V3AMD64 | absolute | object / reloc-type 1 1 | SF5020 file 0x4018+24
		V3AMD64 | no type | object / reloc-type 1 0xfffff | SF5020 file 0x4018+24
		V2AMD64 | V2 wide | object / reloc-type 1 24 | SF5020 file 0x4018+24
		V1AMD64 | V1 wide | object / reloc-type 1 24 | SF5020 file 0x4018+24
		V3AArch64 | AArch64 | object / reloc-type 1 261 | SF5020 file 0x4018+24
		V2AArch64BE | V2 AArch64 | object / reloc-type 1 260 | SF5020 file 0x4018+24
		V3S390X | s390x | object / reloc-type 1 5 | SF5020 file 0x4018+24
		V3AMD64 | all | object / reloc-type 0 2 / reloc-type 1 2 / reloc-type 2 2 / reloc-type 3 2 / reloc-type 4 2 | SF5020 file 0x4000+24, SF5020 file 0x4018+24, SF5020 file 0x4030+24, SF5020 file 0x4048+24, SF5020 file 0x4060+24
	`)
}

func TestRelocOrder(t *testing.T) {
	table(t, `
		V3AMD64 | two | object / swap 1 2 | SF5021 file 0x4030+24
		V3AMD64 | first and last | object / swap 0 4 | SF5021 file 0x4018+24, SF5021 file 0x4060+24
		V2S390X | V2 s390x | object / swap 0 1 | SF5021 file 0x4018+24
	`)
}

func TestDoubleReloc(t *testing.T) {
	table(t, `
		V3AMD64 | the same | object / repeat 1 | SF5022 file 0x4030+24
		V3AMD64 | another, at the end | object / add 0x5c 1 24 1 | SF5022 file 0x4078+24
		V3AMD64 | three | object / repeat 1 / repeat 1 | SF5022 file 0x4030+24, SF5022 file 0x4048+24
	`)
}

func TestUndefinedSymbol(t *testing.T) {
	table(t, `
		V3AMD64 | undefined | object / far 0 | SF5023 file 0x4018+24
		V2AArch64BE | undefined, big-endian | object / far 0 | SF5023 file 0x4018+24
		V3AMD64 | none | object / reloc-symbol 1 0 | SF5023 file 0x4018+24
		V3AMD64 | beyond the table | object / reloc-symbol 1 2 | SF5023 file 0x4018+24
		V3AMD64 | far beyond the table | object / reloc-symbol 1 0xffffffff | SF5023 file 0x4018+24
		V3AMD64 | defined | object / far 1 |
		V3AMD64 | absolute | object / far 0xfff1 | SF5023 file 0x4018+24
		V3AMD64 | common | object / far 0xfff2 | SF5023 file 0x4018+24
		V3AMD64 | no such section | object / far 77 | SF5023 file 0x4018+24
	`)
}

func TestInGroup(t *testing.T) {
	table(t, `
		grouped: patch text+8 8 0x206
		V1AMD64 | all functions | object / grouped | SF5032 0x1c+4, SF5032 0x2d+4
		V3AMD64 | the section too | object / patch shdr+8 8 0x202 / grouped |
		V3AMD64 | linked | grouped |
	`)
}

// Relocations that cannot be read must not pass for ones that are not there.
func TestRelocsDamaged(t *testing.T) {
	table(t, `
		V3AMD64 | SHT_REL | object / patch relocs+4 4 9 | SF5028 file 0x4c0+64
		V3AMD64 | entry size | object / patch relocs+0x38 8 16 | SF5028 file 0x4c0+64
		V3AMD64 | symbol table | object / patch relocs+0x28 4 0 | SF5028 file 0x4c0+64
		V3AMD64 | beyond the file | object / patch relocs+0x18 8 0x40000000 | SF5028 file 0x4c0+64
	`)
}

// The names of fields are those of the section's version.
func TestStartField(t *testing.T) {
	for v, want := range map[model.Version]string{1: "sfde_func_start_address", 2: "sfde_func_start_address", 3: "sfdi_func_start_offset"} {
		if got := model.FieldName(v, model.FDEStart); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
