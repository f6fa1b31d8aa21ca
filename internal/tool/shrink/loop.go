// Package shrink minimizes failing inputs. A [Search] minimizes a file: a raw section, an ELF file, an archive that
// contains sections, or any other bytes.
//
// A [Loop] minimizes one value by [Reducer]s: [Sections] for the bytes of a section, which may be damaged, and
// [Bytes] for anything. [ParseFiles] and [FormatFiles] keep small files in one text, a line for each. They must not
// read files of unknown size: the texts belong to this project.
package shrink

// A Reducer makes values of one representation smaller or simpler. It passes candidates to
// [Loop.Try], the smallest first, and continues from each one that is accepted. It never
// changes l.Value in place. Run calls it again as long as candidates are accepted.
type Reducer[T any] func(l *Loop[T])

// Loop looks for the smallest value for which a predicate holds.
type Loop[T any] struct {
	Value T            // the last accepted candidate; initially, a value for which Keep holds
	Keep  func(T) bool // the predicate
	Done  func() bool  // reports whether to stop early; nil means never

	accepted int
}

// Try accepts a candidate if the predicate holds for it, and reports whether
// it does.
func (l *Loop[T]) Try(c T) bool {
	if l.Ended() || !l.Keep(c) {
		return false
	}
	l.Value = c
	l.accepted++
	return true
}

// Ended reports whether Done has stopped the loop: Try then accepts nothing.
func (l *Loop[T]) Ended() bool { return l.Done != nil && l.Done() }

// Run applies reducers in turn until none of them finds a candidate that is
// accepted, and returns the last value.
func (l *Loop[T]) Run(reducers ...Reducer[T]) T {
	for {
		was := l.accepted
		for _, r := range reducers {
			r(l)
		}
		if l.accepted == was || l.Ended() {
			return l.Value
		}
	}
}

// within returns a loop over another representation of what is in l.Value:
// build makes a candidate of l from one of the new loop.
func within[T, U any](l *Loop[T], v U, build func(U) (T, bool)) *Loop[U] {
	return &Loop[U]{Value: v, Done: l.Ended, Keep: func(u U) bool {
		t, ok := build(u)
		return ok && l.Try(t)
	}}
}

// runs tries to leave out runs of n things: all of them, halves and so on down to runs of least. It starts from the
// end, so the things before a run keep their positions. drop leaves out k things from index at on, and reports
// whether that was accepted.
func runs(n, least int, drop func(at, k int) bool) {
	for size := n; n > 0 && size >= max(least, 1); size = min(size/2, n) {
		for at := n; at > 0; {
			k := min(size, at)
			at -= k
			if drop(at, k) {
				n -= k
			}
		}
	}
}
