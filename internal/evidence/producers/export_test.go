package producers

import "slices"

// All returns the table.
func All() []Producer { return slices.Clone(table) }
