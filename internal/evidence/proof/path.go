package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/witness"
	"github.com/sframe-lint/sframe-lint/model"
)

// paths has, for each instruction of a unit, a way to it from an entry, on which as few calls as possible return without
// evidence.
type paths struct {
	u      *unit
	before []int32 // the instruction before it; below 0: none
	doubts []int32 // the last call before it that need not return; below 0: none
	sp     []int64 // SP - SP on entry, as far as constants are added; nowhere: not known
	others []int32 // ways there but for the return of a call
	opaque bool
	done   bool // for the states that the unit has
	seen   []bool
	// from has the instructions that lead to instruction k, from first[k] to before first[k+1].
	from, first []int32
}

// newPaths finds the paths of a unit that is solved, once for all of its parts. Its buffers are those of the paths before.
func (u *unit) newPaths() *paths {
	n := len(u.ins)
	p := u.paths
	if p == nil {
		p = &paths{u: u}
		u.paths = p
	}
	if p.done {
		return p
	}
	p.done = true
	p.before, p.doubts, p.opaque = fill(p.before, n), fill(p.doubts, n), u.opaque()
	p.sp, p.others, p.seen, p.first = zeros(p.sp, n), zeros(p.others, n), zeros(p.seen, n), zeros(p.first, n+2)
	u.edges(func(k, to int32) {
		p.first[to+2]++
		if !u.ins[k].isCall() || u.next(k) != to {
			p.others[to]++
		}
	})
	for k := range n {
		p.first[k+2] += p.first[k+1]
	}
	p.from = zeros(p.from, int(p.first[n+1]))
	u.edges(func(k, to int32) {
		p.from[p.first[to+1]] = k
		p.first[to+1]++
	})
	var later [][2]int32
	queue := slices.Clone(u.entries)
	for _, k := range queue {
		p.seen[k] = true
	}
	for len(queue) > 0 || len(later) > 0 {
		if len(queue) == 0 {
			k, to := later[0][0], later[0][1]
			if later = later[1:]; !p.seen[to] {
				p.seen[to], p.before[to], p.doubts[to], p.sp[to] = true, k, k, p.after(k)
				queue = append(queue, to)
			}
			continue
		}
		k := queue[0]
		queue = queue[1:]
		u.leadsOn(k, func(to int32) {
			switch {
			case p.seen[to]:
			case p.isUnproven(k, to):
				later = append(later, [2]int32{k, to})
			default:
				p.seen[to], p.before[to], p.doubts[to], p.sp[to] = true, k, p.doubts[k], p.after(k)
				queue = append(queue, to)
			}
		})
	}
	u.work += int64(4 * n)
	return p
}

// zeros returns a slice of n zeros.
func zeros[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	clear(s[:n])
	return s[:n]
}

// isUnproven reports whether nothing proves that an instruction leads to another: it is a call that need not return, or
// throw.
func (p *paths) isUnproven(k, to int32) bool {
	u := p.u
	i := &u.ins[k]
	switch {
	case !i.isCall():
		return false
	case u.next(k) != to:
		return i.to != to // tables of exceptions may cover calls that throw none
	case u.comesBack(k) == always:
		return false
	}
	others, after := p.others[to], to
	for u.ins[to].pads() && others == 0 && u.next(to) >= 0 {
		to = u.next(to)
		others = p.others[to] - 1
	}
	return p.opaque || others > 0 || u.ins[after].landing || p.runsOut(after)
}

// runsOut reports whether instructions go straight on to the entry of another part, as templates of exrl after a call do.
func (p *paths) runsOut(k int32) bool {
	u := p.u
	first := u.ins[k].part
	for k >= 0 && u.ins[k].part == first && u.ins[k].flow == insn.Next {
		k = u.next(k)
	}
	return k >= 0 && u.ins[k].part != first && slices.Contains(u.entries, k)
}

// ways returns the instructions that lead to one, as far as that is proven, and the one before it on its path.
func (p *paths) ways(k int32) []int32 {
	var all []int32
	for _, from := range p.from[p.first[k]:p.first[k+1]] {
		if p.seen[from] && (p.before[k] == from || !p.isUnproven(from, k)) {
			all = append(all, from)
		}
	}
	return all
}

// mixesSP reports whether an instruction is the start of a part that several jumps may lead to, not all certainly with the
// same SP: one of them may be to the end of another part, which is empty, and never taken.
func (p *paths) mixesSP(k int32) bool {
	u := p.u
	differs := func(from int32) bool { return p.after(from) != p.sp[k] }
	unknown := func(q part) bool { return len(q.at) == 0 || q.at[0] < 0 || u.ins[q.at[0]].owner < 0 }
	return u.ins[k].off == 0 && u.jumped(u.ins[k].part) &&
		(slices.ContainsFunc(p.from[p.first[k]:p.first[k+1]], differs) || slices.ContainsFunc(u.parts, unknown))
}

// after returns SP - SP on entry after an instruction, on the path to it.
func (p *paths) after(k int32) int64 {
	i, sp, at := &p.u.ins[k], p.u.arch.sp, p.sp[k]
	for _, o := range p.u.effects(i) {
		switch {
		case o.dst != sp || at == nowhere || o.do == insn.Store || o.do == insn.Forget || o.do == insn.Compare:
		case o.do == insn.Move && o.src == sp:
			at += o.off
		default:
			at = nowhere
		}
	}
	if i.isCall() && (i.to >= 0 || i.pushes) {
		return nowhere
	}
	return at
}

// enters reports whether a call leads to a subroutine on a path, which has its own frame.
func (p *paths) enters(way []int32) bool {
	for n, k := range way[1:] {
		if i := &p.u.ins[way[n]]; i.isCall() && !i.pushes && i.to == k {
			return true
		}
	}
	return false
}

// leadsOn passes on all instructions that another one leads to.
func (u *unit) leadsOn(k int32, yield func(to int32)) {
	pass := func(to int32) {
		if to >= 0 && u.ins[to].owner >= 0 {
			yield(to)
		}
	}
	for _, to := range u.successors(k) {
		pass(to)
	}
	for _, to := range u.led[k] {
		pass(to)
	}
	if pad, ok := u.pads[k]; ok {
		pass(pad)
	}
}

// edges passes on which instructions lead to which.
func (u *unit) edges(yield func(k, to int32)) {
	for k := range u.ins {
		if u.ins[k].owner >= 0 {
			u.leadsOn(int32(k), func(to int32) { yield(int32(k), to) })
		}
	}
}

// to returns the path to an instruction, and, if after is not below 0, the one that comes there from that instruction.
func (p *paths) to(k, after int32) (all []int32) {
	if after >= 0 {
		all, k = append(all, after), after
	}
	for k = p.before[k]; k >= 0; k = p.before[k] {
		all = append(all, k)
	}
	slices.Reverse(all)
	return all
}

// maxTries is the number of paths to an instruction that are replayed.
const maxTries = 32

// refute looks for a path to an instruction on which a rule is wrong, and returns what the value that it counts from is on
// that path.
func (c *checker) refute(k int32, kind Aspect, row *Row, from int64) (steps []witness.Step, way []int32, doubt int32, ok bool) {
	if c.paths == nil {
		c.paths = c.u.newPaths()
	}
	p := c.paths
	way = p.to(k, none)
	if steps, ok = c.replay(way, k, kind, row, from); ok {
		return steps, way, p.doubts[k], true
	}
	tries := 0
	for n := len(way); n >= 0 && tries < maxTries; n-- {
		at := k // a place on the path, and other ways there
		if n < len(way) {
			at = way[n]
		}
		for _, other := range p.ways(at) {
			if other == p.before[at] {
				continue
			}
			if tries++; tries > maxTries {
				break
			}
			detour := append(p.to(at, other), way[min(n, len(way)):]...)
			if steps, ok = c.replay(detour, k, kind, row, from); ok {
				return steps, detour, max(p.doubts[other], p.doubts[k]), true
			}
		}
	}
	return nil, nil, none, false
}

// replay replays a path, for a rule of a row.
func (c *checker) replay(way []int32, k int32, kind Aspect, row *Row, from int64) ([]witness.Step, bool) {
	u := c.u
	u.work += int64(len(way))
	if c.replayed += len(way); c.paths.mixesSP(k) || slices.ContainsFunc(way, c.paths.mixesSP) {
		return nil, false
	}
	a, says := u.arch, c.rowRule(kind, row)
	rule := witness.Rule{Recovery: says, Of: a.sp}
	switch kind {
	case WrongRA, WrongSigning:
		rule.Of, rule.Signs, rule.Signed, rule.KeyB = a.ra, kind == WrongSigning, row.Signed, row.KeyB
	case WrongFP, StaleFP:
		rule.Of = a.fp
	}
	down := int64(0)
	if u.startSP != 0 {
		down = -a.abi.EntryCFA - u.startSP
	}
	path, moves := make([]witness.Insn, len(way)), false
	for n, at := range way {
		next := k
		if n+1 < len(way) {
			next = way[n+1]
		}
		i := &u.ins[at]
		p := &u.parts[i.part]
		moves = moves || slices.ContainsFunc(u.effects(i), func(o op) bool { return o.do == insn.Either })
		path[n] = witness.Insn{PC: u.pc(at), Code: p.code[i.off:], Way: insn.ToTarget}
		if next == u.next(at) {
			path[n].Way = insn.ToNext
		}
		switch {
		case !i.isCall():
		case i.to == next || i.pushes:
			path[n].Enters = true
		case u.next(at) != next:
			path[n].Pushed = int64(p.pushedAt(u.pc(at) + uint64(i.len)))
		}
	}
	steps, ok := witness.New(a.abi, u.startSP != 0, down).Replay(path, rule, a.abi.EntryCFA+from)
	if ok || !moves || kind != WrongFP {
		return steps, ok
	}
	for n := range path {
		path[n].Moves = true
	}
	return witness.New(a.abi, u.startSP != 0, down).Replay(path, rule, a.abi.EntryCFA+from)
}

// confirm drops what no path bears out, and adds their witnesses to the others. After many of a kind, only the number
// matters.
func (c *checker) confirm() {
	c.replayed = 0
	var sure [WrongSigning + 1]int
	n := 0
	for i := range c.out {
		o := &c.out[i]
		judged := (o.Kind <= WrongFP || o.Kind == WrongSigning) && o.Says.Kind != model.Undefined && !o.saved
		if judged && sure[o.Kind] < budget.TrackWitnesses {
			late := c.replayed > budget.TrackReplays
			c.f.unconfirmed[o.Kind] = c.f.unconfirmed[o.Kind] || late
			if late || !c.bornOut(o) {
				c.unmark(o)
				continue
			}
			if _, noCFA := c.last[key{o.Row, WrongCFA}]; o.Kind == WrongCFA || !noCFA {
				sure[o.Kind]++
			}
		}
		c.out[n] = *o
		n++
	}
	c.out = c.out[:n]
}

// unmark removes the marks of a contradiction.
func (c *checker) unmark(o *Contradiction) {
	row := &c.rows[o.Row]
	for pc := row.Start; c.marks != nil && pc < row.End; pc++ {
		if c.marks[pc] &^= 1 << o.Kind; c.marks[pc] == 0 {
			delete(c.marks, pc)
		}
	}
}

// bornOut adds the witness of a contradiction, and reports whether there is one.
func (c *checker) bornOut(o *Contradiction) bool {
	steps, way, doubt, ok := c.refute(o.at, o.Kind, &c.rows[o.Row], o.from)
	if n := slices.IndexFunc(way, c.u.open); n >= 0 {
		o.Jump = c.u.pc(way[n])
	}
	o.Witness = steps
	if len(o.Proof) == 0 && len(steps) > 1 {
		o.Proof = []uint64{steps[len(steps)-1].PC}
	}
	if _, throws := c.u.pads[doubt]; doubt >= 0 && !throws {
		o.Assumed = c.u.pc(doubt)
	}
	return ok
}

// maxReplayed is the number of instructions of paths to joins that are replayed in a part. Few functions need any: those that
// compare SP with another register.
const maxReplayed = 1 << 15

// joined looks for a path to an instruction that others than the one before lead to, on which SP is not where a row says,
// or FP is still the caller's, if the state there does not have what it is on each of them.
func (c *checker) joined(k int32, r int, row *Row, s *state) {
	u := c.u
	a := u.arch
	cfa, onSP := row.CFA, row.CFA.Reg == uint32(a.sp)
	if !u.anchored || u.startSP != 0 || !row.ordinary() || cfa.Kind != model.InRegister || cfa.Deref || !onSP && cfa.Reg != uint32(a.fp) {
		return
	}
	base := s.regs[cfa.Reg].Base
	if lost := base == Stack || base == Moved || base == Choice || base == Unknown; !lost && !u.ins[k].dropped || !onSP && !c.steady() {
		return
	}
	if u.ins[k].torn || u.ins[k].off == 0 && u.jumped(u.ins[k].part) {
		return // one of the ways there may never be taken
	}
	if c.paths == nil {
		c.paths = u.newPaths()
	}
	for _, from := range c.paths.ways(k) {
		if c.replayed > maxReplayed {
			return
		}
		if c.paths.doubts[from] >= 0 || c.paths.before[k] == from && c.paths.doubts[k] >= 0 {
			continue
		}
		if pad, throws := u.pads[from]; onSP && c.paths.after(from)+cfa.Offset == a.abi.EntryCFA && !(throws && pad == k) {
			continue
		}
		way := c.paths.to(k, from)
		steps, ok := c.replay(way, k, WrongCFA, row, 0)
		if !ok || len(steps) == 0 || c.paths.enters(append(way, k)) {
			continue
		}
		v := steps[len(steps)-1].Value
		if own := !onSP && v.Kind == witness.Initial && v.Reg == a.fp; own || onSP && v.Kind == witness.Frame {
			f := finding{answer: wrong, got: Value{Base: CFA, Off: v.Off - a.abi.EntryCFA}, by: v.Off + cfa.Offset - a.abi.EntryCFA, exact: true, proof: [2]int32{none, none}}
			if own {
				f = finding{answer: wrong, got: Value{Base: Entry, Reg: a.fp}, proof: f.proof}
			}
			if u.ins[from].part != u.ins[k].part {
				f.proof[0] = from // the fault may be there
			}
			c.add(WrongCFA, r, k, uint64(u.ins[k].len), s, f, true)
			return
		}
	}
}
