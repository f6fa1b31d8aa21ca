package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

// readingFacts are the facts that another reading of the format refutes.
const readingFacts = rules.AsDefined | rules.FDEsKnown | rules.FREsKnown | rules.AttributesKnown | rules.AllFDEsKnown | rules.RAKnown | rules.FPKnown

var AnotherReading = rules.New(rules.Rule{
	ID:      "SF6027",
	Needs:   rules.VersionKnown | rules.ABIKnown,
	Refutes: readingFacts,
}, func(c *rules.Context) {
	if !entriesReading(c) {
		basesReading(c)
	}
})

// refuting returns a context whose reports refute facts that rest on the entries or the FREs.
func refuting(c *rules.Context, reason string, facts rules.Fact) *rules.Context {
	for ; facts != 0; facts &= facts - 1 {
		c = c.With(rules.Absence{Fact: facts & -facts, Reason: reason, Causes: []string{"SF6027"}})
	}
	return c
}

// entry is a layout of the entries of the FDE sub-section. All have the start, the size and the offset of the
// FREs in this order.
type entry struct {
	size, start int // in bytes, of the entry and of the start field
	count, wide int // the offset and the size of the number of FREs; wide 0: in an attribute before the FREs
	info        int // the offset of the info byte
	what        string
}

var entries = []entry{
	{16, 8, 0, 0, 0, "16 bytes (as in version 3)"},
	{20, 4, 12, 4, 16, "20 bytes (as in version 2)"},
	{17, 4, 12, 4, 16, "17 bytes (as in version 1)"},
	{21, 8, 16, 2, 18, "21 bytes (index entry, attribute)"},
	{24, 8, 16, 2, 18, "24 bytes (index entry, attribute, padding)"},
	{18, 4, 12, 4, 16, "18 bytes (as in version 2 without padding)"},
}

// maxPadding is the maximum number of bytes of zero between the entries and the FREs, plus 1.
const maxPadding = 8

// entriesReading reports entries of another layout than the version has.
func entriesReading(c *rules.Context) bool {
	s := c.Section
	h, fdes, fres := s.Header(), s.FDESubsection(), s.FRESubsection()
	n := int64(h.NumFDEs)
	room := fres.Off - fdes.Off
	if n == 0 || fres.End() > s.Size() || s.ClaimedFREs() == uint64(h.NumFREs) && fdes.End() <= fres.Off && room-fdes.Len < n {
		return false
	}
	own := s.Version().Info().FDESize
	at := model.Span{Off: fdes.Off, Len: room}
	for i := range entries {
		if e := &entries[i]; e.size == own && fdes.Len <= room {
			if _, ok := e.explains(s, at, fres); ok {
				return false
			}
		}
	}
	for i := range entries {
		e := &entries[i]
		if size := int64(e.size); e.size == own || size*n > room || room-size*n >= maxPadding {
			continue
		}
		inverted, ok := e.explains(s, at, fres)
		if !ok {
			continue
		}
		const reason = "the version defines another layout of the entries"
		also := ""
		if inverted {
			also = ", and if bit 0 of FRE info bytes is 0 for SP and 1 for FP"
		}
		refuting(c, reason, readingFacts).At(model.Span{Off: fdes.Off, Len: size(e, n)}, "the %s and %s make sense only if FDEs have %s, not %s%s: every consumer misreads the section",
			rules.Count(int(n), "function"), rules.Count(int(h.NumFREs), "FRE"), e.what, rules.Count(s.Version().Info().FDESize, "byte"), also)
		return true
	}
	return false
}

func size(e *entry, n int64) int64 { return int64(e.size) * n }

// explains reports whether all entries of a section make sense in a layout: together their FREs are all that the header
// counts, in its bytes. inverted reports whether most functions start with a CFA that counts from FP as it does from SP.
func (e *entry) explains(s *model.Section, at, fres model.Span) (inverted bool, ok bool) {
	h, abi := s.Header(), s.ABI()
	b, rows, big := s.Bytes(at), s.Bytes(fres), s.BigEndian()
	total, used, wrong := uint64(0), 0, 0
	for i := range int(h.NumFDEs) {
		x := b[i*e.size:][:e.size]
		off := uint64(number.U32(x[e.start+4:], big))
		if off > uint64(len(rows)) {
			return false, false
		}
		from := int(off)
		var count, info uint64
		if e.wide == 0 {
			if len(rows)-from < attrSize {
				return false, false
			}
			count, info = field(rows[from:], 2, big), uint64(rows[from+2])
			from += attrSize
			used += attrSize
		} else {
			count, info = field(x[e.count:], e.wide, big), uint64(x[e.info])
		}
		r := freReader{rows: rows, at: from, width: model.FREType(info & model.InfoFRETypeMask).Width(), big: big}
		if !r.all(count, uint64(number.U32(x[e.start:], big))) {
			return false, false
		}
		used += r.at - from
		total += count
		if r.base == model.SFRAME_BASE_REG_FP && r.word*abi.CFAScale+abi.CFAAdjust == abi.EntryCFA {
			wrong++
		}
	}
	return 2*wrong > int(h.NumFDEs), total == uint64(h.NumFREs) && used == len(rows)
}

// attrSize is the size of an attribute of version 3.
const attrSize = 5

func field(b []byte, n int, big bool) uint64 {
	if n == 2 {
		return uint64(number.U16(b, big))
	}
	return uint64(number.U32(b, big))
}

// freReader steps through the FREs of a function.
type freReader struct {
	rows  []byte
	at    int
	width int // of a start offset
	big   bool
	base  model.BaseReg // of the first one
	word  int64
}

// all reports whether count FREs of a function of size bytes make sense: the first one is at 0, their starts ascend
// and are in the function, and no reserved size of words is used.
func (r *freReader) all(count, size uint64) bool {
	last := uint64(0)
	for k := range count {
		if r.width == 0 || len(r.rows)-r.at < r.width+1 {
			return false
		}
		start := uint64(0)
		for i := range r.width {
			j := i
			if !r.big {
				j = r.width - 1 - i
			}
			start = start<<8 | uint64(r.rows[r.at+j])
		}
		info := r.rows[r.at+r.width]
		words, wide := int(info>>model.FREInfoCountShift)&model.MaxWords, info>>model.FREInfoSizeShift&3
		r.at += r.width + 1
		if wide > 2 || words<<wide > len(r.rows)-r.at || (k == 0) != (start == 0) || k > 0 && start <= last || start >= max(size, 1) {
			return false
		}
		if k == 0 && words > 0 {
			r.base, r.word = model.BaseReg(info&model.FREInfoBaseBit), wordAt(r.rows[r.at:], 1<<wide, r.big)
		}
		r.at += words << wide
		last = start
	}
	return true
}

// wordAt returns the signed number in the first n bytes.
func wordAt(b []byte, n int, big bool) int64 {
	switch n {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(number.U16(b, big)))
	}
	return int64(int32(number.U32(b, big)))
}

// leastRows is from how many FREs on the base register may be found inverted by the CFI, and leastByEntry from how many
// functions by their entries only.
const leastRows, leastByEntry = 3, 4

// basesReading reports FREs whose bit for the base register is inverted.
func basesReading(c *rules.Context) {
	abi := c.ABI
	other := model.Recovery{Kind: model.InRegister, Reg: abi.FP, Offset: abi.EntryCFA}
	if !c.Has(rules.FREsKnown) || !c.Has(rules.AttributesKnown) || !c.Has(rules.RAKnown) ||
		!c.SFrame.Survey().Any(model.FirstList, func(r model.FRE) bool { return r.Row().CFA == other }) {
		return
	}
	n, first, asDefined, inverted := 0, model.FRE{}, 0, 0
	c.FDEs(nil, func(f model.FDE) {
		if f.Type() != model.SFRAME_FDE_TYPE_DEFAULT || f.Mask() || f.NumFREs() == 0 {
			return
		}
		r := f.FRE(0)
		if n++; n == 1 {
			first = r
		}
		switch r.Row().CFA {
		case model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: abi.EntryCFA}:
			asDefined++
		case other:
			inverted++
		}
	})
	if 2*inverted <= n {
		return
	}
	witness, all, what := "the CFA on entry", n, "function"
	if rows, as, other := byCFI(c); rows >= leastRows {
		witness, all, what, asDefined, inverted = "the CFI", rows, "FRE", as, other
	} else if n < leastByEntry {
		return
	}
	if 10*inverted < 9*all || 2*asDefined > all {
		return
	}
	refuting(c, "bit 0 of the info byte of FREs is inverted", rules.AsDefined|rules.RAKnown|rules.FPKnown).FRE(first, first.InfoSpan(), "fre_cfa_base_reg_id is inverted, as OxCaml writes it (%s confirms %d of %s if inverted, otherwise %d): a tracer uses the wrong base register",
		witness, inverted, rules.Count(all, what), asDefined)
}

// byCFI counts the FREs whose CFA the CFI confirms as the format defines them, and with the other base register.
func byCFI(c *rules.Context) (all, asDefined, inverted int) {
	f, abi := evidence.Frames(c), c.ABI
	if f == nil || !f.Any() {
		return 0, 0, 0
	}
	c.FDEs(nil, func(x model.FDE) {
		if !x.Resolved() || x.Type() != model.SFRAME_FDE_TYPE_DEFAULT || x.Mask() {
			return
		}
		fde, ok := f.At(uint32(x.Place()), x.Start())
		if !ok {
			return
		}
		var run cfi.Runner
		var row cfi.Row
		run.Reset(&fde)
		more := run.Next(&row)
		for r := range x.FREs() {
			for pc := x.Start() + uint64(r.Start()); more && row.End <= pc; {
				more = run.Next(&row)
			}
			says := fde.Recover(&row, row.Start).CFA
			if !more || says.Kind != model.InRegister || says.Deref || says.Reg != abi.SP && says.Reg != abi.FP {
				continue
			}
			all++
			is := r.Row().CFA
			if is == says {
				asDefined++
			} else if is.Reg = abi.SP + abi.FP - is.Reg; is == says {
				inverted++
			}
		}
	})
	return all, asDefined, inverted
}
