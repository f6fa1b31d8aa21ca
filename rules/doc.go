// Package rules is the framework of the checks: what a [Rule] is, how it
// reports, and the [Driver] that runs rules over an object in memory.
//
// # From a section to findings
//
// A rule is an [analysis.Analyzer] whose result is a [*Report]. It uses the
// results of prerequisite analyzers: [Container] and [Contents] are the object
// and the section, [Bounds] are the rule's limits, and [Known] is what is known
// of the section.
//
// Known has [Facts]: that the header points to the FDEs, that the ABI is known,
// and so on. A fact is established once for a section, by all that was decoded,
// when the first rule asks for it. If it is not known, an [Absence] gives the
// reason and the rules that report it.
//
// A rule names the facts that it rests on in [Rule.Needs]. If one is missing,
// the rule is held back: its report says so, and [Result.HeldBack] lists it.
// This does not depend on the findings of other rules or whether they are
// shown. If the rule applies and no fact is missing, it runs with a [Context].
// What it reports there becomes the [Finding] values of its report and of the
// driver's [Result].
//
// A context has ten methods. FDEs and Rows visit what is bad; At, FDE, FRE and File report bytes; With adds help, a fix
// and other options to a report; Has asks for a fact, HoldBack says that the rule did not check something, and Cut
// that no more findings are kept. All else is on its values: Object, SFrame, Section and ABI.
//
// Rules are made with [New], which does all this, in this module or another
// one. All of them also run in any other driver of analyzers that gives
// [Container] a file to read.
//
// The rules are in the packages below this one, one package for each family of
// identifiers. Package catalogue lists all rules.
package rules
