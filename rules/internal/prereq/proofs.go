package prereq

import "github.com/sframe-lint/sframe-lint/internal/evidence/proof"

// Proofs are what machine code proves about the functions of a section; the index of an FDE identifies its function.
// A field is nil if the code cannot be read or the limits forbid it.
type Proofs struct {
	FREs *proof.Found // the FREs that the code contradicts
	// CFI returns what the code proves wrong in the CFI of the same functions. It analyzes the code on first use,
	// since few sections need this.
	CFI func() *proof.Found
}
