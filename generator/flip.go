package generator

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Flip describes the same section in the other byte order. AArch64 has an ABI
// identifier for each order. For the other ABIs the flipped section contradicts
// its identifier, and only tools for foreign targets read it.
func Flip(p *Plan) *Plan {
	c := p.Clone()
	c.BigEndian = !p.BigEndian
	c.ABI = twin(p.ABI)
	return c
}

// twin returns the ABI of the other byte order.
func twin(a model.ABI) model.ABI {
	abi := model.LookupABI(a)
	if other := model.LookupMachine(abi.Machine, !abi.Big); other.Known() {
		return other.ID
	}
	return a
}

// FlipBytes returns the bytes of a decoded section in the other byte order, as
// [Flip] does for a plan. The auxiliary header and gaps stay as they are. It is
// an error if [FromModel] fails or fields overlap.
func FlipBytes(s *model.Section) ([]byte, error) {
	if err := whole(s); err != nil {
		return nil, err
	}
	f := flipper{buf: s.Bytes(model.Span{Len: s.Size()}), done: make([]byte, s.Size())}
	for h := range s.Version().Info().HeaderFields() {
		f.swap(h.Span())
	}
	f.buf[model.HdrABI.Span().Off] = uint8(twin(s.Header().ABI))
	for i := range s.NumFDEs() {
		fde := s.FDE(i)
		if err := wholeFDE(fde); err != nil {
			return nil, fmt.Errorf("FDE %d: %w", i, err)
		}
		for k := model.FDEStart; k <= model.FDEPadding; k++ {
			f.swap(fde.FieldSpan(k))
		}
		for r := range fde.FREs() {
			f.swap(r.StartSpan())
			for k := range r.NumWords() {
				f.swap(r.WordSpan(k))
			}
		}
	}
	return f.buf, f.err
}

// flipper swaps fields, each of them once: functions may share rows.
type flipper struct {
	buf  []byte
	done []byte // length of the field at its first byte, 0xff at the others
	err  error
}

func (f *flipper) swap(sp model.Span) {
	if sp.Len < 2 || f.done[sp.Off] == byte(sp.Len) {
		return
	}
	for i := sp.Off; i < sp.End(); i++ {
		if f.done[i] != 0 {
			f.err = fmt.Errorf("two fields share the byte at 0x%x", i)
			return
		}
		f.done[i] = 0xff
	}
	f.done[sp.Off] = byte(sp.Len)
	slices.Reverse(f.buf[sp.Off:sp.End()])
}
