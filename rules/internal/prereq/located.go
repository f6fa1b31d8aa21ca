package prereq

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Located gives a rule the SFrame section that programs use: see reader.Object.Located.
var Located = OfObject("located", "the SFrame section at which a program looks", func(pass *analysis.Pass) *reader.SFrame {
	o, _ := Input(pass)
	return o.Located()
})

// Elsewhere gives a rule the code that is covered by SFrame sections of a linked file that programs do not use.
var Elsewhere = OfObject("elsewhere", "the code of SFrame sections at which no program looks", func(pass *analysis.Pass) reader.AddrRanges {
	o, _ := Input(pass)
	var all reader.AddrRanges
	if len(o.SFrames) < 2 || o.ELF == nil || o.ELF.Relocatable() {
		return nil
	}
	for _, f := range o.SFrames {
		if f.Section == nil || f == Get[*reader.SFrame](pass, Located) {
			continue
		}
		for x := range f.Section.FDEs() {
			if n := len(all); n > 0 && n == cap(all) && o.Hold(int64(n)*addrRangeCost) != nil {
				return nil
			}
			if x.Resolved() {
				all = all.With(x.Start(), uint64(x.Size()))
			}
		}
	}
	return all.Normal()
}, Located)

// addrRangeCost is about the bytes that a range takes while their list grows.
const addrRangeCost = 32
