package asm

import (
	"fmt"
	"strings"
)

// Error is a mistake in a text.
type Error struct {
	File      string // as [Options.Name] or a statement .include has it
	Line, Col int    // from 1; the column counts bytes
	Message   string
}

func (e Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

// Errors are the mistakes of a text, in their order.
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
