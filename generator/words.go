package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// rowWords returns the row's data words and the base bit that goes with
// them.
func (p *Plan) rowWords(t model.FDEType, r *Row) (model.Words, error) {
	abi := p.ABIInfo()
	switch {
	case r.Words != nil:
		return rawWords(t, r)
	case t > model.SFRAME_FDE_TYPE_FLEX:
		return model.Words{}, fmt.Errorf("FDE type %d has no known words", t)
	case t == model.SFRAME_FDE_TYPE_DEFAULT && !abi.Known() && !outermost(r.Rules):
		return model.Words{}, fmt.Errorf("%s has no known rows", abi.Name)
	}
	l, err := p.header().Words(t, r.Rules)
	if err == nil && l.N > 0 && t == model.SFRAME_FDE_TYPE_DEFAULT && !abi.ValidWords(p.Version, l.N) {
		err = fmt.Errorf("%s has no row of %d words", abi.Name, l.N)
	}
	return l, err
}

// header returns what data words depend on.
func (p *Plan) header() *model.Header {
	return &model.Header{Version: p.Version, ABI: p.ABI, FixedFPOffset: p.FixedFP, FixedRAOffset: p.FixedRA}
}

// lastWords has the data words of the last two rows with different rules: rows often alternate.
type lastWords struct {
	rows  [2]*Row
	words [2]model.Words
	sizes [2]model.WordSize
	last  int
}

// of returns the index in l of the words of a row.
func (l *lastWords) of(p *Plan, t model.FDEType, r *Row) (int, error) {
	for k, s := range l.rows {
		if s != nil && r.wordsOf(s) {
			return k, nil
		}
	}
	k := 1 - l.last
	words, size, err := p.sizedWords(t, r)
	if err != nil {
		return 0, err
	}
	l.rows[k], l.words[k], l.sizes[k], l.last = r, words, size, k
	return k, nil
}

// sizedWords is rowWords with the smallest word size that holds every word.
func (p *Plan) sizedWords(t model.FDEType, r *Row) (model.Words, model.WordSize, error) {
	words, err := p.rowWords(t, r)
	if err != nil {
		return words, 0, err
	}
	size, ok := words.Size()
	if !ok {
		err = fmt.Errorf("data words %d do not fit 4 bytes", words.Word[:words.N])
	}
	return words, size, err
}

// wordsOf reports whether a row has the data words of another one because their rules are the same.
func (r *Row) wordsOf(s *Row) bool { return r.Words == nil && s.Words == nil && r.Rules == s.Rules }

func rawWords(t model.FDEType, r *Row) (model.Words, error) {
	l := model.Words{Base: r.Base}
	if len(r.Words) > model.MaxWords {
		return l, fmt.Errorf("%d data words; the info byte has room for %d", len(r.Words), model.MaxWords)
	}
	l.N = copy(l.Word[:], r.Words)
	if t == model.SFRAME_FDE_TYPE_FLEX {
		controls(r.Words, l.SetControl)
	}
	return l, nil
}

func outermost(r model.Row) bool {
	return r.CFA.Kind == model.Undefined && r.RA.Kind == model.Undefined && r.FP.Kind == model.Undefined
}

// absentRA and absentFP are the rules of a row that has no word for the
// register.
func (p *Plan) absentRA() model.Recovery { ra, _ := p.header().Absent(); return ra }
func (p *Plan) absentFP() model.Recovery { _, fp := p.header().Absent(); return fp }

func (p *Plan) inexpressible(what string, v model.Recovery, why string) error {
	return fmt.Errorf("%s is %s: %s", what, v.Format(p.ABIInfo()), why)
}
