package proof

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// pushes returns a function of n pushes, each with a branch to any of them after it.
func pushes(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	code := make([]byte, 0, 7*n+1)
	for i := range n {
		code = append(code, 0x50, 0x0f, 0x85)
		code = binary.LittleEndian.AppendUint32(code, uint32(7*(r.IntN(n)-i-1)))
	}
	return append(code, 0xc3)
}

// TestWork counts the work of a function whose states are large and change often. It is bounded
// by a multiple of its instructions, and it ends where the budget does.
func TestWork(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	const n = 3000
	code := pushes(n)
	ranges := []Range{{Start: codeAt, End: codeAt + uint64(len(code))}}
	used := func(b *budget.Budget) (work int64) {
		file := program(abi, code, nil)
		require.NoError(t, reader.ScanReader("program", bytes.NewReader(file), int64(len(file)), reader.Options{Context: b}, func(o *reader.Object) error {
			x, err := New(o, ranges, nil, nil)
			require.NoError(t, err)
			err = x.Run(1, nil)
			work = budget.Of(o.Context).Used(budget.Work)
			if err != nil {
				require.ErrorAs(t, err, new(*budget.Exceeded))
			}
			return nil
		}))
		return work
	}
	const most = (maxWork + budget.TrackExecutions*2*n + 2*payStep) * execSteps
	work := used(budget.New(t.Context(), budget.Limits{}))
	require.Less(t, work, int64(3*most))
	require.Greater(t, work, int64(most/4))
	// It ends soon after the budget does.
	limit := work / 4
	require.LessOrEqual(t, used(budget.New(t.Context(), budget.Limits{budget.Work: limit})), limit)
}

// TestMergeSlots holds the joining of sorted slots against one that looks each up.
func TestMergeSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() *state {
		s := &state{floor: -8 * int64(r.IntN(100)), dead: -8 * int64(20+r.IntN(100))}
		for range r.IntN(90) {
			at := uint32(r.IntN(2))
			s.put(slot{base: []Base{CFA, Aligned}[at], at: at * uint32(1+r.IntN(2)), off: -8 * int64(r.IntN(60)), v: Value{Base: Base(r.IntN(11)), Off: int64(r.IntN(2))}})
		}
		return s
	}
	for range 3000 {
		a, o := random(), random()
		var want state
		want.slots, want.floor, want.dead = append(want.slots, a.slots...), a.floor, a.dead
		by := joiner{both: r.IntN(2) == 0, stack: r.IntN(2) == 0}
		changed := want.mergeEach(o, by)
		require.Equal(t, changed, a.mergeSlots(o, by))
		require.True(t, sameSlots(want.slots, a.slots))
		require.Equal(t, want.floor, a.floor)
		require.Equal(t, want.dead, a.dead)
	}
}

// mergeEach is mergeSlots without the order.
func (s *state) mergeEach(o *state, by joiner) bool {
	changed := false
	floor, dead := max(s.floor, o.floor), min(s.dead, o.dead)
	for i := range o.slots {
		p := &o.slots[i]
		if _, ok := s.find(p.base, p.at, p.off); ok {
			continue
		}
		if here := s.absent(p.base, p.off); by.join(here, p.v) != here {
			s.put(slot{p.base, p.at, p.off, p.by, by.join(here, p.v)})
			changed = true
		}
	}
	for i := range s.slots {
		p := &s.slots[i]
		there := o.absent(p.base, p.off)
		if j, ok := o.find(p.base, p.at, p.off); ok {
			there = o.slots[j].v
		}
		if v := by.join(p.v, there); v != p.v {
			p.v, changed = v, true
		}
	}
	if floor != s.floor || dead != s.dead {
		s.floor, s.dead, changed = floor, dead, true
	}
	s.trim()
	return changed
}
