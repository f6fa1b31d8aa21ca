// Package rules is the framework of the checks: what a [Rule] is, how it
// reports, and the [Driver] that runs rules over an object in memory.
//
// # From a section to findings
//
// A rule is an [analysis.Analyzer] whose result is a [*Report]. It looks at the
// results of prerequisite analyzers: [Container] and [Contents] are the object
// and the section; [Bounds] is what the rule may cost; [Known] is what is known
// of the section.
//
// Known has [Facts]: that the header points to the FDEs, that the ABI is known,
// and so on. A fact is judged by all that was decoded, when the first rule asks
// for it, and once for a section. Where it is not known, an [Absence] says why
// and which rules report that.
//
// A rule names the facts that it rests on in [Rule.Needs]. Where one is
// missing, its report says that it is held back, and [Result.HeldBack] lists
// it. No other rule's findings, or whether they are shown, matter for that.
// Where the rule applies and nothing is missing, it is run with a [Context],
// and what it reports there are the [Finding] values of its report, and of the
// [Result] of the driver.
//
// Most rules are made with [New], which does all this. Any other analyzer with
// the same prerequisites and result works as well, from this module or from
// elsewhere. All of them run in any other driver of analyzers, too, which gives
// [Container] a file to read.
//
// The rules themselves are in the packages below this one, one for each
// family of identifiers; package catalogue lists them all.
package rules
