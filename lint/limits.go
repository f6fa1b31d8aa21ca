package lint

import (
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Limits bound the cost of checking a file: "Limits{MaxMemory: 64 << 20}". 0 means the default, which docs/limits.md has,
// and a negative number no limit.
type Limits = reader.Limits

// The indices of [Limits].
const (
	MaxFindings = int(budget.Findings) // of a rule in a section
	MaxSection  = int(budget.Section)  // bytes of a .sframe section
	MaxCode     = int(budget.Code)     // bytes of machine code
	MaxSymbols  = int(budget.Symbols)  // bytes of symbol tables
	MaxCFI      = int(budget.CFI)      // bytes of a section of call frame information
	MaxMemory   = int(budget.Memory)   // bytes
	MaxRead     = int(budget.Read)     // bytes
	MaxWork     = int(budget.Work)     // entries of tables, FDEs, FREs and instructions
	MaxNames    = int(budget.Names)    // bytes
	MaxOutput   = int(budget.Output)   // bytes of a report
	MaxTime     = int(budget.Time)     // nanoseconds
)

// limits returns the limits with their defaults.
func (o *Options) limits() *budget.Limits { return (*budget.Limits)(&o.Limits) }
