package budget

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

var units = []struct {
	suffix string
	shift  int
}{{"K", 10}, {"M", 20}, {"G", 30}}

// formatSize writes a number of bytes, with a unit where it is a multiple of one: 4097, 64M, 1G.
func formatSize(n int64) string {
	for _, u := range slices.Backward(units) {
		if n != 0 && n%(1<<u.shift) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

// parseSize reads a number of bytes. A unit is 1024 times the previous one, and may be followed by
// B or iB.
func parseSize(text string) (int64, error) {
	digits, shift := text, 0
	upper := strings.ToUpper(text)
	for _, u := range units {
		for _, suffix := range []string{u.suffix, u.suffix + "B", u.suffix + "IB"} {
			if rest, ok := strings.CutSuffix(upper, suffix); ok {
				digits, shift = rest, u.shift
			}
		}
	}
	v, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || v > math.MaxInt64>>shift {
		return 0, errors.New("expected a number of bytes like 4096, 64M or 1G")
	}
	return int64(v << shift), nil
}
