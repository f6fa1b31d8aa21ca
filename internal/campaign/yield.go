package campaign

import (
	"math/rand/v2"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// What inputs are made of depends on what has found something: half of the broken and of the mutated inputs get a
// break, or a way of mutation, that has led to many buckets of this campaign for the inputs that it took. The inputs of
// an epoch depend on the epochs up to the last but one, which are finished before it begins. So they depend on the
// seed and the targets, and not on the number of workers or on an interruption.

// epochBatches is the number of batches in an epoch, of a shard.
const epochBatches = 4

// Ways of mutation.
const (
	mutateSection = "section"
	mutateFile    = "file"
	mutateBroken  = "broken section" // the section of a broken file
)

// arm is what an input is made by: a break or a way of mutation, for a container.
type arm struct {
	kind breaks.Kind
	name string
}

func (a arm) String() string { return string(a.kind) + " " + a.name }

// arm returns what the input was made by.
func (in *Input) arm(kind breaks.Kind) string {
	switch {
	case in.Class == Broken:
		return arm{kind, in.Break}.String()
	case in.Class == Mutated && in.way != "":
		return arm{kind, in.way}.String()
	}
	return ""
}

// yields are the inputs that arms took, and the buckets that they led to first.
type yields struct {
	inputs, buckets map[string]int
}

// draw draws one of names, by the buckets for the inputs that they took.
func (y *yields) draw(rnd *rand.Rand, kind breaks.Kind, names []string) string {
	weights := make([]float64, len(names))
	sum := 0.0
	for i, name := range names {
		key := arm{kind, name}.String()
		weights[i] = float64(1+8*y.buckets[key]) / float64(8+y.inputs[key])
		sum += weights[i]
	}
	at := rnd.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return names[i]
		}
	}
	return names[len(names)-1]
}

// epoch returns the epoch of a batch, from 0 on.
func (h *header) epoch(number int64) int64 { return number / int64(h.Shards) / epochBatches }

// batchOf returns the number of the batch of a hit's first input.
func (h *header) batchOf(x *hit) int64 {
	if slices.ContainsFunc(h.Targets, func(t *Target) bool { return t.Name == x.Target && t.lib != nil }) {
		return x.Input / int64(h.Libraries)
	}
	return x.Input / int64(h.Batch)
}

// yields returns what the inputs of an epoch depend on, nil in the first two.
func (j *journal) yields(epoch int64) *yields {
	if epoch < 2 {
		return nil
	}
	y := &yields{map[string]int{}, map[string]int{}}
	for e, by := range j.arms {
		if e <= epoch-2 {
			for name, n := range by {
				y.inputs[name] += n
			}
		}
	}
	for _, h := range j.buckets {
		if h.Arm != "" && j.header.epoch(j.header.batchOf(h)) <= epoch-2 {
			y.buckets[h.Arm]++
		}
	}
	return y
}

// makerOf returns the maker of the inputs of a batch.
func (c *campaign) makerOf(number int64) maker {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.journal.header.epoch(number)
	y, ok := c.epochs[e]
	if !ok {
		y = c.journal.yields(e)
		c.epochs[e] = y
	}
	m := c.maker
	m.yields = y
	return m
}

// ready reports whether the epochs are done that the inputs of a batch depend on. The caller has the lock.
func (c *campaign) ready(number int64) bool {
	h := &c.journal.header
	last := h.epoch(number) - 1 // this one need not be done
	for k := range max(last, 0) * epochBatches {
		if n := k*int64(h.Shards) + int64(h.Shard); !c.journal.done[n] {
			return false
		}
	}
	return true
}
