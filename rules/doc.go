// Package rules is the framework of the checks: what a [Rule] is, how it
// reports, and the [Driver] that runs rules over an object in memory.
//
// A rule is an [analysis.Analyzer]. It gets what it looks at from two
// prerequisite analyzers, [Container] and [Contents], whose results the
// driver provides. Most rules are made with [New], which hands them a
// [Context]; any other analyzer with the same prerequisites works as well,
// from this module or from elsewhere.
//
// The rules themselves stand in the packages below this one, one for each
// family of identifiers; package catalogue lists them all.
package rules
