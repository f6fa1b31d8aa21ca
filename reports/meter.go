package reports

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Meter bounds the output of a renderer that embeds it. Its zero value has no
// bound.
type Meter struct {
	budget *budget.Budget
	out    LeftOut
}

// LeftOut is the error of a renderer's Close for a report that is complete as a
// document, but has reached its output budget.
type LeftOut struct {
	Findings, Others int   // that are not in the report
	Why              error // an [*budget.Exceeded], unless too much had to be held
}

func (e *LeftOut) Error() string {
	what := rules.Count(e.Findings, "finding")
	if e.Others > 0 {
		what += fmt.Sprintf(" and %d other entries", e.Others)
	}
	return fmt.Sprintf("%s left out of the report: %v", what, e.Why)
}

// Unwrap returns the reason.
func (e *LeftOut) Unwrap() error { return e.Why }

// Limit sets the budget of the report: it spends [budget.Output].
func (m *Meter) Limit(b *budget.Budget) { m.budget = b }

// Finding reports whether a finding of n bytes can be written. If not, it counts
// it, and neither can what follows.
func (m *Meter) Finding(n int) bool { return m.fits(n, &m.out.Findings) }

// Other is Finding for what is no finding.
func (m *Meter) Other(n int) bool { return m.fits(n, &m.out.Others) }

func (m *Meter) fits(n int, left *int) bool {
	if m.out.Why == nil {
		m.out.Why = m.budget.Spend(budget.Output, int64(n))
	}
	if m.out.Why != nil {
		*left++
	}
	return m.out.Why == nil
}

// Full counts an entry that could not be held.
func (m *Meter) Full() {
	m.out.Others++
	if m.out.Why == nil {
		m.out.Why = errHeld
	}
}

var errHeld = fmt.Errorf("more than what is held for the end of the report")

// LeftOut returns what was left out, nil for nothing.
func (m *Meter) LeftOut() *LeftOut {
	if m.out.Why == nil {
		return nil
	}
	return &m.out
}

// Done returns the error of Close: that of writing, or what was left out.
func (m *Meter) Done(err error) error {
	if out := m.LeftOut(); err == nil && out != nil {
		return out
	}
	return err
}
