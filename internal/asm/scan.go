package asm

import (
	"fmt"
	"strconv"
	"strings"
)

// pos is a place in a text.
type pos struct {
	file      string
	line, col int
}

// token is a word, a string or a sign. A word consists of letters, digits and the characters _ . $ @.
type token struct {
	kind byte // 'w': word, '"': string, 0: the end of the line; a sign stands for itself
	text string
	pos  pos
}

const signs = "=+-*():;,"

func wordChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '@'
}

// Plain reports whether a name is a word, so that a text can have it without quotes.
func Plain(name string) bool {
	if name == "" || name[0] == '.' || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		if !wordChar(name[i]) {
			return false
		}
	}
	return true
}

// scan appends the tokens of a line to dst. The last one is the end of the line.
func scan(dst []token, line string, at pos) ([]token, error) {
	for i := 0; i < len(line); {
		c := line[i]
		at.col = i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#':
			i = len(line)
		case wordChar(c):
			n := i + 1
			for n < len(line) && wordChar(line[n]) {
				n++
			}
			dst = append(dst, token{'w', line[i:n], at})
			i = n
		case c == '"':
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return dst, failure{at, "a string without an end, or with an unknown escape"}
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return dst, failure{at, "a string with an unknown escape"}
			}
			dst = append(dst, token{'"', text, at})
			i += len(quoted)
		case strings.IndexByte(signs, c) >= 0:
			dst = append(dst, token{c, line[i : i+1], at})
			i++
		default:
			return dst, failure{at, fmt.Sprintf("unexpected character %q", firstRune(line[i:]))}
		}
	}
	at.col = len(line) + 1
	return append(dst, token{0, "the end of the line", at}), nil
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// failure is an error at a place.
type failure struct {
	at  pos
	why string
}

func (f failure) Error() string { return f.why }

// parseNumber returns the value of a word that is a number: decimal, or with the prefix 0x, 0o or 0b.
// Numbers from 1<<63 on stand for negative ones, as addresses do.
func parseNumber(word string) (int64, bool) {
	if len(word) > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9' {
		return 0, false
	}
	v, err := strconv.ParseUint(word, 0, 64)
	return int64(v), err == nil
}

// isNumber reports whether a word begins as numbers do.
func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }
