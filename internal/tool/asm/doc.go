// Package asm assembles SFrame sections from text.
//
// The text has a statement a line; docs/asm.md describes all of them. Everything that follows from
// the rest has a default: the header, widths, counts and offsets. Every field can be set to any
// value, and bytes can be put anywhere, so that the text can state every section, damaged ones
// included. dump.Assembly writes a section as such a text.
//
// [Assemble] returns the errors of a text, with their lines and columns, as [Errors]. What it writes and
// executes has limits, see [Options].
package asm
