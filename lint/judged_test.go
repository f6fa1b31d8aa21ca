package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/lint"
)

// TestJudged: each FRE of a section is decided by code, only by CFI, or by nothing for a reason.
func TestJudged(t *testing.T) {
	for file, want := range map[string]string{
		"files/binutils-2.47/amd64/program.elf":           "of 64 FREs the code decides 64, only the CFI 0, nothing 0",
		"files/binutils-2.44/amd64/pie.elf":               "of 29 FREs the code decides 27, only the CFI 0, nothing 2: 2 stubs (first at 0x2e0)",
		"files/lld-23/concatenated-v2.elf":                "of 4 FREs the code decides 0, only the CFI 0, nothing 4: 4 no code (first at 0x201328)",
		"files/hand/reloc-stale.o":                        "of 12 FREs the code decides 9, only the CFI 0, nothing 3: 2 stubs (first at .text+0x50), 1 signal or outermost frame (first at .text+0x80)",
		"regressions/stripped-with-start-files-amd64.elf": "of 17 FREs the code decides 14, only the CFI 1, nothing 2: 2 stubs (first at 0x1030)",
		"files/hand/twice.o":                              "of 12 FREs the code decides 0, only the CFI 0, nothing 12: 12 code of several FDEs or of none (first at +0x0)",
	} {
		f := must.Get(lint.CheckFile(t.Context(), "../corpus/"+file))(t)
		for i := range f.Objects[0].Judged {
			assert.Equal(t, want, f.Objects[0].Judged[i].String(), file)
		}
		assert.NotEmpty(t, f.Objects[0].Judged, file)
	}
}
