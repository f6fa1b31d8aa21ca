package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

var WordCount = rules.New(rules.Rule{
	ID:       "SF4001",
	Title:    "number of data words invalid for the ABI",
	Clause:   "Default FDE Type Interpretation",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Error,
	Text: `The words of an FRE of the default type are for the CFA, for RA unless the ABI
fixes it, and for FP: at most 2 on AMD64, at most 3 on AArch64 and s390x. (The manual
allows 1 or 3 words on AArch64. GNU as writes 2 if RA is saved and FP is not, and
consumers accept that.) If there are more, the Linux kernel disables the section,
glibc ends the trace, objdump may print another FRE or write beyond a buffer, and LLVM
skips the words. Usually the count is wrong and the next FRE is read from the wrong
place.`,
	Fix:  `Correct the number of words in the info byte, or remove the words.`,
	Good: `AMD64: info = 05: CFA and FP`,
	Bad:  `AMD64: info = 07: 3 words`,
}, func(c *rules.Context) {
	abi := c.ABI()
	v := c.Section.Version()
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > 0 && !abi.ValidWords(v, r.NumWords())
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has %d data words, but %s uses at most %d: the Linux kernel rejects the FRE, and if the count is wrong the next FRE is read from the wrong place", r.NumWords(), abi.Name, abi.MaxWords)
	})
})

var TwoWords = rules.New(rules.Rule{
	ID:       "SF4008",
	Title:    "AArch64 FRE with two data words",
	Clause:   "AArch64",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Errata2 }),
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.TracksRA() && !a.RAPadding }), // AArch64
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Note,
	OptIn:    true,
	Text: `The manual gives an AArch64 FRE of the default type 1 or 3 data words. GNU as
writes 2 if a function saves RA but not FP, as one that saves only x30 does. All known
consumers read such an FRE correctly: CFA, RA, FP unchanged. The rule is for producers
whose consumer requires the manual's numbers. It is opt-in.`,
	Fix:  `Save FP with RA, as a frame record does, or accept such FREs.`,
	Good: `info = 07, words 20 e8 e0: RA at CFA-24, FP at CFA-32`,
	Bad:  `info = 05, words 20 e8: RA at CFA-24`,
}, func(c *rules.Context) {
	two := func(r model.FRE) bool { return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() == 2 }
	c.Rows(two, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has 2 data words, for CFA and RA, but the manual allows only 1 or 3 on AArch64: a consumer that follows the manual rejects the FRE")
	})
})

// word is a data word with the offset of RA or FP from the CFA.
type word struct {
	role  string
	index int
	value int32
}

// saved lists the words of an FRE with the places of RA and FP. An FRE with an
// invalid number of words has none; SF4001 reports it.
func saved(abi *model.ABIInfo, v model.Version, r model.FRE) (out [2]word, n int) {
	switch {
	case flex.Is(r):
		for _, e := range flex.Parse(r).Entities {
			if e.Whole && e.DerefP() && !e.RegP() && e.Role != flex.CFA {
				out[n] = word{e.Role.String(), e.Word + 1, e.Offset}
				n++
			}
		}
	case r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && abi.ValidWords(v, r.NumWords()):
		roles := [...]string{"RA", "FP"}
		first := 0
		if !abi.TracksRA() {
			first = 1
		}
		for k := 1; k < r.NumWords() && first+n < len(roles); k++ {
			out[n] = word{roles[first+n], k, r.Word(k)}
			n++
		}
	}
	return out, n
}

// savedRule makes a rule that reports the bad words among those for RA and FP.
func savedRule(r rules.Rule, bad func(*model.ABIInfo, model.FRE, word) bool, report func(*rules.Context, *model.ABIInfo, model.FRE, word)) *rules.Rule {
	if r.Needs == nil {
		r.Needs = []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown}
	}
	return rules.New(r, func(c *rules.Context) {
		abi := c.ABI()
		each := func(r model.FRE, do func(word)) (found bool) {
			words, n := saved(abi, c.Section.Version(), r)
			for _, w := range words[:n] {
				if bad(abi, r, w) {
					found = true
					do(w)
				}
			}
			return found
		}
		c.Rows(func(r model.FRE) bool { return each(r, func(word) {}) }, func(r model.FRE) {
			each(r, func(w word) { report(c, abi, r, w) })
		})
	})
}

// isRegister reports whether a word of an FRE is a register, not a slot.
func isRegister(abi *model.ABIInfo, r model.FRE, w word) bool {
	return abi.LSBRegs && r.FDE().Section().Version().Info().WordRegs && w.value&1 != 0
}

var RAPadding = savedRule(rules.Rule{
	ID:       "SF4002",
	Title:    "RA padding without an FP word",
	Clause:   "s390x",
	ABIs:     s390x,
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown},
	Severity: rules.Warning,
	Text: `On s390x a word 0 for RA means that RA is not saved; it lets the word for FP
follow. An FRE that ends with it means the same to every consumer as one with only the
word for the CFA. Either the word is redundant, or the word for FP is missing.`,
	Fix:  `Leave out the word, or add the word for FP.`,
	Good: `info = 07, words 00 00 b8: RA not saved, FP at CFA-72`,
	Bad:  `info = 05, words 00 00`,
}, func(abi *model.ABIInfo, r model.FRE, w word) bool {
	return !flexible(r) && abi.RAPadding && r.NumWords() == 2 && w.value == model.SFRAME_FRE_RA_OFFSET_INVALID
}, func(c *rules.Context, _ *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "the word for RA is 0 (not saved), but no word for FP follows: if the one for FP is missing, a tracer loses the caller's FP")
})

var Register = savedRule(rules.Rule{
	ID:       "SF4003",
	Title:    "odd word with an invalid register number",
	Clause:   "s390x",
	Versions: []model.Version{model.SFRAME_VERSION_2},
	ABIs:     s390x,
	Severity: rules.Error,
	Text: `In version 2 an odd word for RA or FP on s390x is a register: the word,
shifted right by one, is its DWARF number. RA and FP are kept in general-purpose
registers (0 to 15) or floating-point registers (16 to 31). With another number a
tracer has no value to use, and may index its table of registers out of bounds.`,
	Fix:  `Set the word to twice the register number plus 1, or to an even slot offset.`,
	Good: `word 21: register 16, f0`,
	Bad:  `word 7f: register 63`,
}, func(abi *model.ABIInfo, r model.FRE, w word) bool {
	return isRegister(abi, r, w) && uint32(w.value>>1) >= abi.HoldRegs
}, func(c *rules.Context, abi *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "the word for %s is %d, which is odd and so means register %d, but s390x keeps %s in registers 0 to %d: a tracer has no value for it", w.role, w.value, w.value>>1, w.role, abi.HoldRegs-1)
})

var SlotS390X = savedRule(rules.Rule{
	ID:       "SF4004",
	Title:    "misaligned save slot (s390x)",
	Clause:   "s390x",
	ABIs:     s390x,
	Severity: rules.Error,
	Text: `The s390x ABI aligns the stack and the save slots of registers to 8 bytes, so
the offsets of RA and FP from the CFA are multiples of 8. A tracer that reads from
another offset gets parts of two words; the Linux kernel refuses to read it. The rule
skips odd words of version 2, which are registers.`,
	Fix:  `Set the offset of the slot in which the code saves the register.`,
	Good: `RA at CFA-48 (d0)`,
	Bad:  `RA at CFA-46 (d2)`,
}, func(abi *model.ABIInfo, r model.FRE, w word) bool {
	return int64(w.value)%abi.SlotAlign != 0 && (flexible(r) || !isRegister(abi, r, w))
}, func(c *rules.Context, abi *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "%s is at CFA%+d, but s390x aligns save slots to %d bytes: a tracer reads parts of two words, and the Linux kernel refuses to read", w.role, w.value, abi.SlotAlign)
})

var FPZero = savedRule(rules.Rule{
	ID:       "SF4005",
	Title:    "FP word is 0",
	Clause:   "s390x",
	ABIs:     s390x,
	Severity: rules.Warning,
	Text: `The third word of an FRE on s390x is the offset of FP's slot from the CFA. At
offset 0 lies the caller's frame, where a function saves nothing, so a tracer loads a
wrong FP. The word for FP has no padding value, unlike the word for RA: if FP is not
saved, the word is left out.`,
	Fix:  `Leave out the word if FP is not saved.`,
	Good: `info = 05, words 00 d0: RA at CFA-48, FP unchanged`,
	Bad:  `info = 07, words 00 d0 00`,
}, func(_ *model.ABIInfo, r model.FRE, w word) bool {
	return !flexible(r) && w.index == 2 && w.value == 0
}, func(c *rules.Context, _ *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "the word for FP is 0, which is no padding here but a slot in the caller's frame: a tracer loads a wrong FP")
})

func flexible(r model.FRE) bool { return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX }

var Slot = savedRule(rules.Rule{
	ID:       "SF4006",
	Title:    "misaligned save slot",
	Clause:   "Default FDE Type Interpretation",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return !a.LSBRegs }),
	Severity: rules.Warning,
	Text: `AMD64 and AArch64 align the stack to 16 bytes at calls, and code saves
registers in whole words, so the offsets of RA and FP from the CFA are multiples of 8.
Another offset is legal but usually wrong, and the Linux kernel does not read from it.`,
	Fix:  `Check the CFI of the function, and set the offset of the slot that the code uses.`,
	Good: `FP at CFA-16 (f0)`,
	Bad:  `FP at CFA-15 (f1)`,
}, func(abi *model.ABIInfo, _ model.FRE, w word) bool { return int64(w.value)%abi.SlotAlign != 0 }, func(c *rules.Context, abi *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "%s is at CFA%+d, but code for %s saves registers at multiples of %d bytes: the offset is probably wrong, and the Linux kernel does not read from it", w.role, w.value, abi.Name, abi.SlotAlign)
})
