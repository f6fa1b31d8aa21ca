package compare

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
)

// isFunc tells whether a symbol defines a function.
func isFunc(y reader.Symbol) bool {
	return (y.Type == elf.STT_FUNC || y.Type == elf.STT_GNU_IFUNC) && y.Section != int(elf.SHN_UNDEF) && y.Name != ""
}
