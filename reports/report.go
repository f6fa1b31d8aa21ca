package reports

import "github.com/sframe-lint/sframe-lint/lint"

// Tool names the program in a report.
type Tool struct {
	Name, Version, URL string
}

// Renderer writes a report.
type Renderer interface {
	// File adds what has come of a path. It does not keep f.
	File(f *lint.File) error
	// Close ends the report.
	Close(s lint.Summary) error
}
