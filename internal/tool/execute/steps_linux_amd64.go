package execute

import (
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"
)

// handleTrap handles a breakpoint: the plugin stops at a step. It returns the signal to continue with.
func (e *emulator) handleTrap(g *guest, tid int) (int, error) {
	var host unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &host); err != nil {
		return 0, err
	}
	if host.Rax != stopMark {
		return int(unix.SIGTRAP), nil
	}
	mem := remote{pid: g.pid}
	if g.check == nil {
		if err := g.words(host.Rsi, g.shared[:sharedAddr]); err != nil {
			return 0, err
		}
		g.shared[sharedAddr] = host.Rsi
		g.check = e.checker.Process(e.space(g))
	}
	g.tasks[tid] = host.Rdi
	x := &e.task
	if err := mem.ReadMemory(host.Rdi, x.bytes[:]); err != nil {
		return 0, err
	}
	if err := e.step(g, tid, x); errors.Is(err, errDone) {
		if err := g.write(host.Rdi, x.bytes[:8*taskAt]); err != nil { // what was counted
			return 0, err
		}
		e.finish("steps")
		return 0, nil
	} else if err != nil {
		e.broken = err
		e.kill("")
		return 0, nil
	}
	return 0, g.write(host.Rdi, x.bytes[:])
}

// errDone says that all steps were done.
var errDone = errors.New("done")

// errRegs says that qemu has its registers elsewhere.
var errRegs = errors.New("the registers are not where this version of qemu is known to have them")

// step does the step at which a thread has stopped.
func (e *emulator) step(g *guest, tid int, x *pluginTask) error {
	p := g.check
	st := &p.stats
	x.count(st)
	e.look(st)
	pl, err := e.placeAt(g, x.get(taskNow))
	if err != nil {
		return err
	}
	var r, prev Regs
	e.cpu.read(&r, pl.pc, x.bytes[taskRegs:][:e.cpu.all])
	p.window.forget()
	t := p.threads[tid]
	if t == nil && len(p.threads) == 0 && tid == e.main {
		if n, err := p.word(r.Value[p.abi.SP]); err != nil || n != uint64(len(e.cfg.Args)) {
			return errRegs
		}
	} else if t != nil {
		e.cpu.read(&prev, g.pcs[x.get(taskAt)], x.bytes[taskPrev:][:e.cpu.kept])
		x.take(t, g.base[tid])
		t.prev, t.at = prev, p.place(prev.Addr)
	}
	switch {
	case x.get(taskAfter) != 0:
		p.check(t, &r, pl)
	case e.cfg.Steps > 0 && st.Steps >= e.cfg.Steps:
		return errDone
	default:
		p.Step(&Step{Thread: tid, Regs: &r})
	}
	t = p.threads[tid]
	g.base[tid] = x.give(t, p.opts.Every)
	x.set(taskLimit, e.limit())
	return nil
}

// limit returns the number of steps that a thread may do before it stops.
func (e *emulator) limit() uint64 {
	const progress, threads = 1 << 22, 1 << 10
	switch left := e.cfg.Steps - e.checker.stats.Steps; {
	case e.cfg.Steps == 0:
		return progress
	case len(e.guests) > 1:
		return min(left, threads)
	default:
		return min(left, progress)
	}
}

// placeAt returns the place that the plugin has at an address. One that it does not know is written there.
func (e *emulator) placeAt(g *guest, at uint64) (*site, error) {
	p := g.check
	var head [placeClaims]byte
	mem := remote{pid: g.pid}
	if err := mem.ReadMemory(at, head[:]); err != nil {
		return nil, err
	}
	pc := binary.LittleEndian.Uint64(head[:])
	if binary.LittleEndian.Uint32(head[placeFlags:])&placeKnown != 0 {
		return p.place(pc), nil
	}
	if _, ok := g.pcs[at]; ok { // other code was there
		delete(p.places, pc)
		p.near[pc%placeCache] = nil
	}
	g.pcs[at] = pc
	pl := p.place(pc)
	fields, rules := p.encode(&e.cpu, pl)
	if len(rules) > 0 {
		if err := g.write(at+placeClaims, rules); err != nil {
			return nil, err
		}
	}
	return pl, g.write(at+placeFn, fields)
}

// harvestAtOnce is the number of places that are read at once.
const harvestAtOnce = 4096

// eachHits calls f for each place with how often it was executed, by index.
func (g *guest) eachHits(f func(i int, pc, hits uint64)) error {
	if err := g.words(g.shared[sharedAddr], g.shared[:sharedAddr]); err != nil {
		return err
	}
	mem := remote{pid: g.pid}
	n := int(g.shared[sharedNPlaces])
	b := make([]byte, harvestAtOnce*placeSize)
	for i := 0; i < n; i += harvestAtOnce {
		k := min(harvestAtOnce, n-i)
		if err := mem.ReadMemory(g.shared[sharedPlaces]+uint64(i*placeSize), b[:k*placeSize]); err != nil {
			return err
		}
		for j := range k {
			x := b[j*placeSize:]
			f(i+j, binary.LittleEndian.Uint64(x), binary.LittleEndian.Uint64(x[8:]))
		}
	}
	return nil
}

// harvest adds what the plugin has counted of a thread and of the places, before the thread ends.
func (e *emulator) harvest(g *guest, tid int) {
	p := g.check
	if p == nil {
		return
	}
	_ = g.eachHits(func(i int, pc, hits uint64) {
		for len(g.hits) <= i {
			g.hits = append(g.hits, 0)
		}
		more := hits - g.hits[i]
		if g.hits[i] = hits; more == 0 {
			return
		}
		pl := p.place(pc)
		if pl.row != nil {
			pl.row.steps += more
		}
		if p.opts.Claims != nil {
			p.opts.Claims.countHeld(pl, more)
		}
	})
	var x pluginTask
	at := g.tasks[tid]
	if at != 0 && (&remote{pid: g.pid}).ReadMemory(at, x.bytes[:]) == nil {
		x.count(&p.stats)
		_ = g.write(at, x.bytes[:8*taskAt])
	}
}

// reset begins to count in a child of fork, whose memory has what its parent has counted.
func (g *guest) reset() error {
	err := g.eachHits(func(_ int, _, hits uint64) { g.hits = append(g.hits, hits) })
	return errors.Join(err, g.write(g.tasks[g.pid], make([]byte, 8*taskAt)))
}
