package dump

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestColumns(t *testing.T) {
	for text, want := range map[string]Rule{
		"sp+8uf":               {"sp+8", "u", "f"},
		"fp+16c-16c-8":         {"fp+16", "c-16", "c-8"},
		"sp+-8uu[s]":           {"sp-8", "u", "u"},
		"sp+16c-16U":           {"sp+16", "c-16", "U"},
		"(r10-8)(r6+0)(r10-8)": {"(r10-8)", "(r6+0)", "(r10-8)"},
		"sp+160r14r16":         {"sp+160", "r14", "r16"},
		"RAundefined":          {},
	} {
		assert.Equal(t, want, ObjdumpColumns(text), text)
	}
	assert.Equal(t, Rule{"fp+16", "c-16", "c-8"}, LLVMColumns("FP base CFA Offset16 RA Offset-8 FP Offset-16 "))
	assert.Equal(t, Rule{"sp-8", "u", ""}, LLVMColumns("CFA Offset-8 "))
	assert.Equal(t, Rule{}, LLVMColumns(""))
	assert.Equal(t, Rule{RA: "c-8"}, LLVMColumns("RA Offset-8 "), "an outermost frame")
}

func TestBetween(t *testing.T) {
	row := func(start uint64, rule string) []Row { return []Row{{start, rule}} }
	a := []Func{{16, 4, row(16, "sp+8uf")}, {32, 8, row(32, "fp+16c-16f")}}
	same := []Func{{16, 4, row(16, "CFA Offset8 RA Offset-8 ")}, {32, 8, row(32, "FP base CFA Offset16 RA Offset-8 FP Offset-16 ")}}
	assert.Nil(t, Between(a, same, ObjdumpColumns, LLVMColumns))
	for field, b := range map[string][]Func{
		"functions": same[:1],
		"size":      {{16, 5, nil}},
		"pc":        {{17, 4, nil}},
		"rows":      {{16, 4, nil}},
		"start":     {{16, 4, row(17, "CFA Offset8 ")}},
		"rule":      {{16, 4, row(16, "CFA Offset16 ")}},
	} {
		d := Between(a, b, ObjdumpColumns, LLVMColumns)
		if assert.NotNil(t, d, field) {
			assert.Equal(t, field, d.Field)
		}
	}
}
