package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var NoRepSize = rules.New(rules.Rule{ID: "SF2007", Versions: sinceV2, Needs: rules.AttributesKnown}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.Mask() && f.RepSize() == 0 }, func(f model.FDE) {
		c.FDE(f, model.FDERepSize, "%s is 0 in an FDE of PC type MASK: consumers reduce PCs modulo this field, and libsframe and glibc divide by zero", c.Section.FieldName(model.FDERepSize))
	})
})

var RepSizeUnused = rules.New(rules.Rule{ID: "SF2008", Versions: sinceV2, Needs: rules.AttributesKnown}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return !f.Mask() && f.RepSize() != 0 }, func(f model.FDE) {
		if c.Cut() {
			return
		}
		c := c.With(rules.Repair("set rep_size to 0", f.FieldSpan(model.FDERepSize), 0))
		c.FDE(f, model.FDERepSize, "%s is %d, but the FDE has PC type INC and thus no repeated block: if MASK was meant, a tracer uses the wrong FREs", c.Section.FieldName(model.FDERepSize), f.RepSize())
	})
})
