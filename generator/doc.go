// Package generator makes SFrame sections: valid ones from a table of knobs,
// and those of any other plan.
//
// A [Plan] is the plain, mutable description of a section. [Encode] writes
// its bytes, [FromModel] takes one from a decoded section, [Generate] draws
// one from a [Config]. The package knows the format from the writing side
// alone: it never reads bytes, so that it and the reader can check each
// other.
package generator
