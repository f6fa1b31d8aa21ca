package rewrite

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Piece is one of the sections that a section consists of.
type Piece struct {
	*model.Section
	Off int64 // of its first byte, in bytes
	// PCRel reports whether each start field is relative to its own address. Linkers that concatenate sections apply
	// the relocations as they are, whatever the flag says.
	PCRel bool
}

// maxPad is the number of zero bytes that align a section that follows another one.
const maxPad = 7

// split returns the sections that data consists of, as [Pieces] finds them. The caller gives back the
// memory of the budget.
func split(data []byte, addr uint64, relocatable bool, b *budget.Budget) (all []Piece, err error) {
	for p, err := range Pieces(data, addr, relocatable) {
		if err == nil {
			err = b.Spend(budget.Memory, pieceCost)
		}
		if err != nil {
			b.Release(budget.Memory, int64(len(all))*pieceCost)
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Pieces decodes the section in data, or those that a linker has concatenated there. addr is the address of the first
// byte. An error is the last element: bytes after the last section that are not zero, or a section that was not decoded
// completely.
func Pieces(data []byte, addr uint64, relocatable bool) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) {
		off := int64(0)
		for n := 0; n == 0 || len(bytes.TrimLeft(data[off:], "\x00")) > 0; n++ {
			for pad := 0; n > 0 && pad < maxPad && data[off] == 0; pad++ {
				off++
			}
			s, err := decode(data[off:], addr+uint64(off), relocatable)
			if err != nil {
				yield(Piece{}, fmt.Errorf("section %d at 0x%x: %w", n, off, err))
				return
			}
			if !yield(Piece{Section: s, Off: off, PCRel: s.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0}, nil) {
				return
			}
			off += s.Size()
		}
	}
}

// Joined reports whether data has a second section that can be decoded after the first one.
func Joined(data []byte) bool {
	n := 0
	for _, err := range Pieces(data, 0, false) {
		if n++; err != nil || n == 2 {
			return err == nil
		}
	}
	return false
}

// decode decodes the section at the start of data.
func decode(data []byte, addr uint64, relocatable bool) (*model.Section, error) {
	head, faults := reader.DecodeSection(data[:min(len(data), model.HeaderSize(data))], reader.SectionOptions{})
	if head == nil {
		return nil, fault(faults)
	}
	if !head.Version().Known() {
		return nil, fmt.Errorf("%v of the format is not known", head.Version())
	}
	end := head.End()
	if end > int64(len(data)) {
		return nil, fmt.Errorf("its sub-sections end at 0x%x, but it has 0x%x bytes", end, len(data))
	}
	s, faults := reader.DecodeSection(data[:end:end], reader.SectionOptions{Addr: addr, Relocatable: relocatable, Start: noStart, NoSurvey: true})
	if len(faults) > 0 || s == nil {
		return nil, fault(faults)
	}
	return s, nil
}

// noStart stands for relocations. Where a function of a relocatable file starts has no
// effect on its section.
func noStart(int64, int) model.Start { return model.Start{} }

func fault(all []reader.Fault) error {
	if len(all) == 0 {
		return fmt.Errorf("it can't be decoded")
	}
	f := all[0]
	if f.FDE >= 0 {
		return fmt.Errorf("FDE %d can't be decoded completely", f.FDE)
	}
	return fmt.Errorf("it can't be decoded completely: bytes %v", f.Span)
}

// start returns the address of a function. The second result is the offset of the field
// from the start of the joined bytes.
func (p *Piece) start(f *model.FDE) (addr uint64, field int64) {
	at := f.FieldSpan(model.FDEStart).Off
	addr = p.Addr() + uint64(f.RawStart())
	if p.PCRel {
		addr += uint64(at)
	}
	return addr, p.Off + at
}
