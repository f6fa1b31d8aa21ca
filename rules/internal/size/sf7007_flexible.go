package size

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// flexible finds flexible FDEs whose FREs all have the form of the default type.
var flexible = advice(byType, rules.Rule{ID: "SF7007"})

func countNeedless(c *rules.Context) saving {
	out := saving{noun: "flexible FDE", what: "whose FREs the default type can express"}
	abi := c.ABI
	if !abi.Known() || c.Section.Header().FixedRAOffset != abi.FixedRA || c.Section.Header().FixedFPOffset != abi.FixedFP {
		return out
	}
	c.FDEs(func(f model.FDE) bool { return f.Type() == model.SFRAME_FDE_TYPE_FLEX }, func(f model.FDE) {
		if f.NumFREs() == 0 || f.NumFREs() != int(f.ClaimedFREs()) {
			return
		}
		bytes := int64(0)
		for r := range f.FREs() {
			n, ok := defaultWords(r, abi)
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
func defaultWords(r model.FRE, abi *model.ABIInfo) (n int, ok bool) {
	if r.NumWords() == 0 {
		return 0, true
	}
	if !flex.Is(r) || flex.Parse(r).Used != r.NumWords() || flex.Any(r, irregular) {
		return 0, false
	}
	row := r.Row()
	if cfa := row.CFA; cfa.Kind != model.InRegister || cfa.Deref || cfa.Reg != abi.SP && cfa.Reg != abi.FP {
		return 0, false
	}
	n = 1
	fp := row.FP.Kind != model.Unchanged
	if fp && !slot(row.FP) {
		return 0, false
	}
	if fp {
		n++
	}
	switch {
	case !abi.TracksRA():
		return n, row.RA == model.Recovery{Kind: model.FromCFA, Offset: int64(abi.FixedRA), Deref: true}
	case slot(row.RA):
		return n + 1, true
	case row.RA.Kind != model.Unchanged, fp && !abi.RAPadding:
		return 0, false
	case fp:
		n++ // padding
	}
	return n, true
}

// irregular reports whether a control word has bits that other rules report.
func irregular(e flex.Entity) bool { return e.Reserved() || !e.RegP() && e.Reg() != 0 }

// slot reports whether a word can say where a value is saved: 0 has another meaning.
func slot(v model.Recovery) bool {
	return v.Kind == model.FromCFA && v.Deref && v.Offset != 0
}
