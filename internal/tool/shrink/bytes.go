package shrink

import "slices"

// Bytes removes runs of bytes and sets others to zero.
func Bytes(l *Loop[[]byte]) {
	runs(len(l.Value), len(l.Value)/maxRuns, func(at, n int) bool {
		return !l.Ended() && l.Try(slices.Concat(l.Value[:at], l.Value[at+n:]))
	})
	Zeros(l)
}

// maxRuns bounds how many runs of bytes are tried in one pass over the data:
// the larger the data, the longer the runs.
const maxRuns = 4096

// Zeros sets runs of bytes to zero and keeps the length.
func Zeros(l *Loop[[]byte]) {
	total := len(l.Value)
	for size := total; size > total/maxRuns && size > 0; size /= 2 {
		for at := 0; at < total && !l.Ended(); at += size {
			end := min(at+size, total)
			if !isZero(l.Value[at:end]) {
				c := slices.Clone(l.Value)
				clear(c[at:end])
				l.Try(c)
			}
		}
	}
}

func isZero(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }
