package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var NoABI = faultRule(rules.Rule{ID: "SF5034"}, reader.OtherMachine, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the file is %s, for which the format has no ABI: its SFrame data were checked by their own sfh_abi_arch, without relocations, symbols and code", f.Detail)
})
