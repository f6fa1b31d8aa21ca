package compare

import "slices"

// Diff returns the differences between two units, function by function.
func Diff(a, b *Unit) []Difference { return slices.Collect(compareUnits(a, b, "").differences) }
