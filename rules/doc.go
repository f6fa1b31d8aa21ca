// Package rules is the framework of the checks. It defines what a [Rule] is, how it reports, and the [Driver] that
// runs rules over an object in memory.
//
// # From a section to findings
//
// A rule is an [analysis.Analyzer] whose result is a [*Report]. It uses the results of prerequisite analyzers:
// [Container] and [Contents] are the object and the section, [Bounds] are the rule's limits, and [Known] has the
// [Facts] of the section.
//
// A fact is, for example, that the header points to the FDEs or that the ABI is known. It is established once for a
// section, from all decoded data, when the first rule asks for it. For an unknown fact, an [Absence] gives the reason
// and the rules that report it.
//
// [Rule.Needs] names the facts that a rule rests on. If one is unknown, the rule is held back: its report says so,
// and [Result.HeldBack] lists it. This does not depend on the findings of other rules or on whether they are shown.
// If the rule applies and no fact is missing, it runs with a [Context]. What it reports becomes the [Finding] values
// of its report and of the driver's [Result].
//
// A context has ten methods. FDEs and Rows visit bad entries. At, FDE, FRE and File report bytes. With adds help, a
// fix and other options to a report. Has asks for a fact. HoldBack says that the rule did not check something. Cut
// says that no more findings are kept. The fields Object, SFrame, Section and ABI give all other data.
//
// [New] makes rules, in this module or in another one. They also run in other drivers of analyzers that give
// [Container] a file to read.
//
// The rules are in the packages below this one, one package for each family. Package catalogue lists all rules.
package rules
