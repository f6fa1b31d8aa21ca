// Package sarif renders findings in the Static Analysis Results Interchange
// Format, version 2.1.0, as code scanning services require it.
package sarif
