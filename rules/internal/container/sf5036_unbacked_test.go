package container_test

import (
	"testing"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
	"github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

func TestUnbacked(t *testing.T) {
	// Offsets are those of the section in ruletest, whose functions differ from
	// those of the corpus's v3-amd64.
	ruletest.Run(t, []*rules.Rule{container.Unbacked}, []ruletest.Case{
		{Name: "sound", Base: ruletest.V3AMD64},
		{Name: "faulty", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(0x1c, "00")}, Want: []string{"SF5036 0x1c+8"}},
	})
}
