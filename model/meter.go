package model

import "sync/atomic"

// meter takes a step of work for each FDE and FRE that a section yields.
type meter struct {
	step  func(n int64) error // nil for none
	n     atomic.Int64        // FDEs and FREs
	ended atomic.Bool         // step has failed
}

// metered is the number of steps that are taken at once, before what they are for.
const metered = 1 << 10

func (m *meter) visit() {
	if m.step != nil {
		m.count()
	}
}

func (m *meter) count() {
	if m.n.Add(1)%metered == 1 && m.step(metered) != nil {
		m.ended.Store(true)
	}
}
