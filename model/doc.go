// Package model represents the contents of an SFrame section, independent of its version on disk. A [Section] has
// function descriptor entries ([FDE]) and frame row entries ([FRE]). An FRE encodes recovery rules ([Row]). A [Span]
// is the bytes that each occupies.
//
// A Section is immutable and safe for concurrent use. FDE and FRE are small handles into it and need no allocation.
// Slices that methods and functions return are copies. The only exception is the data given to [New]: the Section
// keeps it, so it must not change.
//
// All offsets and sizes are in bytes. Offsets count from the first byte of the section unless a method says
// otherwise. A Section may represent damaged bytes: claimed and decoded counts are separate, and no value needs to be
// valid.
//
// Package reader makes Sections.
package model
