package campaign

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestPace: a slow target reads a part of each batch, another one than of the batch before, and a fast one all inputs. A
// campaign of a number of inputs runs all targets on all.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &campaign{Setup: Setup{Targets: make([]*Target, 2)}}
		read := func(number int64, each time.Duration) (all []int) {
			for k := range c.pace(number, 64) {
				all = append(all, k)
				time.Sleep(each)
			}
			return all
		}
		assert.Equal(t, []int{0, 1, 2}, read(0, 2*time.Second))
		assert.Equal(t, []int{48, 49, 50}, read(3, 2*time.Second))
		assert.Len(t, read(1, time.Millisecond), 64)
		assert.Len(t, read(plainBatch, time.Minute), 64)
		c.Count = 100
		assert.Len(t, read(1, time.Minute), 64)
	})
}
