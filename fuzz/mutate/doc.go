// Package mutate changes bytes at random, for fuzzing.
//
// [Mutator.Blind] does not depend on the format. [Mutator.Section] decodes a
// section as far as possible and changes its fields, FREs and functions: most
// results can still be decoded. [Mutator.File] also changes ELF files and
// archives. The same seed and the same input give the same result.
package mutate
