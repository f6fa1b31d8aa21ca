//go:build !linux

package regular

func run(_ int, off, end int64) (from, to int64) { return off, end }
