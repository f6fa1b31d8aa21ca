package generator

import "slices"

// rows draws the function's rows: a walk through the states of its frame,
// from entry to body and out again, perhaps several times as in a function
// with several exits.
func (g *maker) rows(f *Func) {
	most := min(g.mostRows(), int64(f.Size)/g.abi.MinInsn)
	long := g.drawChance(g.c.Long)
	var starts []uint32
	if long {
		starts = g.even(f, most)
	} else {
		starts = g.starts(f, int(g.upTo(1, most)))
	}
	for j, s := range g.walk(g.frame(f), len(starts), long) {
		f.Rows = append(f.Rows, Row{Start: starts[j], Rules: s.rules(), Mangled: s.mangled})
	}
}

// starts draws at most n starts in the function; the first is 0.
func (g *maker) starts(f *Func, n int) []uint32 {
	insns := (int64(f.Size) + g.abi.MinInsn - 1) / g.abi.MinInsn
	starts := []uint32{0}
	for range n - 1 {
		starts = append(starts, uint32(g.rnd.Int64N(insns)*g.abi.MinInsn))
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// even returns n starts at equal distances; the first is 0.
func (g *maker) even(f *Func, n int64) []uint32 {
	insns := (int64(f.Size) + g.abi.MinInsn - 1) / g.abi.MinInsn
	starts := make([]uint32, max(n, 1))
	for j := range starts {
		starts[j] = uint32(int64(j) * insns / n * g.abi.MinInsn)
	}
	return starts
}

// walk draws up to n states, or exactly n for a long walk. Neighbours differ. It
// ends in the state at entry unless the function does not return.
func (g *maker) walk(chain []state, n int, long bool) []state {
	body := len(chain) - 1
	path := []state{chain[0]}
	if g.chance(g.c.NoReturn) {
		for k := 1; k <= body && len(path) < n; k++ {
			path = append(path, chain[k])
		}
		return g.repeat(path, n)
	}
	for first := true; len(path)+2 <= n && (first || long || g.chance(80)); first = false {
		path = g.trip(path, chain, n-len(path))
	}
	return g.repeat(path, n)
}

// trip goes from entry to the body and back, in 2 to n states.
func (g *maker) trip(path, chain []state, n int) []state {
	in := chain[1 : len(chain)-1]
	body := chain[len(chain)-1]
	from := len(path)
	if from > 1 {
		in = nil // a jump back into the body needs no prologue
	}
	way := g.drawSome(in, n-2)
	path = append(append(path, way...), body)
	path = g.calls(path, body, n-1-(len(path)-from))
	out := slices.Clone(chain[1 : len(chain)-1])
	slices.Reverse(out)
	return append(append(path, g.drawSome(out, n-1-(len(path)-from))...), chain[0])
}

// drawSome draws at most n of the states, usually all, and keeps their order.
func (g *maker) drawSome(states []state, n int) []state {
	keep := slices.Clone(states)
	for len(keep) > 0 && (len(keep) > n || g.chance(15)) {
		at := g.rnd.IntN(len(keep))
		keep = slices.Delete(keep, at, at+1)
	}
	return keep
}

// calls pushes arguments for calls in a body whose CFA is relative to SP, in at
// most n states.
func (g *maker) calls(path []state, body state, n int) []state {
	if body.base != g.abi.SP || body.deref || body.off <= g.abi.EntryCFA {
		return path
	}
	for n >= 2 && g.chance(40) {
		more := g.abi.CFAAlign * (1 + g.rnd.Int64N(4))
		path = append(path, body.grown(more), body)
		n -= 2
	}
	return path
}

// repeat doubles rows as often as the knob says, up to n rows.
func (g *maker) repeat(path []state, n int) []state {
	if g.c.Repeats == 0 {
		return path
	}
	var out []state
	for j, s := range path {
		out = append(out, s)
		if len(out)+len(path)-j-1 < n && g.chance(g.c.Repeats) {
			out = append(out, s)
		}
	}
	return out
}
