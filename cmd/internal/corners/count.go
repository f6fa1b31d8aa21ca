package corners

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// AddPlan counts the values of a plan's section.
func (t *Table) AddPlan(p *generator.Plan) error {
	b, err := generator.Encode(p)
	if err != nil {
		return err
	}
	s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: p.Addr})
	if s == nil || len(faults) > 0 {
		return fmt.Errorf("not read: %v", faults)
	}
	t.Add(s)
	return nil
}
