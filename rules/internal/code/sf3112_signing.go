package code

import (
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

const signingText = `
The rule reads machine code, and skips files with too much code. If the file's CFI contradicts the FRE, SF6010
reports that instead.`

const signingNeeds = rules.FREsKnown | rules.RAKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.CodeReadable

var SignedAgainstCode = codeRule(rules.Rule{
	ID:       "SF3112",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.Pauth }),
	Needs:    signingNeeds,
	Text:     signingText,
	InSource: true,
}, func(c *rules.Context, found *proof.Found) {
	reported := map[int]bool{}
	any := func(model.FDE) bool { return true }
	abi := c.Section.ABI()
	t := proof.Words{ABI: abi, Address: c.Object.Address, Row: "FRE"}
	eachSigned(c, any, func(f model.FDE, code []byte) {
		rows, c := follow(c, f), c
		if m := found.Correction(f.Index()); m != nil && m.AtCalls {
			c = evidence.With(c, t.CorrectAll(m))
		}
		signings(code, &abi, func(off uint32, i signing) bool {
			if r, ok := rows.wrongFRE(off, i.before); ok {
				c.FRE(r, r.InfoSpan(), "RA is %s in the FRE at offset 0x%x, but %q there needs RA %s: a tracer recovers a wrong return address", proof.Signed(!i.before), off, i.name, proof.Signed(i.before))
				reported[f.Index()] = true
				return false
			}
			if i.returns {
				return true
			}
			if r, ok := rows.wrongFRE(off+4, i.after); ok {
				c.FRE(r, r.InfoSpan(), "RA is %s in the FRE after %q (offset 0x%x), but that instruction leaves RA %s: a tracer recovers a wrong return address", proof.Signed(!i.after), i.name, off, proof.Signed(i.after))
				reported[f.Index()] = true
				return false
			}
			return true
		})
	})
	rest := *found
	rest.Wrong = slices.DeleteFunc(slices.Clone(found.Wrong), func(w proof.Wrong) bool { return reported[w.Func] })
	reportProofs(c, &rest, proof.WrongSigning, "a tracer recovers a wrong return address")
})

var KeyAgainstCode = rules.New(rules.Rule{
	ID:       "SF3113",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.Pauth }),
	Files:    rules.ELFFiles,
	Needs:    signingNeeds,
	Text:     signingText,
	InSource: true,
}, func(c *rules.Context) {
	if !c.SFrame.Survey().Any(model.RowList, model.FRE.MangledRA) {
		return
	}
	eachSigned(c, signs, func(f model.FDE, code []byte) {
		abi, keyB := c.Section.ABI(), f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B
		signings(code, &abi, func(off uint32, i signing) bool {
			if !i.keyed || i.keyB == keyB {
				return true
			}
			if cfi, ok := cfiOf(c, f); !ok || cfi.CIE.KeyB == keyB {
				c.FDE(f, model.FDEInfo, "the FDE says that key %s signs RA, but %q (offset 0x%x) uses key %s: a tracer that authenticates RA rejects the value", proof.Key(keyB), i.name, off, proof.Key(i.keyB))
			}
			return false
		})
	})
})

// signing is an instruction that depends on whether the return address is signed with SP as modifier.
type signing struct {
	name          string
	before, after bool // whether the return address is signed before and after it
	returns       bool // nothing is executed after it
	keyed, keyB   bool // it has a key, which is B
}

// signings yields the offsets of instructions that sign the return address, authenticate it or return
// to it.
func signings(code []byte, abi *model.ABIInfo, yield func(off uint32, i signing) bool) {
	var i insn.Insn
	for off := 0; ; off += int(i.Len) {
		if off = insn.NextSigning(abi.Machine, code, off); off == len(code) {
			return
		}
		insn.For(abi.Machine)(code[off:], uint64(off), &i)
		if x, ok := signingOf(&i, code[off:], abi); ok && !yield(uint32(off), x) {
			return
		}
	}
}

// signingOf tells what an instruction does with the signature of the return address.
func signingOf(i *insn.Insn, code []byte, abi *model.ABIInfo) (x signing, ok bool) {
	x.returns = i.Flow == insn.Return
	if i.N == 0 {
		x.name = "ret"
		return x, x.returns && uint32(i.Via) == abi.RA
	}
	o := &i.Ops[0]
	if o.Do != insn.Sign && o.Do != insn.Auth || uint32(o.Dst) != abi.RA || uint32(o.Src) != abi.SP {
		return x, false
	}
	x.after, x.before = o.Do == insn.Sign, o.Do == insn.Auth
	x.keyed, x.keyB = true, o.Off != 0
	key := strings.ToLower(proof.Key(x.keyB))
	hint := code[3] == 0xd5 // paciasp is a hint, as nop is
	switch {
	case x.returns:
		x.name = "reta" + key
	case x.after && hint:
		x.name = "paci" + key + "sp"
	case x.after:
		x.name = "paci" + key + " x30, sp"
	case hint:
		x.name = "auti" + key + "sp"
	default:
		x.name = "auti" + key + " x30, sp"
	}
	return x, true
}

// eachSigned calls yield for the functions that satisfy some and may sign return addresses, with
// their code.
func eachSigned(c *rules.Context, some func(model.FDE) bool, yield func(f model.FDE, code []byte)) {
	if !c.Has(rules.CodeReadable) {
		return
	}
	code := proof.CodeOf(c.Object)
	c.FDEs(nil, func(f model.FDE) {
		if f.Mask() || f.NumFREs() == 0 || f.NumFREs() != int(f.ClaimedFREs()) || f.Signal() || !some(f) {
			return
		}
		yield(f, code.Func(f))
	})
}

// follower finds the FREs of a function that cover offsets in ascending order.
type follower struct {
	c       *rules.Context
	f       model.FDE
	at      model.FRE // the FRE before next
	next    model.FRE
	any     bool // there is a next one
	covered bool // at is set
}

func follow(c *rules.Context, f model.FDE) follower {
	return follower{c: c, f: f, next: f.FRE(0), any: true}
}

// wrongFRE returns the FRE that covers an offset if it states that RA is signed there and it
// should not be, or the reverse.
func (w *follower) wrongFRE(off uint32, signed bool) (model.FRE, bool) {
	for w.any && w.next.Start() <= off {
		w.at, w.covered = w.next, true
		w.next, w.any = w.next.Next()
	}
	r := w.at
	if off >= w.f.Size() || !w.covered || r.NumWords() == 0 || r.MangledRA() == signed {
		return r, false
	}
	if from, ok := cfiOf(w.c, w.f); ok {
		if row, ok := from.RowAt(w.f.Start() + uint64(off)); ok && (row.Sign&cfi.RASigned != 0) != r.MangledRA() {
			return r, false
		}
	}
	return r, true
}

// signs reports whether a function has FREs with a signed RA.
func signs(f model.FDE) bool {
	for r := range f.FREs() {
		if r.MangledRA() {
			return true
		}
	}
	return false
}

// cfiOf returns the call frame information of a function.
func cfiOf(c *rules.Context, f model.FDE) (cfi.FDE, bool) {
	return evidence.Frames(c).At(uint32(f.Place()), f.Start())
}
