package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/witness"
	"github.com/sframe-lint/sframe-lint/model"
)

// paths has, for each instruction of a unit, a way to it from an entry, on which as few calls as possible return without
// evidence.
type paths struct {
	u      *unit
	before []int32 // the instruction before it; below 0: none
	doubts []int32 // the last call before it that need not return; below 0: none
	ways   [][]int32
}

// newPaths finds the paths of a unit that is solved.
func (u *unit) newPaths() *paths {
	p := &paths{u: u, before: fill(nil, len(u.ins)), doubts: fill(nil, len(u.ins)), ways: make([][]int32, len(u.ins))}
	next := make([][]int32, len(u.ins))
	others := make([]int, len(u.ins)) // ways there but for the return of a call
	for k := range u.ins {
		if u.ins[k].owner < 0 {
			continue
		}
		for _, to := range u.leadsOn(int32(k)) {
			if to >= 0 && u.ins[to].owner >= 0 {
				next[k] = append(next[k], to)
				p.ways[to] = append(p.ways[to], int32(k))
				if !u.ins[k].isCall() || u.next(int32(k)) != to {
					others[to]++
				}
			}
		}
	}
	opaque := u.opaque()
	doubtful := func(k, to int32) bool {
		if pad, ok := u.pads[k]; ok && pad == to {
			return true // tables of exceptions may cover calls that throw none
		}
		if !u.ins[k].isCall() || u.next(k) != to || u.comesBack(k) == returns {
			return false
		}
		for u.ins[to].pads() && others[to] == 0 && u.next(to) >= 0 {
			others[u.next(to)]--
			defer func(n int32) { others[n]++ }(u.next(to))
			to = u.next(to)
		}
		return opaque || others[to] > 0
	}
	var later [][2]int32
	queue := slices.Clone(u.entries)
	seen := make([]bool, len(u.ins))
	for _, k := range queue {
		seen[k] = true
	}
	for len(queue) > 0 || len(later) > 0 {
		if len(queue) == 0 {
			k, to := later[0][0], later[0][1]
			if later = later[1:]; !seen[to] {
				seen[to], p.before[to], p.doubts[to] = true, k, k
				queue = append(queue, to)
			}
			continue
		}
		k := queue[0]
		queue = queue[1:]
		for _, to := range next[k] {
			switch {
			case seen[to]:
			case doubtful(k, to):
				later = append(later, [2]int32{k, to})
			default:
				seen[to], p.before[to], p.doubts[to] = true, k, p.doubts[k]
				queue = append(queue, to)
			}
		}
	}
	u.work += int64(4 * len(u.ins))
	for k := range p.ways {
		p.ways[k] = slices.DeleteFunc(p.ways[k], func(from int32) bool { return !seen[from] || doubtful(from, int32(k)) && p.before[k] != from })
	}
	return p
}

// leadsOn returns all instructions that another one leads to.
func (u *unit) leadsOn(k int32) []int32 {
	next := u.successors(k)
	all := append(next[:], u.led[k]...)
	if pad, ok := u.pads[k]; ok {
		all = append(all, pad)
	}
	return all
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

// maxTries is how many paths to an instruction are replayed.
const maxTries = 32

// refute looks for a path to an instruction on which a rule is wrong, and returns what the value that it counts from is on
// that path.
func (c *checker) refute(k int32, kind Kind, row *Row, from int64) (steps []witness.Step, doubt int32, ok bool) {
	if c.paths == nil {
		c.paths = c.u.newPaths()
	}
	p := c.paths
	way := p.to(k, none)
	if steps, ok = c.replay(way, k, kind, row, from); ok {
		return steps, p.doubts[k], true
	}
	tries := 0
	for n := len(way); n >= 0 && tries < maxTries; n-- {
		at := k // a place on the path, and other ways there
		if n < len(way) {
			at = way[n]
		}
		for _, other := range p.ways[at] {
			if other == p.before[at] {
				continue
			}
			if tries++; tries > maxTries {
				break
			}
			if steps, ok = c.replay(append(p.to(at, other), way[min(n, len(way)):]...), k, kind, row, from); ok {
				return steps, max(p.doubts[other], p.doubts[k]), true
			}
		}
	}
	return nil, none, false
}

// replay replays a path, for a rule of a row.
func (c *checker) replay(way []int32, k int32, kind Kind, row *Row, from int64) ([]witness.Step, bool) {
	u := c.u
	a, says := u.arch, c.says(kind, row)
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
	path := make([]witness.Insn, len(way))
	for n, at := range way {
		next := k
		if n+1 < len(way) {
			next = way[n+1]
		}
		i := &u.ins[at]
		p := &u.parts[i.part]
		path[n] = witness.Insn{PC: u.pc(at), Code: p.code[i.off : i.off+uint32(i.len)]}
		switch {
		case !i.isCall():
		case i.to == next || i.pushes:
			path[n].Way = witness.Enters
		case u.next(at) != next:
			path[n].Way, path[n].Pushed = witness.Throws, int64(p.pushedAt(u.pc(at)+uint64(i.len)))
		}
	}
	u.work += int64(len(way))
	return witness.New(a.abi, u.startSP != 0, down).Replay(path, rule, a.abi.EntryCFA+from)
}

// confirm drops what no path bears out, and adds their witnesses to the others.
func (c *checker) confirm() {
	n := 0
	for i := range c.out {
		o := &c.out[i]
		judged := o.Kind <= WrongFP || o.Kind == WrongSigning
		if judged && o.Says.Kind != model.Undefined && !o.saved && !c.bornOut(o) {
			continue
		}
		c.out[n] = *o
		n++
	}
	c.out = c.out[:n]
}

// bornOut adds the witness of a contradiction, and reports whether there is one.
func (c *checker) bornOut(o *Contradiction) bool {
	steps, doubt, ok := c.refute(o.at, o.Kind, &c.rows[o.Row], o.from)
	o.Witness = steps
	if len(o.Proof) == 0 && len(steps) > 1 {
		o.Proof = []uint64{steps[len(steps)-1].PC}
	}
	if _, throws := c.u.pads[doubt]; doubt >= 0 && !throws {
		o.Assumed = c.u.pc(doubt)
	}
	return ok
}

// joined looks for a path to an instruction that others than the one before lead to, on which SP is not where a row says,
// if the state there does not have what SP is on each of them.
func (c *checker) joined(k int32, r int, row *Row, s *state) {
	u := c.u
	a := u.arch
	lost := s.regs[a.sp].Base == Stack || s.regs[a.sp].Base == Unknown
	if cfa := row.CFA; !u.anchored || u.startSP != 0 || row.Signal || cfa.Kind != model.InRegister || cfa.Deref || cfa.Reg != uint32(a.sp) || !lost && !u.ins[k].dropped || row.RA.Kind == model.Undefined {
		return
	}
	if c.paths == nil {
		c.paths = u.newPaths()
	}
	for _, from := range c.paths.ways[k] {
		if c.paths.doubts[from] >= 0 || c.paths.before[k] == from && c.paths.doubts[k] >= 0 {
			continue
		}
		steps, ok := c.replay(c.paths.to(k, from), k, WrongCFA, row, 0)
		if !ok || len(steps) == 0 {
			continue
		}
		if v := steps[len(steps)-1].Value; v.Kind == witness.Frame {
			by := v.Off + row.CFA.Offset - a.abi.EntryCFA
			f := finding{verdict: wrong, got: Value{Base: CFA, Off: v.Off - a.abi.EntryCFA}, by: by, exact: true, proof: [2]int32{none, none}}
			c.add(WrongCFA, r, k, uint64(u.ins[k].len), s, f, true)
			return
		}
	}
}
