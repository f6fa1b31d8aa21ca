package rules

import "fmt"

// Count writes a number with its noun: "1 row", "3 rows".
func Count[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}
