// Package lint checks files for faults in their SFrame data. It is sframe-lint as a library: it finds and reads
// files, runs rules, omits findings that exceptions or a baseline cover, and shows or applies fixes.
//
// [New] returns a [Linter] with [Options]. [Linter.Run] takes a context and paths. Iterating over [Run.Files] checks
// the files, several at once, and yields the results in the order of the input. Afterwards, [Run.Err] reports whether
// the context ended the run early, and [Run.Summary] counts the results. Package reports renders them.
//
//   - From a path to findings: [CheckFile], or [New] and [Linter.Run] with options.
//   - From a path to FREs: the example of reader.Scan, then model.Section.At.
//   - A rule of your own: [Options.Extra], and the example of package rules.
//
// # Stability
//
// All exported names of lint and of the packages below it are API for other programs. Until version 1.0 they change
// only for a reason that CHANGELOG.md gives, and afterwards not at all. Programs should distinguish findings by rule
// and place, since any version may change the texts of messages. docs/README.md lists what is stable in all packages,
// files and reports.
package lint
