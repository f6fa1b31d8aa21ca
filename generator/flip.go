package generator

import "github.com/sframe-lint/sframe-lint/model"

// Flip returns the plan of the same section in the other byte order. AArch64 has an ABI identifier for each order.
// With other ABIs, the section contradicts its identifier, and only cross tools read it.
func Flip(p *Plan) *Plan {
	c := p.Clone()
	c.BigEndian = !p.BigEndian
	c.ABI = otherOrder(p.ABI)
	return c
}

// otherOrder returns the ABI of the other byte order.
func otherOrder(a model.ABI) model.ABI {
	abi := model.LookupABI(a)
	if other := model.LookupMachine(abi.Machine, !abi.Big); other.Known() {
		return other.ID
	}
	return a
}
