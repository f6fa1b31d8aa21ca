package campaign

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/inprocess"
)

// TestYields draws what has found something more often than what has not, and everything at times.
func TestYields(t *testing.T) {
	y := &yields{map[string]int{"rel a": 20, "rel b": 20, "rel c": 2}, map[string]int{"rel b": 5, "exec a": 9}}
	rnd, counts := rand.New(rand.NewPCG(1, 1)), map[string]int{}
	for range 1000 {
		counts[y.draw(rnd, breaks.Rel, []string{"a", "b", "c"})]++
	}
	assert.Greater(t, counts["b"], 700)
	assert.Positive(t, counts["a"])
	assert.Greater(t, counts["c"], counts["a"], "it has hardly been tried")
}

// TestEpochs holds what the inputs of an epoch depend on: all epochs but the previous one.
func TestEpochs(t *testing.T) {
	j := newJournal(header{Batch: 32, Shards: 2, Shard: 1})
	c := &campaign{journal: j}
	assert.True(t, c.ready(1))
	assert.Nil(t, j.yields(1))
	for k := range int64(epochBatches) {
		assert.False(t, c.ready(2*2*epochBatches+1), "after %d batches", k)
		j.count(&batch{Number: 2*k + 1, Arms: map[string]int{"rel magic": 3},
			Hits: []*hit{{Bucket: Bucket{Key: "x"}, Input: (2*k + 1) * 32, Arm: "rel magic"}}})
	}
	assert.True(t, c.ready(2*2*epochBatches+1))
	assert.Equal(t, &yields{map[string]int{"rel magic": 3 * epochBatches}, map[string]int{"rel magic": 1}}, j.yields(2))
	j.count(&batch{Number: 2*epochBatches + 1, Arms: map[string]int{"rel size": 1}, Hits: []*hit{{Bucket: Bucket{Key: "y"}, Input: (2*epochBatches + 1) * 32, Arm: "rel size"}}})
	assert.Equal(t, map[string]int{"rel magic": 1}, j.yields(2).buckets, "the previous epoch does not count")
	assert.Equal(t, map[string]int{"rel magic": 1, "rel size": 1}, j.yields(3).buckets)
}

// TestBatches: libraries get more inputs in a batch than programs beside them, in numbers of their own.
func TestBatches(t *testing.T) {
	program, library := &Target{Name: "objdump"}, &Target{Name: "glibc", lib: &inprocess.Library{}}
	h := header{Targets: []*Target{program, library}, Shards: 1}
	h.Batch, h.Libraries = batchSizes(h.Targets)
	c := &campaign{journal: newJournal(h), Options: Options{Count: 2*batchSize + 1}}
	for target, size := range map[*Target]int64{program: batchSize, library: besideBatch} {
		from, end := c.inputs(1, size)
		assert.Equal(t, []int64{size, 2 * size}, []int64{from, end})
		for input, want := range map[int64]int64{from - 1: 0, from: 1, end - 1: 1, end: 2} {
			assert.Equal(t, want, h.batchOf(&hit{Bucket: Bucket{Target: target.Name}, Input: input}), target.Name)
		}
		_, end = c.inputs(2, size)
		assert.Equal(t, 2*size+size/batchSize, end)
	}
	programs, libraries := batchSizes(h.Targets[1:])
	assert.Equal(t, []int{libraryBatch, libraryBatch}, []int{programs, libraries})
}

// TestYieldInputs makes the same input for the same yields, and others for others.
func TestYieldInputs(t *testing.T) {
	y := &yields{map[string]int{}, map[string]int{"rel magic": 1000, "rel section": 1, "rel broken section": 1000}}
	magic, broken := 0, 0
	for i := range int64(80) {
		a, err := maker{seed: 1, yields: y}.input(i, shape{kind: breaks.Rel})
		require.NoError(t, err)
		b, err := maker{seed: 1, yields: y}.input(i, shape{kind: breaks.Rel})
		require.NoError(t, err)
		require.Equal(t, a, b)
		if a.Break == "magic" {
			magic++
		}
		if a.way == mutateBroken && len(a.Recipe.Breaks) > 0 {
			broken++
		}
	}
	assert.Greater(t, magic, 8)
	assert.Greater(t, broken, 6)
}
