package html

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var (
	amd64 = model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	s390x = model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
)

func reg(r uint32, off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: r, Offset: off}
}

func saved(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

// drawing returns the table of the stack, a row a line.
func drawing(abi model.ABIInfo, sides ...rules.Side) string {
	_, table, _ := strings.Cut(picture(abi, sides, "x"), "</caption>\n<tr><th scope=\"col\">From")
	_, table, _ = strings.Cut(table, "</tr>\n")
	table = regexp.MustCompile(`<td class="(\w+)"(?: rowspan="(\d+)")?>`).ReplaceAllString(table, " | $1$2 ")
	return strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(table, ""))
}

// TestStack: the rows of a picture have the places that the recovery rules name, and
// nothing between them is missing.
func TestStack(t *testing.T) {
	unchanged := model.Recovery{Kind: model.Unchanged}
	entry := rules.Side{Source: "SFrame", Row: model.Row{CFA: reg(amd64.SP, 8), RA: saved(-8), FP: unchanged}}
	pushed := rules.Side{Source: "SFrame", Row: model.Row{CFA: reg(amd64.SP, 40), RA: saved(-8), FP: saved(-16)}}
	byFP := rules.Side{Source: "CFI", Row: model.Row{CFA: reg(amd64.FP, 16), RA: saved(-8), FP: saved(-16)}}
	for _, x := range []struct {
		name  string
		abi   model.ABIInfo
		sides []rules.Side
		want  string
	}{
		{"entry", amd64, []rules.Side{entry}, "CFA | caller CFA caller's frame\nCFA-8 | ra rsp return address"},
		{"frame", amd64, []rules.Side{pushed}, "CFA | caller CFA caller's frame\nCFA-8 | ra return address\nCFA-16 | fp caller's rbp\nCFA-40 | space rsp 24 bytes"},
		{"by FP", amd64, []rules.Side{byFP}, "CFA | caller CFA caller's frame\nCFA-8 | ra return address\nCFA-16 | fp rbp caller's rbp\nbelow | space more of the frame, down to rsp"},
		{"one register", amd64, []rules.Side{entry, pushed}, "rsp+40 | caller4 CFA caller's frame | caller CFA caller's frame\nrsp+32 | ra return address\nrsp+24 | fp caller's rbp\n" +
			"rsp+8 | space2 rsp 24 bytes\nrsp | ra rsp return address"},
		{"two registers", amd64, []rules.Side{entry, byFP}, "CFA | caller CFA caller's frame | caller CFA caller's frame\nCFA-8 | ra rsp return address | ra return address\n" +
			"CFA-16 | empty2  | fp rbp caller's rbp\nbelow | space more of the frame, down to rsp"},
		{"one slot", amd64, []rules.Side{{Row: model.Row{CFA: reg(amd64.SP, 16), RA: saved(-8), FP: saved(-12)}}},
			"CFA | caller CFA caller's frame\nCFA-4 | ra return address, 4 bytes of it\nCFA-8 | both return address and caller's rbp, 4 bytes of it\nCFA-12 | fp caller's rbp, 4 bytes of it\nCFA-16 | space rsp 4 bytes"},
		{"below SP", amd64, []rules.Side{{Row: model.Row{CFA: reg(amd64.SP, 8), RA: saved(-8), FP: saved(-32)}}},
			"CFA | caller CFA caller's frame\nCFA-8 | ra rsp return address\nCFA-24 | below 16 bytes, below rsp\nCFA-32 | fp caller's rbp, below rsp"},
		{"save area", s390x, []rules.Side{{Row: model.Row{CFA: reg(s390x.SP, 160), RA: saved(-48), FP: unchanged}}},
			"CFA | caller CFA caller's frame\nCFA-40 | save register save area, 40 bytes\nCFA-48 | ra return address\nCFA-160 | save r15 caller's r15 register save area, 112 bytes"},
		{"outermost", amd64, []rules.Side{{Row: model.Row{CFA: model.Recovery{Kind: model.Undefined}}}}, ""},
	} {
		assert.Equal(t, strings.ReplaceAll(x.want, "'", "&#39;"), drawing(x.abi, x.sides...), x.name)
	}
}

// TestDifferences: what the sides disagree on is marked in words.
func TestDifferences(t *testing.T) {
	a := rules.Side{Source: "SFrame", Row: model.Row{CFA: reg(amd64.SP, 16), RA: saved(-8), FP: saved(-16)}}
	b := a
	b.Source, b.Row.CFA = "CFI", reg(amd64.SP, 8)
	page := picture(amd64, []rules.Side{a, b}, "x")
	assert.Contains(t, page, "<tr class=\"differs\"><th scope=\"row\">CFA <b>differs</b><td><code>rsp+16</code><td><code>rsp+8</code></tr>")
	assert.Equal(t, 1, strings.Count(page, "<b>differs</b>"))
}
