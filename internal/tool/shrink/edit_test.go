package shrink

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
)

// TestMover compares with what is left of the numbers from 0 on.
func TestMover(t *testing.T) {
	e := &edit{b: make([]byte, 40)}
	for _, sp := range []model.Span{{Off: 30, Len: 4}, {Off: 3, Len: 2}, {Off: 5, Len: 3}, {Off: 4, Len: 1}, {Off: 38, Len: 9}} {
		e.cut(sp)
	}
	e.join()
	assert.Equal(t, []model.Span{{Off: 3, Len: 5}, {Off: 30, Len: 4}, {Off: 38, Len: 2}}, e.cuts)
	moved, left := e.mover(), int64(0)
	for off := range int64(45) {
		assert.Equal(t, left, moved(off), "%d", off)
		gone := off >= 40
		for _, c := range e.cuts {
			gone = gone || c.Contains(off)
		}
		if off >= 40 || !gone {
			left++
		}
	}
	assert.Len(t, e.remaining(), int(moved(40)))
}
