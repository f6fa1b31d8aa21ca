package shrinking

// Reduce leaves out as many of n things as it can. drop leaves out n of them
// from the at-th on and tells whether what is left will do; if not, it must
// leave all as it was. Reduce tells whether any was left out.
func Reduce(n int, drop func(at, n int) bool) bool { return reduce(n, 1, drop) }

// reduce offers runs of n things to be left out: all of them, halves and so
// on down to runs of least. Each time from the end, so that those in front
// of what was left out keep their places. It tells whether any was left out.
func reduce(n, least int, drop func(at, n int) bool) (any bool) {
	for size := n; n > 0 && size >= max(least, 1); size = min(size/2, n) {
		for at := n; at > 0; {
			k := min(size, at)
			at -= k
			if drop(at, k) {
				n -= k
				any = true
			}
		}
	}
	return any
}
