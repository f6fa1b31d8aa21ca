// Package lint checks files for faults in their SFrame data: the pipeline of
// sframe-lint as a library. It finds the files, reads them, runs the rules,
// leaves out what exceptions and a baseline cover, and shows or applies fixes.
//
// [New] returns a [Linter] with typed [Options]. [Linter.Run] takes a context and
// paths; iterating over [Run.Files] checks the files, several at once, and
// returns the results in the order of the input. Afterwards, [Run.Err] says
// whether the context ended the run early, and [Run.Summary] counts the results.
// Package reports renders them.
//
// # Stability
//
// All exported names of lint and of the packages below it are API for other
// programs: until version 1.0 they change only for a reason that CHANGELOG.md
// names, and after it not at all. Programs should tell findings apart by their
// rules and places, since the texts of messages may change with any version.
// docs/README.md says what is stable for all packages, and in files and reports.
package lint
