package compare

import "slices"

// Diff returns the differences between two units, function by function.
func Diff(a, b *Unit) []Difference { return slices.Collect(compareUnits(a, b, "").differences) }

// NumFunctions returns the number of functions that can be compared.
func (u *Unit) NumFunctions() int { return len(u.funcs) }
