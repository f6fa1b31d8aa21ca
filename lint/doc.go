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
// Rule IDs, the exit statuses and flags of sframe-lint, the configuration file,
// and the documents that docs/schema describes are stable: they change only in
// ways that what depends on them can ignore. The Go API is stable from version 1
// on in these packages: lint, lint/config, lint/baseline, lint/fix, rules,
// rules/catalogue, reports and its sub-packages, model, and reader. The other
// packages are public because programs outside of this module can use them, but
// their API may change with any version: cmd/lintcmd (apart from its Main),
// compare, consumers, dump, fuzz and generator with their sub-packages,
// rules/clauses and rules/compat. Texts for people, as messages of findings, may
// change everywhere; programs tell findings apart by their rules and places.
package lint
