package rewrite

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Encoder encodes recovery rules as the data words of a section with a given header.
type Encoder struct{ b builder }

// NewEncoder returns an encoder for sections with a header's version, ABI and fixed offsets.
func NewEncoder(h model.Header) *Encoder {
	return &Encoder{builder{head: h, info: h.Version.Info()}}
}

// Absent returns the rules for RA and FP of an FRE without words for them.
func (e *Encoder) Absent() (ra, fp model.Recovery) { return e.b.absent() }

// Words appends the data words of an FRE of a type to dst. It also returns the smallest size that is
// enough for them, and the base bit. Error: the words of the type can't express the rules.
func (e *Encoder) Words(dst []int64, row model.Row, t model.FDEType) ([]int64, model.WordSize, model.BaseReg, error) {
	l, base, err := e.b.wordsOf(row, t)
	if err != nil {
		return dst, 0, 0, err
	}
	size, ok := l.narrowest()
	if !ok {
		return dst, 0, 0, fmt.Errorf("data words %d do not fit 4 bytes", l.w[:l.n])
	}
	return append(dst, l.w[:l.n]...), size, base, nil
}
