package shrinking

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
