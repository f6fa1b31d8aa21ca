// Package clauses lists what the manual "The SFrame Format" demands of the
// data, statement by statement, in our own words, with the rules that check
// each of them or the reason why the bytes alone cannot show it.
//
// The manual's chapters go by their headings in version 3; a statement that
// only an earlier version makes goes by the heading in that version's manual.
// Statements of errata 1 of version 2 are in the manual of binutils 2.45;
// errata 2 was published with version 3. Two other documents come after the
// manual: the RFC on flexible topmost frames and libunwind's note on the state
// of its cursor.
package clauses
