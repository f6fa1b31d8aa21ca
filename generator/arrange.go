package generator

import (
	"fmt"
	"math"

	"github.com/sframe-lint/sframe-lint/model"
)

// maxSize is the maximum number of bytes of a section that can be written.
const maxSize = math.MaxInt32

// Arrange returns the layout in which [Encode] writes a plan without Layout.
func Arrange(p *Plan) (*Layout, error) {
	entry := model.FDESize(p.Version)
	if entry == 0 {
		return nil, fmt.Errorf("version %d has no known layout", p.Version)
	}
	l := &Layout{FDEOff: p.Style.FDEGap, NumFREs: uint32(p.NumFREs()), Funcs: make([]FuncLayout, len(p.Funcs))}
	freOff := int64(p.Style.FDEGap) + int64(entry)*int64(len(p.Funcs)) + int64(p.Style.FREGap)
	if freOff > maxSize {
		return nil, fmt.Errorf("%d FDEs do not fit in a section", len(p.Funcs))
	}
	l.FREOff = uint32(freOff)
	at, twice := int64(0), int64(0)
	for k := range p.Funcs {
		i := k
		if p.Style.Reverse {
			i = len(p.Funcs) - 1 - k
		}
		n, err := p.arrange(&p.Funcs[i], &l.Funcs[i])
		if err != nil {
			return nil, fmt.Errorf("FDE %d: %w", i, err)
		}
		l.Funcs[i].Padding = p.Style.Padding
		if p.Style.Share && !p.Style.Reverse && p.shares(i) && twice+n <= at {
			l.Funcs[i].StartFREOff = l.Funcs[i-1].StartFREOff
			twice += n
			continue
		}
		l.Funcs[i].StartFREOff = uint32(at)
		if at += n; at > maxSize {
			return nil, fmt.Errorf("FDE %d: its rows do not fit in a section", i)
		}
	}
	l.FRELen = uint32(at)
	l.Size = int64(p.Version.Info().HeaderSize+len(p.Aux)) + freOff + at + int64(p.Style.Tail)
	if l.Size > maxSize {
		return nil, fmt.Errorf("the section would have %d bytes", l.Size)
	}
	return l, nil
}

// arrange chooses the widths of a function's rows and returns the number of
// bytes of the function in the FRE sub-section.
func (p *Plan) arrange(f *Func, l *FuncLayout) (int64, error) {
	last := uint32(0)
	for j := range f.Rows {
		last = max(last, f.Rows[j].Start)
	}
	l.FREType = p.Style.MinFRE
	for last > l.FREType.MaxStart() {
		l.FREType++
	}
	n := int64(p.Version.Info().AttrSize)
	l.Words = make([]model.WordSize, len(f.Rows))
	var seen lastWords
	for j := range f.Rows {
		k, err := seen.of(p, f.FDEType, &f.Rows[j])
		if err != nil {
			return 0, fmt.Errorf("FRE %d: %w", j, err)
		}
		l.Words[j] = seen.sizes[k]
		if seen.words[k].N > 0 {
			l.Words[j] = max(l.Words[j], p.Style.MinWord)
		}
		n += int64(l.FREType.Width() + 1 + seen.words[k].N*l.Words[j].Width())
	}
	return n, nil
}
