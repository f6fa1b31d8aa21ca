// Package campaign runs other programs that read SFrame sections on valid, broken and mutated
// inputs, and stores the inputs on which they fail.
//
// An input depends only on the seed of the campaign and its index. Inputs are processed in batches.
// The journal of a campaign has a line for each finished batch, so that a campaign that was killed
// at any moment can be continued. Failures are put into buckets by where or how the target fails;
// the first input of each bucket is minimized and becomes a find.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// Options describe a campaign.
type Options struct {
	Dir           string // directory of the journal and the finds
	Targets       []*Target
	Seed          uint64
	Only          Class         // of inputs; "" for all
	Count         int64         // of inputs; 0 for any number
	Time          time.Duration // of the campaign; 0 for any time
	Jobs          int           // inputs at a time
	Shard, Shards int           // work on batches k with k mod Shards == Shard; Shards 0 means 1
	Resume        bool          // continue the campaign in Dir
	Program       string        // the version of the program
	Known         []Known       // that do not count as new
	MaxShrink     int           // maximum number of runs to minimize a find; 0 means 3000
	Backtraces    bool          // run gdb on crashes
	Status        func(Status)  // called from time to time; may be nil
}

// Status is the progress of a campaign.
type Status struct {
	Inputs    int64   `json:"inputs"`
	Runs      int     `json:"runs"`
	PerSecond float64 `json:"runs_per_second"` // of this process
	Finds     int     `json:"finds"`
	New       int     `json:"new"`
	Pairs     int     `json:"pairs"`     // breaks and targets that were tried
	AllPairs  int     `json:"all_pairs"` // that exist
	Seconds   float64 `json:"seconds"`
}

// campaign is a running campaign.
type campaign struct {
	Options
	maker maker
	begun time.Time
	next  atomic.Int64 // index of the next batch of this shard

	nextScale atomic.Int64

	mu                  sync.Mutex // of what follows
	journal             *journal
	before              int        // runs before this process
	changed             *sync.Cond // a batch was added, or the campaign ends
	epochs              map[int64]*yields
	claimed             map[string]bool
	status              time.Time
	minimizing, running time.Duration // of all workers
}

// Run runs a campaign until its end or that of the context, and returns its summary. Errors:
// those of the disk, and targets that cannot be started.
func Run(ctx context.Context, opts Options) (*Summary, error) {
	opts.Shards, opts.Jobs = max(opts.Shards, 1), max(opts.Jobs, 1)
	if opts.MaxShrink == 0 {
		opts.MaxShrink = 3000
	}
	if err := os.MkdirAll(filepath.Join(opts.Dir, findsName), 0o777); err != nil {
		return nil, err
	}
	m := maker{opts.Seed, opts.Only, nil}
	inputs, err := m.fingerprint()
	if err != nil {
		return nil, err
	}
	programs, libraries := batchSizes(opts.Targets)
	j, err := openJournal(opts.Dir, header{journalSchema, opts.Program, inputs, opts.Seed, opts.Only, programs, opts.Targets, opts.Shard, opts.Shards, libraries}, opts.Resume)
	if err != nil {
		return nil, err
	}
	defer j.close()
	c := &campaign{Options: opts, maker: m, begun: time.Now(), journal: j, before: j.runs(), claimed: map[string]bool{}, epochs: map[int64]*yields{}}
	c.changed = sync.NewCond(&c.mu)
	if err := c.clean(); err != nil {
		return nil, err
	}
	if err := c.work(ctx); err != nil {
		return nil, err
	}
	return c.summary(context.Cause(ctx) != nil)
}

// work probes the targets and runs the workers.
func (c *campaign) work(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	first, err := ready(ctx, dir, c.Targets)
	defer first.close()
	if err != nil {
		return ended(ctx, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(ctx, c.wake)()
	var wg sync.WaitGroup
	errs := make([]error, c.Jobs)
	for i := range c.Jobs {
		wg.Go(func() {
			own := newScratch(filepath.Join(dir, fmt.Sprint("worker", i)), first.drivers)
			defer own.close()
			if errs[i] = os.Mkdir(own.dir, 0o700); errs[i] == nil {
				errs[i] = c.worker(ctx, own)
			}
			if errs[i] != nil {
				cancel(errs[i])
			}
		})
	}
	wg.Wait()
	return ended(ctx, errors.Join(errs...))
}

// ended drops the errors of a context that has ended.
func ended(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// worker measures targets, then works on batches and finds until there are none.
func (c *campaign) worker(ctx context.Context, s scratch) error {
	if err := c.measureAll(ctx, s); err != nil {
		return ended(ctx, err)
	}
	for more := true; ; {
		begun := time.Now()
		for h := c.unclaimed(more); h != nil; h = c.unclaimed(more) {
			if err := c.find(ctx, s, h); err != nil {
				return err
			}
			begun = c.spent(&c.minimizing, begun)
		}
		if !more {
			return nil
		}
		var number int64
		if number, more = c.nextBatch(ctx); !more {
			continue
		}
		begun = time.Now()
		b, err := c.batch(ctx, s, number)
		if err != nil {
			return err
		}
		c.spent(&c.running, begun)
		if err := c.commit(b); err != nil {
			return err
		}
	}
}

// spent adds the time since a moment, and returns the present one.
func (c *campaign) spent(on *time.Duration, since time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	*on += now.Sub(since)
	return now
}

// wake wakes the workers that wait for batches of others.
func (c *campaign) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed.Broadcast()
}

func (c *campaign) size() int64 { return int64(c.journal.header.Batch) }

// nextBatch returns the number of the next batch that is not done, false if the campaign ends.
func (c *campaign) nextBatch(ctx context.Context) (int64, bool) {
	for ctx.Err() == nil && (c.Time == 0 || time.Since(c.begun) < c.Time) {
		number := (c.next.Add(1)-1)*int64(c.Shards) + int64(c.Shard)
		if c.Count > 0 && number*c.size() >= c.Count {
			return 0, false
		}
		c.mu.Lock()
		for ctx.Err() == nil && !c.ready(number) {
			c.changed.Wait()
		}
		done := c.journal.done[number]
		c.mu.Unlock()
		if !done && ctx.Err() == nil {
			return number, true
		}
	}
	return 0, false
}

// commit writes a finished batch.
func (c *campaign) commit(b *batch) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.journal.add(b); err != nil {
		return err
	}
	c.changed.Broadcast()
	if c.Status != nil && time.Since(c.status) > time.Second/2 {
		c.status = time.Now()
		c.Status(c.now())
	}
	return nil
}

// now returns the progress; the caller has the lock.
func (c *campaign) now() Status {
	took := time.Since(c.begun).Seconds()
	st := Status{Runs: c.journal.runs(), Finds: len(c.journal.buckets), Seconds: took, AllPairs: len(breaks.All()) * len(c.Targets)}
	for _, n := range c.journal.total.Inputs {
		st.Inputs += int64(n)
	}
	st.PerSecond = float64(st.Runs-c.before) / max(took, 1e-9)
	for _, by := range c.journal.total.Breaks {
		st.Pairs += len(by)
	}
	for b := range c.journal.buckets {
		if !slices.ContainsFunc(c.Known, func(k Known) bool { return k.Bucket == b }) {
			st.New++
		}
	}
	return st
}

// unclaimed returns a bucket without a find that nobody works on; nil if there is none. While there are more
// batches, finds get half of the time: others are not drawn while one is minimized.
func (c *campaign) unclaimed(more bool) *hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	if more && c.minimizing > c.running {
		return nil
	}
	for _, h := range c.journal.hits() {
		if id := h.ID(); !c.claimed[id] {
			c.claimed[id] = true
			if len(c.claimed) > maxFinds {
				continue
			}
			if _, err := os.Stat(filepath.Join(c.Dir, findsName, id)); errors.Is(err, os.ErrNotExist) {
				copied := *h
				return &copied
			}
		}
	}
	return nil
}

// maxFinds bounds the finds of a campaign: more buckets are only counted.
const maxFinds = 1000

// clean removes what a killed process has left.
func (c *campaign) clean() error {
	entries, err := os.ReadDir(filepath.Join(c.Dir, findsName))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".tmp-") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(c.Dir, findsName, e.Name())))
		}
	}
	return err
}
