package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// UndefinedSymbol finds relocations against symbols that the file does not
// define.
var UndefinedSymbol = rules.New(rules.Rule{
	ID:       "SF5023",
	Title:    "function is not defined in the file",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `An assembler describes functions that it assembles, so the symbol of a start
field's relocation is defined in the same file; usually it is the section of the
function. With an undefined symbol the FREs would be for a function of another file,
whatever its code is. There is no function at all if the relocation has no symbol, an
index beyond the symbol table, or a symbol outside the file's sections (absolute or
common). A linker gives the FREs to the wrong code or leaves out the function.`,
	Fix:  `Relocate the field against the function's own section.`,
	Good: `R_X86_64_PC64 against .text + 0x10`,
	Bad:  `R_X86_64_PC64 against an undefined symbol`,
}, func(c *rules.Context) {
	irregular(c, func(r *reader.Reloc, to target) {
		if !to.start || !live(c, r) {
			return
		}
		table, sections := c.Object.ELF.Symbols, len(c.Object.ELF.Sections)
		y, ok := table.Symbol(int(r.Symbol))
		switch {
		case r.Symbol == 0:
			c.FileFDE(to.fde, r.Entry, "the relocation of %s has no symbol: the FDE describes no function", startField(c))
		case !ok && table.Err() == nil:
			c.FileFDE(to.fde, r.Entry, "the relocation of %s has symbol %d, but the symbol table has %d: the FDE describes no function", startField(c), r.Symbol, table.Len())
		case ok && y.Section == int(elf.SHN_UNDEF):
			c.FileFDE(to.fde, r.Entry, "the relocation of %s is against %q, which the file does not define: an FDE must describe a function of its own file", startField(c), y.Name)
		case ok && (y.Reserved || y.Section >= sections):
			c.FileFDE(to.fde, r.Entry, "the relocation of %s is against %q, which is in no section of the file (st_shndx 0x%x of %d sections): the FDE describes no function", startField(c), y.Name, y.Section, sections)
		}
	})
})
