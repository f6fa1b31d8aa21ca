// Package glob matches names and paths against patterns. In both, * stands
// for any characters and ? for one byte; nothing else is special, as symbols have
// brackets and backslashes of their own.
package glob

import "strings"

// Name matches the whole of a name.
func Name(pattern, name string) bool { return match(pattern, name, "") }

// Path matches a path with slashes: * and ? do not match a slash, ** does.
// A pattern without a slash is for the last element, one that ends with a
// slash for all that is below a directory. A relative pattern matches from
// any element of the path on.
func Path(pattern, path string) bool {
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	pattern = strings.TrimPrefix(pattern, "./")
	path = strings.TrimPrefix(path, "./")
	if match(pattern, path, "/") {
		return true
	}
	if strings.HasPrefix(pattern, "/") {
		return false
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && match(pattern, path[i+1:], "/") {
			return true
		}
	}
	return false
}

// match runs in time proportional to the product of the lengths at most.
// What * stops at, ** does not.
func match(pattern, s, stop string) bool {
	// state[i] reports whether pattern[:i] matches what has been read of s.
	state := make([]bool, len(pattern)+1)
	next := make([]bool, len(pattern)+1)
	state[0] = true
	closure(pattern, state)
	for k := 0; k < len(s); k++ {
		stopped := stop != "" && s[k] == stop[0]
		clear(next)
		for i := 0; i < len(pattern); i++ {
			if !state[i] {
				continue
			}
			switch c := pattern[i]; {
			case c == '*':
				if !stopped || deep(pattern, i) {
					next[i] = true
				}
			case c == '?':
				next[i+1] = next[i+1] || !stopped
			default:
				next[i+1] = next[i+1] || c == s[k]
			}
		}
		state, next = next, state
		closure(pattern, state)
	}
	return state[len(pattern)]
}

// closure lets every * match nothing, and "**/" too.
func closure(pattern string, state []bool) {
	for i := 0; i < len(pattern); i++ {
		if !state[i] || pattern[i] != '*' {
			continue
		}
		state[i+1] = true
		if strings.HasPrefix(pattern[i:], "**/") && (i == 0 || pattern[i-1] == '/') {
			state[i+3] = true
		}
	}
}

// deep reports whether the * at i is one of a pair.
func deep(pattern string, i int) bool {
	return i+1 < len(pattern) && pattern[i+1] == '*' || i > 0 && pattern[i-1] == '*'
}
