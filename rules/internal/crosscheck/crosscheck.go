// Package crosscheck holds the rules on whether a section agrees with the rest of
// its file: with the function symbols and the PLT: family SF6.
package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{InsideFunction, SizeDiffers, Coverage, PLTAlone, PLTUncovered, AgainstFlag}
