// Package lint checks files: it finds them, reads them, runs the rules over
// them and returns what they have found, for programs that show or use it.
package lint
