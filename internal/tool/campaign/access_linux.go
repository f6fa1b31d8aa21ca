package campaign

import (
	"io"
	"runtime"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// access reports what the instruction at an address does with its operand in memory, "" if that is
// unknown, or if it has two. It reads the instructions of AMD64.
func access(mem io.ReaderAt, pc uint64) string {
	if runtime.GOARCH != "amd64" {
		return ""
	}
	var code [insn.MaxLen]byte
	n, _ := mem.ReadAt(code[:], int64(pc)) // up to the end of the mapping
	switch i := insn.Decoder(insn.AMD64).One(code[:n], pc); {
	case i.Flow == insn.Bad || i.Access == insn.Reads|insn.Writes:
		return ""
	case i.Access == insn.Writes:
		return badWrite
	}
	return badRead
}
