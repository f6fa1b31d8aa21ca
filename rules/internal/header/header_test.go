package header_test

import (
	"testing"

	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

func TestFixedFP(t *testing.T) {
	fixed := []rt.Edit{rt.Set(0x05, "f0")}
	rt.Run(t, header.Rules, []rt.Case{
		{Name: "AMD64, where the manual allows it", Base: rt.V3AMD64, Edits: fixed, Want: []string{"SF1023 0x5+1"}},
		{Name: "AMD64", Base: rt.V1AMD64, Edits: fixed, Want: []string{"SF1004 0x2+1", "SF1023 0x5+1"}},
		{Name: "AArch64", Base: rt.V2AArch64BE, Edits: fixed, Want: []string{"SF1009 0x5+1"}},
		{Name: "s390x", Base: rt.V3S390X, Edits: fixed, Want: []string{"SF1009 0x5+1"}},
		{Name: "unknown ABI", Base: rt.V3AMD64, Edits: append(fixed, rt.Set(0x04, "09")), Want: []string{"SF1006 0x4+1"}},
	})
}
