package reader

import (
	"math/bits"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// orderRuns returns the runs of bytes that the FDEs claim in a sub-section of some bytes,
// by their offsets, and reports whether two of them share a byte. Adjacent runs of an
// unsorted section are joined.
func orderRuns(runs []model.Span, size int) (ordered []model.Span, shared bool) {
	if slices.IsSortedFunc(runs, func(a, b model.Span) int { return int(a.Off - b.Off) }) {
		end := int64(0)
		for _, r := range runs {
			shared = shared || r.Off < end
			end = max(end, r.End())
		}
		return runs, shared
	}
	// A bit for each byte: to sort the runs would take several times as long.
	claimed := make(bitmap, (size+63)/64)
	for _, r := range runs {
		if claimed.set(int(r.Off), int(r.End())) {
			shared = true
		}
	}
	return claimed.runs(runs[:0], size), shared
}

type bitmap []uint64

// set sets the bits of a range, and reports whether one was set before.
func (b bitmap) set(from, to int) (again bool) {
	for from < to {
		n := min(64-from%64, to-from)
		mask := ^uint64(0) >> (64 - n) << (from % 64)
		word := &b[from/64]
		again = again || *word&mask != 0
		*word |= mask
		from += n
	}
	return again
}

// runs appends the runs of bits that are set below size.
func (b bitmap) runs(out []model.Span, size int) []model.Span {
	for at := 0; ; {
		from := b.next(at, size, 0)
		if from == size {
			return out
		}
		at = b.next(from, size, ^uint64(0))
		out = append(out, model.Span{Off: int64(from), Len: int64(at - from)})
	}
}

// next returns the first bit from a place on that is set, or clear if flip has all bits;
// size if there is none before it.
func (b bitmap) next(at, size int, flip uint64) int {
	for at < size {
		if word := (b[at/64] ^ flip) >> (at % 64); word != 0 {
			return min(at+bits.TrailingZeros64(word), size)
		}
		at += 64 - at%64
	}
	return size
}
