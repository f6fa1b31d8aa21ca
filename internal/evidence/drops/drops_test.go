package drops_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestOf: the producer is one that wrote the section, and the cure one that works.
func TestOf(t *testing.T) {
	const framed, other = "compile with -fno-omit-frame-pointer: no assembler writes an FDE otherwise", "describe the function with other directives: no assembler writes an FDE for these"
	for _, c := range []struct {
		file      string
		flags     model.Flags // that are set, too
		why, help string
	}{
		{"regressions/pushed-args.o", 0, `DW_CFA_GNU_args_size while the CFA is based on SP; GNU as 2.46 or later says ".cfi_escape with op (0x2e)"`, framed},
		{"regressions/outgoing-args.o", 0, `DW_CFA_GNU_args_size of more than 127 bytes; GNU as 2.46 or later says ".cfi_escape with op (0x2e)"`, "compile with -maccumulate-outgoing-args (GCC, not with -Os) or -mllvm -no-x86-call-frame-opt (Clang): no assembler writes an FDE otherwise"},
		{"regressions/unknown-opcode.o", 0, `the CFI has opcode 0x2b; GNU as 2.46 or later says ".cfi_escape with op (0x2b)"`, other},
		{"regressions/return-column.o", 0, "FP is rbx, which version 2 cannot express; LLVM 23 leaves out only functions with .cfi_return_column", "remove .cfi_return_column, or assemble with GNU as 2.46 or later"},
		{"files/binutils-2.40/amd64/flexible.o", 0, "rbp has an expression; GNU as 2.40 then writes no FDE", "assemble with GNU as 2.46 or later, which writes one"},
		{"files/binutils-2.44/amd64/flexible.o", 0, `the CFA is based on r10; GNU as 2.41 to 2.44 says "non-SP/FP register 10 in .cfi_def_cfa"`, "assemble with GNU as 2.46 or later, which writes one"},
		{"files/binutils-2.44/amd64/flexible.o", model.SFRAME_F_FDE_FUNC_START_PCREL, "the CFA is based on r10; GNU as 2.45 then writes no FDE", "assemble with GNU as 2.46 or later, which writes one"},
	} {
		require.NoError(t, reader.Scan("../../../corpus/"+c.file, reader.Options{}, func(o *reader.Object) error {
			frames, err := cfi.Load(o, 0)
			require.NoError(t, err)
			h := o.SFrames[0].Section.Header()
			h.Flags |= c.flags
			frames.Each(func(_ uint32, _, _ uint64, f cfi.FDE) bool {
				r := drops.Of(h, o.ELF, &f)
				assert.Equal(t, c.why, r.Why, c.file)
				assert.Equal(t, c.help, r.Help, c.file)
				if c.flags != 0 { // both write such sections, and linkers copy them
					r = drops.Of(h, &reader.ELF{Type: elf.ET_EXEC}, &f)
					assert.Equal(t, "the CFA is based on r10; LLVM 23 or GNU as 2.45 then writes no FDE", r.Why)
				}
				return false
			})
			return nil
		}))
	}
}
