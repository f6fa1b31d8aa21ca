// Package campaign runs other programs that read SFrame sections on valid, broken and mutated inputs, and stores the
// inputs on which they fail. An input depends only on the seed of the campaign and its index.
//
// Inputs are processed in batches. The journal of a campaign has a line for each finished batch, so a campaign can be
// continued after it was killed. Failures are put into buckets by where or how the target fails. The first input of
// each bucket is minimized and becomes a find.
//
// A [Library] reads sections in the process of a driver in C, many thousands a second. The driver is compiled on
// demand. It decodes sections, looks up PCs, and writes the results as text. The package has no rules of its own for
// consumers: the model and package plain define correct reading.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Setup describes a campaign.
type Setup struct {
	Dir           string // directory of the journal and the finds; an existing campaign is continued
	Targets       []*Target
	Seed          uint64
	Count         int64         // of inputs; 0 means no limit
	Time          time.Duration // of the campaign; 0 means no limit
	Jobs          int           // inputs in parallel
	Shard, Shards int           // work on batches k with k mod Shards == Shard; Shards 0 means 1
	Program       string        // the version of the program
	Known         []Known       // failures that do not count as new
	First         bool          // end after the batch with the first new failure
	Status        func(Status)  // called from time to time; may be nil
}

// Status is the progress of a campaign.
type Status struct {
	Inputs    int64   `json:"inputs"`
	Runs      int     `json:"runs"`
	PerSecond float64 `json:"runs_per_second"` // of this process
	Finds     int     `json:"finds"`
	New       int     `json:"new"`
	Seconds   float64 `json:"seconds"`
}

// campaign is a running campaign.
type campaign struct {
	Setup
	maker maker
	begun time.Time
	next  atomic.Int64 // index of the next batch of this shard; 0 stands for the plain sections
	root  *os.Root     // Dir: no link leads out of it

	mu                  sync.Mutex // of what follows
	journal             *journal
	before              int // runs before this process
	claimed             map[string]bool
	first               time.Duration // to the first failure that is not known
	status              time.Time
	minimizing, running time.Duration // of all workers
}

// Run runs a campaign until it or the context ends, and returns its summary. Errors: I/O, and targets that cannot be
// started.
func Run(ctx context.Context, opts Setup) (*Summary, error) {
	opts.Shards, opts.Jobs = max(opts.Shards, 1), max(opts.Jobs, 1)
	if err := os.MkdirAll(opts.Dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(opts.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	m := maker{opts.Seed}
	inputs, err := m.fingerprint()
	if err != nil {
		return nil, err
	}
	j, err := openJournal(root, header{journalSchema, opts.Program, inputs, opts.Seed, sizeOfBatch(opts.Targets), opts.Targets, opts.Shard, opts.Shards})
	if err != nil {
		return nil, err
	}
	defer j.close()
	c := &campaign{Setup: opts, maker: m, begun: time.Now(), root: root, journal: j, before: j.runs(), claimed: map[string]bool{}}
	if err := c.prepareDir(); err != nil {
		return nil, err
	}
	if err := c.work(ctx); err != nil {
		return nil, err
	}
	return c.summary(context.Cause(ctx) != nil)
}

// work probes the targets and runs the workers.
func (c *campaign) work(ctx context.Context) error {
	first, err := temporary(ctx, c.Targets)
	defer first.remove()
	if err != nil {
		return dropEnded(ctx, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	errs := make([]error, c.Jobs)
	for i := range c.Jobs {
		wg.Go(func() {
			own := newScratch(filepath.Join(first.dir, fmt.Sprint("worker", i)), first.drivers)
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
	return dropEnded(ctx, errors.Join(errs...))
}

// dropEnded drops the errors of a context that has ended.
func dropEnded(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// worker works on batches and finds until there are none.
func (c *campaign) worker(ctx context.Context, s scratch) error {
	for more := true; ; {
		begun := time.Now()
		for h := c.claimBucket(more); h != nil; h = c.claimBucket(more) {
			if err := c.find(ctx, s, h); err != nil {
				return err
			}
			begun = c.addTime(&c.minimizing, begun)
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
		c.addTime(&c.running, begun)
		if err := c.commit(b); err != nil {
			return err
		}
	}
}

// addTime adds the time since a moment, and returns the present one.
func (c *campaign) addTime(on *time.Duration, since time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	*on += now.Sub(since)
	return now
}

// timeLeft returns the time that is left of the campaign.
func (c *campaign) timeLeft() time.Duration {
	if c.Time == 0 {
		return shrinkTime
	}
	return c.Time - time.Since(c.begun)
}

// nextBatch returns the number of the next batch that is not done, false if the campaign ends.
func (c *campaign) nextBatch(ctx context.Context) (int64, bool) {
	for ctx.Err() == nil && c.timeLeft() > 0 {
		k := c.next.Add(1) - 1
		number := (k-1)*int64(c.Shards) + int64(c.Shard)
		if k == 0 {
			number = plainBatch
		}
		if c.Count > 0 && number*int64(c.journal.header.Batch) >= c.Count {
			return 0, false
		}
		c.mu.Lock()
		done, found := c.journal.done[number], c.First && c.first > 0
		c.mu.Unlock()
		switch {
		case found:
			return 0, false
		case !done && (k > 0 || c.Shard == 0):
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
	st := c.now()
	if c.first == 0 && st.New > 0 {
		c.first = time.Since(c.begun)
	}
	if c.Status != nil && time.Since(c.status) > time.Second/2 {
		c.status = time.Now()
		c.Status(st)
	}
	return nil
}

// now returns the progress; the caller has the lock.
func (c *campaign) now() Status {
	took := time.Since(c.begun).Seconds()
	st := Status{Runs: c.journal.runs(), Finds: len(c.journal.buckets), Seconds: took}
	for _, n := range c.journal.total.Inputs {
		st.Inputs += int64(n)
	}
	st.PerSecond = float64(st.Runs-c.before) / max(took, 1e-9)
	for b := range c.journal.buckets {
		if !slices.ContainsFunc(c.Known, func(k Known) bool { return k.Bucket == b }) {
			st.New++
		}
	}
	return st
}

// claimBucket returns a bucket without a find that no worker has; nil if there is none. While there are more
// batches, finds get half of the time: others are not drawn while one is minimized.
func (c *campaign) claimBucket(more bool) *hit {
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
			if _, err := c.root.Lstat(path.Join(findsName, id)); errors.Is(err, fs.ErrNotExist) {
				copied := *h
				return &copied
			}
		}
	}
	return nil
}

// maxFinds bounds the finds of a campaign: more buckets are only counted.
const maxFinds = 1000

// unfinished is how the name of a find's directory begins until the find is complete.
const unfinished = ".tmp-"

// prepareDir makes the directory of the finds, and removes what a killed process has left there.
func (c *campaign) prepareDir() error {
	if err := c.root.Mkdir(findsName, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := c.root.Lstat(findsName); err != nil || !info.IsDir() {
		return errors.Join(err, fmt.Errorf("%s: not a directory", filepath.Join(c.Dir, findsName)))
	}
	entries, err := fs.ReadDir(c.root.FS(), findsName)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished) {
			err = errors.Join(err, c.root.RemoveAll(path.Join(findsName, e.Name())))
		}
	}
	return err
}
