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
	kind byte   // 'w': word, '"': string, 0: the end of the line, '!': an error; a sign stands for itself
	text string // of an error, what is wrong
	pos  pos
}

const signs = "=+-*():;,"

func wordChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '@'
}

// Plain reports whether a text may contain a name without quotes.
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

// scan returns the token of a line at an offset or after it, and the offset of what follows.
func scan(line string, i int, at pos) (token, int) {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
		i++
	}
	at.col = i + 1
	if i == len(line) || line[i] == '#' {
		at.col = len(line) + 1
		return token{0, "the end of the line", at}, len(line)
	}
	switch c := line[i]; {
	case wordChar(c):
		n := i + 1
		for n < len(line) && wordChar(line[n]) {
			n++
		}
		return token{'w', line[i:n], at}, n
	case c == '"':
		quoted, err := strconv.QuotedPrefix(line[i:])
		if err != nil {
			return token{'!', "a string without an end, or with an unknown escape", at}, len(line)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return token{'!', "a string with an unknown escape", at}, len(line)
		}
		return token{'"', text, at}, i + len(quoted)
	case strings.IndexByte(signs, c) >= 0:
		return token{c, line[i : i+1], at}, i + 1
	default:
		return token{'!', fmt.Sprintf("unexpected character %q", string([]rune(line[i:])[:1])), at}, len(line)
	}
}

// failure is an error at a place.
type failure struct {
	at  pos
	why string
}

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

// Error is a mistake in a text.
type Error struct {
	File      string // from [Options.Name] or a statement .include
	Line, Col int    // from 1; the column counts bytes
	Message   string
}

func (e Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

// Errors are the mistakes in a text, in order.
type Errors []Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors is the number of errors that a text has at most; the assembler stops after them.
const maxErrors = 20
