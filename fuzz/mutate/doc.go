// Package mutate changes bytes at random, for fuzzing.
//
// [Mutator.Blind] knows nothing of the format. [Mutator.Section] decodes
// what it can of a section and changes its fields, rows and functions: most
// of what comes out is still a section. Both draw from one source, so that
// the same source and the same input give the same result.
package mutate
