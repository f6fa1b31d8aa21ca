// Package generator writes SFrame sections: valid ones drawn from a table of
// knobs, and those of any other plan.
//
// A [Plan] is the mutable description of a section. [Encode] writes its bytes,
// [FromModel] describes a decoded section, [Generate] draws a plan from a
// [Config]. [WrapExec], [WrapShared], [WrapRel] and [WrapArchive] put sections
// into files.
//
// The package only writes the format: it never reads bytes, so that it and the
// reader can check each other.
package generator
