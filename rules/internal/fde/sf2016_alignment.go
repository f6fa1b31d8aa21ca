package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var StartAlignment = rules.New(rules.Rule{
	ID:    "SF2016",
	ABIs:  model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs: rules.FDEsKnown | rules.ABIKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	abi := c.ABI
	if abi.MinInsn == 1 {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if f.Resolved() && f.Start()%uint64(abi.MinInsn) != 0 {
			c.FDE(f, model.FDEStart, "the function starts at 0x%x, but %s aligns instructions to %d bytes: a tracer applies the FREs to wrong PCs", f.Start(), abi.Name, abi.MinInsn)
		}
	})
})

var SizeAlignment = rules.New(rules.Rule{
	ID:    "SF2017",
	ABIs:  model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs: rules.FDEsKnown | rules.ABIKnown,
}, func(c *rules.Context) {
	abi := c.ABI
	if abi.MinInsn == 1 {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if int64(f.Size())%abi.MinInsn != 0 {
			c.FDE(f, model.FDEFuncSize, "%s is %d, but sizes of %s instructions are multiples of %d: the function ends in data, or its size is wrong", c.Section.FieldName(model.FDEFuncSize), f.Size(), abi.Name, abi.MinInsn)
		}
	})
})
