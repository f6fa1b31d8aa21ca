//go:build mutator

package main

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/fuzz"
)

// mutator is the state of one afl-fuzz.
type mutator struct {
	m    *fuzz.Mutator
	trim trimmer
}

func newMutator(seed uint64) *mutator { return &mutator{m: fuzz.New(seed)} }

// fuzz returns a changed input of 1 to most bytes. other is an input of the
// queue, from which parts may be copied.
func (u *mutator) fuzz(data, other []byte, most int) []byte {
	u.m.Other, u.m.Max = other, max(most, 1)
	return nonEmpty(u.m.Section(data, 1<<u.m.Rand.IntN(4)), data)
}

// cross returns a changed input of 1 to most bytes with parts of another one.
func (u *mutator) cross(data, other []byte, most int) []byte {
	u.m.Other, u.m.Max = other, max(most, 1)
	return nonEmpty(u.m.Cross(data), data)
}

// nonEmpty replaces an empty result, which AFL++ does not accept.
func nonEmpty(b, data []byte) []byte {
	switch {
	case len(b) > 0:
		return b
	case len(data) > 0:
		return data[:1]
	}
	return []byte{0}
}

// describe returns the last changes in at most the given number of bytes, for the
// name of a file.
func (u *mutator) describe(most int) string {
	s := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, strings.Join(u.m.Log(), "+"))
	return s[:min(len(s), max(most, 0))]
}
