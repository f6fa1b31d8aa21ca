// Package asm assembles SFrame sections from text. The text has one statement a line; docs/asm.md describes all of
// them.
//
// The header, widths, counts and offsets have defaults that follow from the rest. Every field can be set to any
// value, and bytes can be put anywhere, so a text can express every section, even a damaged one. dump.Assembly writes
// a section as such a text.
//
// [Assemble] returns the errors of a text as [Errors], with lines and columns. [Options] limit its output and its
// work.
package asm
