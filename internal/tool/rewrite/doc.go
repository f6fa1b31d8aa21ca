// Package rewrite writes the SFrame sections of a file again: it merges concatenated
// ones, converts them to another version, and leaves out what nothing needs.
//
// [Split] finds the sections in the bytes of one, [Build] writes them as one section,
// and [Edits] returns the changes of the file. Build decodes what it has written and
// compares it with the sections that it was given, FDE by FDE and FRE by FRE.
//
// The package shares no code with the generator, so that each can check the other.
package rewrite
