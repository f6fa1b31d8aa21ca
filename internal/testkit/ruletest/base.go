package ruletest

import (
	"embed"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/model"
)

// Base is a valid section. All bases have the same functions, directly after one another from 0x1000 on. In all ABIs
// of a version, their FDEs are at the same offsets:
//
//	FDE 0: 0x1000, 0x40 bytes,  INC, ADDR1, 4 rows: a frame is set up and left
//	FDE 1: 0x1040, 0x200 bytes, INC, ADDR2, 3 rows, one with words of 2 bytes
//	FDE 2: 0x1240, 0x40 bytes,  MASK with rep_size 16, ADDR1, 2 rows (not in V1)
//	FDE 3: 0x1280, 0x10 bytes,  an outermost frame (not in V1)
//	FDE 4: 0x1290, 0x28 bytes,  flexible, ADDR1, 3 rows (V3)
type Base struct {
	Name string
	Big  bool
	abi  model.ABI
	file string // in testdata: the text of the section, without its ABI and address
}

//go:embed testdata
var texts embed.FS

// The bases.
var (
	V1AMD64     = Base{"V1AMD64", false, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "v1-amd64"}
	V1AArch64   = Base{"V1AArch64", false, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "v1-aarch64"}
	V1AArch64BE = Base{"V1AArch64BE", true, model.SFRAME_ABI_AARCH64_ENDIAN_BIG, "v1-aarch64"}
	V2AMD64     = Base{"V2AMD64", false, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "v2-amd64"}
	V2AArch64   = Base{"V2AArch64", false, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "v2-aarch64"}
	V2AArch64BE = Base{"V2AArch64BE", true, model.SFRAME_ABI_AARCH64_ENDIAN_BIG, "v2-aarch64"}
	V2S390X     = Base{"V2S390X", true, model.SFRAME_ABI_S390X_ENDIAN_BIG, "v2-s390x"}
	V3AMD64     = Base{"V3AMD64", false, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "v3-amd64"}
	V3AArch64   = Base{"V3AArch64", false, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "v3-aarch64"}
	V3AArch64BE = Base{"V3AArch64BE", true, model.SFRAME_ABI_AARCH64_ENDIAN_BIG, "v3-aarch64"}
	V3S390X     = Base{"V3S390X", true, model.SFRAME_ABI_S390X_ENDIAN_BIG, "v3-s390x"}
)

// Bases returns all bases.
func Bases() []Base {
	return []Base{V1AMD64, V1AArch64, V1AArch64BE, V2AMD64, V2AArch64, V2AArch64BE, V2S390X,
		V3AMD64, V3AArch64, V3AArch64BE, V3S390X}
}

// Assemble assembles the base's text, followed by more statements.
func (b Base) Assemble(t testing.TB, more string) *asm.Output {
	t.Helper()
	text, err := texts.ReadFile("testdata/" + b.file + ".sfs")
	require.NoError(t, err)
	all := fmt.Sprintf(".abi %s\n.address 0x%x\n%s%s", b.ABI().Short(), Addr, text, more)
	out, err := asm.Assemble([]byte(all), asm.Options{Name: b.Name})
	require.NoError(t, err)
	return out
}

// Bytes returns the section's bytes after applying edits.
func (b Base) Bytes(t testing.TB, edits ...Edit) []byte {
	t.Helper()
	return b.edited(t, b.Assemble(t, ""), edits)
}

func (b Base) edited(t testing.TB, out *asm.Output, edits []Edit) []byte {
	t.Helper()
	data := out.Bytes
	for _, e := range edits {
		data = e.apply(t, data, b.Big)
	}
	return data
}

// ABI returns the section's ABI.
func (b Base) ABI() model.ABIInfo { return model.LookupABI(b.abi) }
