// Package budget limits the cost of checking an input: memory, bytes read and written, work and time. No field of an
// input can raise these limits. [Table] has all of them, with their flags and defaults.
//
// A [Budget] is the account of one file. Code spends from it before it allocates, reads or visits something, and
// stops when the budget is exceeded. Each report has its own budget, for [Output].
package budget

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Budget is the account of one file or report. It is safe for concurrent use. A nil budget has no limits. A budget is
// a context, so package reader can pass it on without a type of its own: see [Of].
type Budget struct {
	context.Context
	clock    *clock // of the context; nil for none
	share    *Share // nil where the file is the only one
	limits   Limits
	used     [NumKinds]atomic.Int64
	largest  atomic.Int64 // .sframe section, bytes
	content  atomic.Int64 // see Content
	bytes    atomic.Int64 // see File
	reserve  atomic.Int64 // bytes used of the reserve for findings
	packed   atomic.Int64 // see HoldPacked
	size     atomic.Int64 // of packages, bytes: see Packed
	isPacked atomic.Bool
	whole    *Budget // see Part

	spent atomic.Pointer[Exceeded] // the limit of Work, once that is exceeded

	mu    sync.Mutex
	over  [NumKinds]*Exceeded
	names map[string]string
}

// Exceeded is the error of an exceeded budget.
type Exceeded struct {
	Kind  Resource
	Limit int64
}

func (e *Exceeded) Error() string {
	b := e.Kind.Bound()
	return fmt.Sprintf("the %s budget is exceeded (--limit %s=%s)", b.Name, b.Flag, b.Format(e.Limit))
}

// New returns a budget with these limits. Users of the budget stop when the context ends.
func New(ctx context.Context, l Limits) *Budget {
	c, _ := ctx.Value(clockKey{}).(*clock)
	return &Budget{Context: ctx, clock: c, limits: l}
}

// Of returns the context as a budget, nil if it is not one.
func Of(ctx context.Context) *Budget {
	b, _ := ctx.(*Budget)
	return b
}

// For returns the context as a budget, or else a new budget with these limits.
func For(ctx context.Context, l Limits) *Budget {
	if b := Of(ctx); b != nil {
		return b
	}
	return New(cmp.Or(ctx, context.Background()), l)
}

// Within makes the budget also take its memory from a share, and returns the budget. If the pool has too little
// memory, Spend waits, and meanwhile the time of [WithTimeout] stops.
func (b *Budget) Within(s *Share) *Budget {
	b.share = s
	return b
}

// WithTimeout returns a context that ends at the limit of [Time], with an [*Exceeded] as its cause. spent is the time
// already used.
func WithTimeout(ctx context.Context, l Limits, spent time.Duration) (context.Context, context.CancelFunc) {
	limit := l.Of(Time)
	if limit < 0 {
		return context.WithCancel(ctx)
	}
	over := &Exceeded{Time, limit}
	ctx, cancel := context.WithCancelCause(ctx)
	if spent >= time.Duration(limit) {
		cancel(over)
	}
	c := newClock(time.Duration(limit)-spent, func() { cancel(over) })
	return context.WithValue(ctx, clockKey{}, c), func() {
		c.timer.Stop()
		cancel(context.Canceled)
	}
}

// Elapsed returns the time since [WithTimeout] created the budget's context. Without a limit it returns 0.
func (b *Budget) Elapsed() time.Duration { return b.clock.elapsed() }

// Err returns why users of the budget must stop, or nil if they may continue. If the context has ended, the error is
// the cause of the context; otherwise the limit of [Work] is exceeded.
func (b *Budget) Err() error {
	if b == nil {
		return nil
	}
	if e := b.spent.Load(); e != nil {
		return e
	}
	if b.whole != nil && b.whole.spent.Load() != nil {
		return b.whole.spent.Load()
	}
	return b.Ended()
}

// Ended is Err, but it ignores the limit of [Work].
func (b *Budget) Ended() error {
	if b.Context.Err() == nil {
		return nil
	}
	err := context.Cause(b.Context)
	var e *Exceeded
	if errors.As(err, &e) {
		b.note(e)
	}
	return err
}

// Spend takes n from the budget. If less is left, it takes nothing and returns an
// [*Exceeded].
func (b *Budget) Spend(k Resource, n int64) error {
	if b == nil {
		return nil
	}
	limit := b.limits.Of(k)
	if limit < 0 {
		return nil
	}
	if k == Work && b.whole != nil {
		if err := b.whole.Spend(k, n); err != nil {
			return err
		}
	}
	bound := b.bound(k, limit)
	if used := b.used[k].Add(n); used <= bound && used >= 0 && n >= 0 {
		if k == Memory {
			return b.share.take(b.Context, b.clock, n)
		}
		return nil
	}
	b.used[k].Add(-n)
	return b.note(&Exceeded{k, limit})
}

// bound returns the limit of a kind, with what the bytes of the file add to it.
func (b *Budget) bound(k Resource, limit int64) int64 {
	bound := limit + k.Bound().PerByte*b.backing(k)
	if k == Memory {
		n := b.largest.Load()
		bound += n + min(n, sectionRoom) + b.packed.Load()
	}
	return bound
}

// Room returns the largest n that Spend would accept, for callers that can use less than they want.
func (b *Budget) Room(k Resource) int64 {
	if b == nil || b.limits.Of(k) < 0 {
		return math.MaxInt64
	}
	return b.bound(k, b.limits.Of(k)) - b.used[k].Load()
}

// reserve bounds the memory for findings beyond the limit.
const reserve = 1 << 20

// Keep spends n bytes of [Memory] for a finding. If the limit is exceeded, it takes them from a small reserve, so
// earlier findings can still be reported. It returns the bytes to release later, and an error if the finding cannot
// be kept.
func (b *Budget) Keep(n int64) (spent int64, err error) {
	if err = b.Spend(Memory, n); err == nil {
		return n, nil
	}
	if b.Ended() == nil && b.reserve.Add(n) <= min(reserve, b.limits.Of(Memory)) {
		return 0, nil
	}
	return 0, err
}

// Keeps reports whether [Budget.Keep] may take n bytes. Once the reserve is empty, only the rest of the limit counts.
func (b *Budget) Keeps(n int64) bool {
	return b.Room(Memory) >= n || b.reserve.Load() <= min(reserve, b.limits.Of(Memory))
}

// Release gives back n after Spend took it.
func (b *Budget) Release(k Resource, n int64) {
	if b != nil && b.limits.Of(k) >= 0 {
		b.used[k].Add(-n)
		if k == Memory {
			b.share.give(n)
		}
	}
}

// Step spends n of [Work], unless [Budget.Err] already returns an error. Loops call it every few thousand steps.
func (b *Budget) Step(n int64) error {
	if err := b.Err(); err != nil {
		return err
	}
	return b.Spend(Work, n)
}

// Used returns the amount that was spent and not released.
func (b *Budget) Used(k Resource) int64 {
	if b == nil {
		return 0
	}
	return b.used[k].Load()
}

// Limit returns the limit of a kind, negative for none.
func (b *Budget) Limit(k Resource) int64 {
	if b == nil {
		return -1
	}
	return b.limits.Of(k)
}

// Name returns a name as a string, and the same string for the same bytes. It spends [Names] for each new name. If
// that budget is exceeded, it returns "" and the error.
func (b *Budget) Name(name []byte) (string, error) {
	if b == nil {
		return string(name), nil
	}
	b.mu.Lock()
	s, ok := b.names[string(name)]
	b.mu.Unlock()
	if ok || len(name) == 0 {
		return s, nil
	}
	if err := b.Spend(Names, int64(len(name))+nameOverhead); err != nil {
		return "", err
	}
	s = string(name)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.names == nil {
		b.names = map[string]string{}
	}
	b.names[s] = s
	return s, nil
}

// nameOverhead is about what the table of names needs for each.
const nameOverhead = 48

// Over reports whether the budget of a kind was exceeded. Then callers need not prepare anything that would spend it.
func (b *Budget) Over(k Resource) bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.over[k] != nil
}

// Exceeded returns the budgets that were exceeded, by kind.
func (b *Budget) Exceeded() []*Exceeded {
	if b == nil {
		return nil
	}
	_ = b.Ended() // notes the time
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*Exceeded
	for _, e := range b.over {
		if e != nil {
			all = append(all, e)
		}
	}
	return all
}

func (b *Budget) note(e *Exceeded) *Exceeded {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over[e.Kind] == nil {
		b.over[e.Kind] = e
	}
	if e.Kind == Work {
		b.spent.Store(e)
	}
	return e
}

// Limits of following the stack through machine code. They are not budgets: beyond them the tool proves less about a
// function. It counts the instructions whose states remain unknown.
const (
	TrackRange      = 16 << 20
	TrackUnit       = 1 << 20
	TrackParts      = 1 << 10
	TrackInsns      = 1 << 17
	TrackBlocks     = 1 << 13
	TrackExecutions = 64
	TrackVisits     = 256
	TrackRounds     = 16
	TrackSlots      = 64
	TrackTables     = 256
	TrackEntries    = 4096
	TrackSites      = 1 << 15
	TrackSiteBytes  = 1 << 18
	TrackEdges      = 1 << 20
	TrackMiddles    = 1 << 16
	TrackStarts     = 1 << 20
	TrackRelocs     = 256 << 20
	TrackRows       = 1 << 15
	TrackWitnesses  = 64
	TrackReplays    = 1 << 22
)

// Fixed is a limit that no flag changes.
type Fixed struct {
	Limit int64
	Text  string // what is bounded, and the effect of exceeding it
}

// Tracking returns the limits of following the stack through machine code.
func Tracking() []Fixed {
	return []Fixed{
		{TrackRange, "bytes of code that an FDE describes; larger functions are not tracked"},
		{TrackUnit, "bytes of code of a function with all its parts; larger functions are not tracked"},
		{TrackParts, "parts of a function; jumps to further parts count as calls"},
		{TrackInsns, "instructions of a function with all its parts; functions with more are not tracked"},
		{TrackBlocks, "blocks of a function; functions with more are not tracked"},
		{TrackExecutions, "how often each instruction of a function is followed, on average; reading 8 words of a state counts once; functions that need more are not tracked"},
		{TrackVisits, "changes of the state before a block; after so many, the state is unknown"},
		{TrackRounds, "how often a function is tracked again without the calls that presumably do not return"},
		{TrackSlots, "words of the stack that are followed at once"},
		{TrackTables, "jump tables of a function; further tables are not read"},
		{TrackEntries, "entries of a jump table; further entries are not read"},
		{TrackSites, "call sites in a table of exceptions; larger tables are not read"},
		{TrackSiteBytes, "bytes of a table of exceptions; the rest is not read"},
		{TrackEdges, "jumps of a file from one function into another; further jumps count as calls"},
		{TrackMiddles, "functions of a file for which calls into their middle are recorded"},
		{TrackStarts, "possible ends of jump tables in the code of a file"},
		{TrackRelocs, "bytes of relocations of a section of code; the rest is not read"},
		{TrackRows, "rows of a function that are compared with its code; further rows are not compared"},
		{TrackWitnesses, "errors of a kind in a function that are confirmed by a path; further errors are only counted"},
		{TrackReplays, "instructions of paths that confirm the errors of a function; further errors are not confirmed"},
	}
}
