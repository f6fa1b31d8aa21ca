package budget

import (
	"context"
	"sync"
	"time"
)

// Pool limits the memory of several files that are checked at once. The first file may use all of its own budget. The
// others share the pool; if it is empty, each waits until it is the first file.
type Pool struct {
	mu    sync.Mutex
	left  int64         // bytes
	freed chan struct{} // closed when a share need not wait any longer
}

// NewPool returns a pool of memory, in bytes.
func NewPool(bytes int64) *Pool { return &Pool{left: bytes, freed: make(chan struct{})} }

// Share is the part of a pool that one file uses, with all its budgets. A nil share has no limit.
type Share struct {
	pool *Pool
	held int64
	free bool // the first file, or one that is done
}

// Join returns a share that holds nothing.
func (p *Pool) Join() *Share { return &Share{pool: p} }

// First marks the share's file as the first one or as done. The share releases its memory and takes nothing from now
// on.
func (s *Share) First() {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	s.pool.left += s.held
	s.held, s.free = 0, true
	s.pool.wakeWaiters()
}

func (p *Pool) wakeWaiters() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// Wait returns when the share's file is the first one. Errors: the context's.
func (s *Share) Wait(ctx context.Context) error {
	return s.waitUntil(ctx, nil, func() bool { return s.free })
}

// take takes n bytes, as soon as there are as many; meanwhile, the clock stands.
func (s *Share) take(ctx context.Context, c *clock, n int64) error {
	if s == nil {
		return nil
	}
	return s.waitUntil(ctx, c, func() bool {
		if !s.free && n <= s.pool.left {
			s.held += n
			s.pool.left -= n
			return true
		}
		return s.free
	})
}

// give gives n bytes back.
func (s *Share) give(n int64) {
	if s == nil {
		return
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if n = min(n, s.held); n > 0 {
		s.held -= n
		s.pool.left += n
		s.pool.wakeWaiters()
	}
}

// waitUntil waits until a condition holds, of which the pool's lock is held.
func (s *Share) waitUntil(ctx context.Context, c *clock, holds func() bool) error {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	for !holds() {
		freed := p.freed
		p.mu.Unlock()
		resume := c.pause()
		select {
		case <-freed:
		case <-ctx.Done():
		}
		resume()
		p.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// clock ends a context when a time is over. It can stand for a while.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer
	left  time.Duration // when it began
	since time.Time
	stood int // callers for which it stands
	spent time.Duration
}

func newClock(left time.Duration, end func()) *clock {
	return &clock{timer: time.AfterFunc(left, end), left: left, since: time.Now()}
}

// elapsed returns the time that has been spent.
func (c *clock) elapsed() time.Duration {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stood > 0 {
		return c.spent
	}
	return c.spent + time.Since(c.since)
}

// pause stops the clock until resume is called.
func (c *clock) pause() (resume func()) {
	if c == nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stood++; c.stood == 1 {
		c.timer.Stop()
		c.spent += time.Since(c.since)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stood--; c.stood == 0 {
			c.since = time.Now()
			c.timer.Reset(max(c.left-c.spent, 0))
		}
	}
}

// clockKey is the key of a context's clock.
type clockKey struct{}

// Part returns a budget for a file in the budget's package. It has the same limits and its own account, but shares
// the package's time. All [Work] that it spends is also spent by the package.
func (b *Budget) Part() *Budget {
	if b == nil {
		return nil
	}
	return &Budget{Context: b.Context, clock: b.clock, share: b.share, limits: b.limits, whole: b}
}

// HoldPacked spends n bytes of memory for reading a package: the window of a decoder, or a file held in memory. They
// count in the memory of all files that are checked at once. Their limit is not [Memory], but one that grows with the
// package. A negative n releases memory.
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

// Packed states that the file is a package of n bytes. It may take more time than other files: one second for each
// million bytes.
func (b *Budget) Packed(n int64) {
	if b != nil {
		b.isPacked.Store(true)
		b.size.Add(n)
		b.clock.extend(time.Duration(n) * packedTime)
	}
}

// IsPacked reports whether the file is a package.
func (b *Budget) IsPacked() bool { return b.isPacked.Load() }

// Wait calls do while the budget's clock is stopped.
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
