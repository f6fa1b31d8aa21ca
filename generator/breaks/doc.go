// Package breaks turns valid sections and files into faulty ones.
//
// A [Break] makes exactly one fault, and says which rule it must set off at
// which bytes, and which other findings it can't help to cause. A [Subject]
// is what it works on: a section by itself or in a file. Subjects and breaks
// are immutable, and all choices come from a seed, so that a [Recipe] tells
// how to get the same bytes again. A [Mutation] knows nothing of the format:
// what it does may be a fault or not.
//
// As all of the generator the package never reads sections: it breaks what
// it has written itself, and so knows where everything lies.
package breaks
