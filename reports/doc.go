// Package reports renders what the rules have found: as text, as JSON and as
// workflow commands of GitHub Actions. Package sarif, below this one, writes
// SARIF; it stands apart because of the weight of what it imports.
//
// A [Renderer] is handed one [lint.File] after the other, in the order of the
// input, and writes what it can at once: the memory that a run needs does not
// grow with the number of files.
package reports
