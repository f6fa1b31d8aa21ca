package execute

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Claims are rules for the caller at a PC from a source other than SFrame data, and the results of checking them.
// Only one checker may use them.
type Claims struct {
	// Of returns the rules for an address in a file. Invalid rules claim nothing.
	Of func(im *Image, addr uint64) []unwind.Rules `json:"-"`
	// Checked and Wrong count the rules for CFA, RA and FP over all steps.
	Checked [3]uint64 `json:"checked"`
	Wrong   [3]uint64 `json:"wrong"`
	// Refuted are the rules that were wrong at a step, each with its first step.
	Refuted []*Refuted `json:"refuted,omitempty"`

	seen map[refutedKey]*Refuted
}

// Refuted is a rule that was wrong.
type Refuted struct {
	File     string `json:"file"`
	Function string `json:"function,omitempty"`
	Addr     uint64 `json:"addr"` // in the file
	What     string `json:"what"` // cfa, ra or fp
	Rule     string `json:"rule"`
	Have     string `json:"have"` // the value by the rule
	Want     string `json:"want"` // the true value
	Steps    uint64 `json:"steps"`
}

type refutedKey struct {
	file string
	addr uint64
	what int
}

// countHeld counts steps at which all rules for a place were right.
func (c *Claims) countHeld(pl *site, n uint64) {
	for _, r := range pl.claimed {
		for i, x := range []model.Recovery{r.CFA, r.RA, r.FP} {
			if x.Kind != model.Invalid {
				c.Checked[i] += n
			}
		}
	}
}

// check compares the rules of a place with what is true of a function that was called.
func (c *Claims) check(p *Process, f *frame, r *Regs, pl *site) {
	if f.kind != called {
		return
	}
	for i := range pl.claimed {
		c.checkRow(p, &pl.claimed[i], f, r, pl)
	}
}

func (c *Claims) checkRow(p *Process, row *unwind.Rules, f *frame, r *Regs, pl *site) {
	cfa := f.sp - uint64(p.abi.SPOffset)
	for i, x := range []struct {
		rule model.Recovery
		same uint32
		want uint64
		none bool
		what string
	}{
		{row.CFA, 0, cfa, false, whatCFA},
		{row.RA, p.abi.RA, f.ra, f.noRA, whatRA},
		{row.FP, p.abi.FP, f.fp, f.noFP, whatFP},
	} {
		if x.rule.Kind == model.Invalid || x.none {
			continue
		}
		v, ok := p.evaluate(x.rule, x.same, r, cfa)
		if i == 1 && row.Mangled {
			v = p.plain(v)
		}
		c.Checked[i]++
		if !ok || v != x.want {
			c.Wrong[i]++
			c.refute(p, pl, i, x.what, x.rule, v, x.want)
		}
	}
}

// plain returns an address without a signature.
func (p *Process) plain(v uint64) uint64 {
	if !p.abi.Pauth {
		return v
	}
	if v&(1<<55) != 0 {
		return v | unwind.PACMask(48)
	}
	return v &^ unwind.PACMask(48)
}

// evaluate applies a rule. It reports false where that reads what is not known.
func (p *Process) evaluate(rule model.Recovery, same uint32, r *Regs, cfa uint64) (v uint64, ok bool) {
	switch rule.Kind {
	case model.Unchanged:
		return r.Register(same)
	case model.InRegister:
		v, ok = r.Register(rule.Reg)
	case model.FromCFA:
		v, ok = cfa, true
	}
	v += uint64(rule.Offset)
	if ok && rule.Deref {
		w, err := p.word(v)
		return w, err == nil
	}
	return v, ok
}

// refute records a rule that was wrong.
func (c *Claims) refute(p *Process, pl *site, what int, name string, rule model.Recovery, have, want uint64) {
	k := refutedKey{pl.image.Path, pl.pc - pl.image.Bias, what}
	if x := c.seen[k]; x != nil {
		x.Steps++
		return
	}
	if len(c.Refuted) >= maxGroups {
		return
	}
	x := &Refuted{File: pl.image.Name, Function: pl.symbol(), Addr: k.addr, What: name, Rule: rule.Format(p.abi), Have: hex(have), Want: hex(want), Steps: 1}
	if c.seen == nil {
		c.seen = map[refutedKey]*Refuted{}
	}
	c.seen[k] = x
	c.Refuted = append(c.Refuted, x)
}
