package size

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// flexible finds flexible FDEs whose FREs all have the form of the default type.
var flexible = advice(byType, rules.Rule{ID: "SF7007"})

func countNeedless(c *rules.Context) saving {
	out := saving{noun: "flexible FDE", what: "whose FREs the default type can express"}
	abi, h := c.ABI, c.Section.Header()
	if !abi.Known() || h.FixedRAOffset != abi.FixedRA || h.FixedFPOffset != abi.FixedFP {
		return out
	}
	c.FDEs(model.FDE.Flex, func(f model.FDE) {
		if f.NumFREs() == 0 || f.NumFREs() != int(f.ClaimedFREs()) {
			return
		}
		bytes := int64(0)
		for r := range f.FREs() {
			n, ok := defaultWords(&h, r)
			if !ok {
				return
			}
			bytes += int64((r.NumWords() - n) * (r.WordSize().Width() - narrower(r)))
		}
		out.add(bytes, f.FieldSpan(model.FDEInfo2), f.Index(), -1)
	})
	return out
}

// defaultWords returns how many words an FRE of the default type has for the same rules. It
// reports whether there is such an FRE.
func defaultWords(h *model.Header, r model.FRE) (n int, ok bool) {
	used := 0
	for e := range r.Entities() {
		if used = e.End(); e.Reserved() || !e.RegP() && e.Reg() != 0 { // which other rules report
			return 0, false
		}
	}
	if used < r.NumWords() {
		return 0, false
	}
	words, err := h.Words(model.SFRAME_FDE_TYPE_DEFAULT, r.Row())
	return words.N, err == nil
}
