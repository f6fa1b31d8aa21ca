// Package sarif renders findings in the Static Analysis Results Interchange
// Format, version 2.1.0, the way code scanning services want it.
package sarif
