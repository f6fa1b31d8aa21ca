package budget

import (
	"context"
	"time"
)

// Part returns a budget for a file in the package that the budget is for. It has the same limits and its own
// account, but the time of the package, and what it spends of [Work] the package spends as well.
func (b *Budget) Part() *Budget {
	if b == nil {
		return nil
	}
	return &Budget{Context: b.Context, clock: b.clock, share: b.share, limits: b.limits, whole: b}
}

// HoldPacked spends n bytes of memory for what reading through a package needs: the window of a decoder, or a
// file that is held. They count in the memory of all files that are checked at once. The limit of [Memory] does not
// bound them, but one of their own, which grows with it. A negative number gives them back.
func (b *Budget) HoldPacked(n int64) error {
	switch {
	case b == nil:
		return nil
	case n < 0:
		b.Drop(-n)
		b.packed.Add(n)
		return nil
	}
	if limit := b.limits.Of(Memory); b.packed.Add(n) > limit+roomPacked+roomPackedEach*b.size.Load() && limit >= 0 {
		b.packed.Add(-n)
		return b.note(&Exceeded{Memory, limit})
	}
	err := b.Hold(n)
	if err != nil {
		b.packed.Add(-n)
	}
	return err
}

// roomPacked is what a package may hold besides the limit of [Memory], and roomPackedEach how much more for each of its
// bytes: the rest of [PromisePacked] and [PromisePackedEach] is for what is not yet freed.
const (
	roomPacked     = PromisePacked * 3 / 4
	roomPackedEach = 40
)

// packedTime is the time for a byte of a package.
const packedTime = time.Microsecond

// Packed states that the file is a package of n bytes, which may take more time than another file: a second for
// each million.
func (b *Budget) Packed(n int64) {
	if b != nil {
		b.isPacked.Store(true)
		b.size.Add(n)
		b.clock.extend(time.Duration(n) * packedTime)
	}
}

// IsPacked reports whether the file is a package.
func (b *Budget) IsPacked() bool { return b.isPacked.Load() }

// Wait calls do while the clock stands.
func (b *Budget) Wait(do func(ctx context.Context)) {
	defer b.clock.pause()()
	do(b.Context)
}

// extend adds to the time that is left.
func (c *clock) extend(d time.Duration) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left += d
	if c.stood == 0 && c.timer.Stop() {
		c.timer.Reset(max(c.left-c.spent-time.Since(c.since), 0))
	}
}
