// Package reports renders results of package lint: as text, as JSON and as workflow
// commands of GitHub Actions. Its sub-packages sarif and html write SARIF and HTML;
// they are separate because of what they import.
//
// A [Renderer] gets one [lint.File] after the other, in the order of the input, and
// writes what it can at once: the memory of a run does not grow with the number of
// files. The package also renders the texts of rules.
package reports
