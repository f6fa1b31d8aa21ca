package fuzz

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// setStyle changes how the section is written.
func setStyle(m *Mutator, p *generator.Plan) bool {
	switch m.Rand.IntN(8) {
	case 0:
		p.Style.FDEGap = uint32(m.Rand.IntN(9))
	case 1:
		p.Style.FREGap = uint32(m.Rand.IntN(9))
	case 2:
		p.Style.Tail = uint32(m.Rand.IntN(9))
	case 3, 4:
		p.Style.MinFRE = model.FREType(m.Rand.IntN(3))
	case 5:
		p.Style.MinWord = model.WordSize(m.Rand.IntN(3))
	case 6:
		p.Style.Reverse = true
	case 7:
		p.Aux = make([]byte, m.Rand.IntN(9))
	}
	m.note("write the section in another way")
	return true
}

// setHeader changes the flags or one of the fixed offsets.
func setHeader(m *Mutator, p *generator.Plan) bool {
	switch m.Rand.IntN(4) {
	case 0:
		p.FixedFP = m.drawFixed()
	case 1:
		p.FixedRA = m.drawFixed()
	default:
		p.Flags ^= 1 << m.Rand.IntN(3)
	}
	m.note("change the header's flags or offsets")
	return true
}

// drawFixed draws a fixed offset: as often as not none.
func (m *Mutator) drawFixed() int8 {
	if m.Rand.IntN(2) == 0 {
		return 0
	}
	return int8(m.Rand.Uint32())
}

// setVersion writes the same functions in another version, without what that does not have.
func setVersion(m *Mutator, p *generator.Plan) bool {
	to := model.SFRAME_VERSION_1 + model.Version(m.Rand.IntN(len(model.Versions(nil))))
	if to == p.Version {
		return false
	}
	info := to.Info()
	p.Version = to
	p.Flags = p.Flags&info.Flags | info.NeedFlags
	for i := range p.Funcs {
		f := &p.Funcs[i]
		f.Signal = f.Signal && info.Signal
		if !info.Flex {
			f.FDEType = model.SFRAME_FDE_TYPE_DEFAULT
		}
		if !info.Stubs {
			f.RepSize = 0
		}
	}
	m.note("convert to %v", to)
	return true
}

// setABI makes the section one of another ABI, mostly in its byte order.
func setABI(m *Mutator, p *generator.Plan) bool {
	all := model.ABIs()
	abi := all[m.Rand.IntN(len(all))]
	if abi.ID == p.ABI {
		return false
	}
	p.ABI, p.FixedFP, p.FixedRA = abi.ID, abi.FixedFP, abi.FixedRA
	if m.Rand.IntN(4) > 0 {
		p.BigEndian = abi.Big
	}
	m.note("make it a section for %s", abi.Spec)
	return true
}

func flip(m *Mutator, p *generator.Plan) bool {
	p.BigEndian = !p.BigEndian
	m.note("write in the other byte order")
	return true
}

// order sorts the functions by their starts, as look-ups require it.
func order(m *Mutator, p *generator.Plan) bool {
	byStart := func(a, b generator.Func) int { return cmp.Compare(int64(a.Start), int64(b.Start)) }
	if p.Flags&model.SFRAME_F_FDE_SORTED != 0 && slices.IsSortedFunc(p.Funcs, byStart) {
		return false
	}
	slices.SortStableFunc(p.Funcs, byStart)
	p.Flags |= model.SFRAME_F_FDE_SORTED
	m.note("sort the FDEs")
	return true
}
