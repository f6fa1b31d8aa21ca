package rules

import "github.com/sframe-lint/sframe-lint/internal/suggest"

// Severity is how grave a finding is.
type Severity uint8

// Severities. Error: a conforming consumer misreads or rejects the data, or
// the format forbids it. Warning: suspicious, or the quirk of a known
// producer. Note: advice. Off: not reported.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{Off: "off", Note: "note", Warning: "warning", Error: "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads the name of a severity.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return Off, suggest.Unknown("level", name, []string{"error", "warning", "note", "off"}, "")
}
