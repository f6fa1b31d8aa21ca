package prereq

import "github.com/sframe-lint/sframe-lint/internal/evidence/proof"

// Proofs are what the machine code of a section's functions proves. The number of a function is the index of
// its FDE. Each is nil if the code cannot be read or the limits do not allow it.
type Proofs struct {
	FREs *proof.Found // the FREs that the code contradicts
	// CFI returns what the code proves wrong in the CFI of the same functions. It follows the code on first use: few
	// sections have a difference that it decides.
	CFI func() *proof.Found
}
