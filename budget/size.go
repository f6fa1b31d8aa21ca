package budget

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Size is a number of bytes, written with or without a unit: 4096, 64M, 1G. It can
// be the value of a flag.
type Size int64

var units = []struct {
	suffix string
	shift  int
}{{"K", 10}, {"M", 20}, {"G", 30}}

func (s *Size) String() string {
	for _, u := range slices.Backward(units) {
		if *s != 0 && *s%(1<<u.shift) == 0 {
			return strconv.FormatInt(int64(*s)>>u.shift, 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Set parses a size. A unit is 1024 times the previous one, and may be followed by
// B or iB.
func (s *Size) Set(text string) error {
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
		return errors.New("want a number of bytes like 4096, 64M or 1G")
	}
	*s = Size(v << shift)
	return nil
}
