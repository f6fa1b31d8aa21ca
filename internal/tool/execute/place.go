package execute

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// site is what the checker has found out about a PC of a process.
type site struct {
	pc    uint64
	class class
	image *Image // nil for none
	fn    uint64 // start of the function, 0 if it is not known
	proc  unwind.Procedure
	stop  *unwind.Stop // why there is no row
	rules unwind.Rules
	row   *rowTally
	// cfi are the rules of the CFI where they are not those of the row.
	cfi      unwind.Rules
	hasCFI   bool // there is CFI
	otherCFI bool // and it differs

	claimed []unwind.Rules // with claims
	name    *string
}

// fileTally counts what was exercised of an ELF file.
type fileTally struct {
	path   string
	image  *Image
	rows   map[rowKey]*rowTally
	funcs  map[int64]struct{} // FDEs, by section and index
	nfuncs int                // FDEs of the file
	nrows  int                // FREs of the file
}

type rowKey struct {
	section  uint64 // address
	fde, fre int
}

// rowTally counts the steps at which a row was compared.
type rowTally struct{ steps uint64 }

// start reports whether the PC is the first byte of a function.
func (pl *site) start() bool { return pl.fn == pl.pc && pl.pc != 0 }

// place returns what is known of a PC.
func (p *Process) place(pc uint64) *site {
	slot := &p.near[pc%placeCache]
	if pl := *slot; pl != nil && pl.pc == pc {
		return pl
	}
	pl := p.places[pc]
	if pl == nil {
		if len(p.places) >= maxPlaces {
			clear(p.places)
		}
		pl = p.look(pc)
		p.places[pc] = pl
	}
	*slot = pl
	return pl
}

// maxPlaces bounds the PCs that are remembered of a process.
const maxPlaces = 1 << 21

func (p *Process) look(pc uint64) *site {
	pl := &site{pc: pc}
	var code [insn.MaxLen]byte
	n := p.space.Code(pc, code[:])
	pl.class = p.Checker.class(code[:n])
	im, ok := p.space.Image(pc)
	if !ok {
		pl.proc.Lookup, pl.stop = pc, &unwind.Stop{Reason: unwind.NoModule}
		return pl
	}
	pl.image = im
	pl.proc = unwind.Find(p, p.abi, pc)
	pl.stop = pl.proc.Missing()
	if pl.proc.HasFDE {
		pl.fn = pl.proc.Start()
		pl.row = p.file(im).row(&pl.proc)
	} else if _, off, ok := im.Symbol(pc); ok {
		pl.fn = pc - off
	}
	if pl.proc.HasFRE {
		pl.rules = pl.proc.Rules()
	}
	pl.cfi, pl.hasCFI = im.CFI(pc)
	pl.otherCFI = pl.hasCFI && pl.proc.HasFRE && !sameRules(&pl.cfi, &pl.rules) && canCompare(&pl.cfi)
	if p.opts.Claims != nil {
		pl.claimed = p.opts.Claims.Of(im, pc-im.Bias)
	}
	return pl
}

// canCompare reports whether all rules of CFI can be evaluated.
func canCompare(r *unwind.Rules) bool {
	return r.Outermost() || r.CFA.Kind != model.Invalid && r.RA.Kind != model.Invalid && r.FP.Kind != model.Invalid && r.FP.Kind != model.Undefined
}

// sameRules reports whether two rows say the same of the caller.
func sameRules(a, b *unwind.Rules) bool {
	return a.Row == b.Row && a.Mangled == b.Mangled && a.Signal == b.Signal
}

// symbol returns the name of the function, "" if it has none.
func (pl *site) symbol() string {
	if pl.image == nil {
		return ""
	}
	if pl.name == nil {
		name, _, _ := pl.image.Symbol(pl.pc)
		pl.name = &name
	}
	return *pl.name
}

// file returns the counts of a file.
func (c *Checker) file(im *Image) *fileTally {
	f := c.files[im.Path]
	if f == nil {
		f = &fileTally{path: im.Path, image: im, rows: map[rowKey]*rowTally{}, funcs: map[int64]struct{}{}}
		for _, s := range im.Sections {
			f.nfuncs += s.NumFDEs()
			f.nrows += int(s.NumFREs())
		}
		c.files[im.Path] = f
		c.order = append(c.order, f)
	}
	return f
}

func (f *fileTally) row(p *unwind.Procedure) *rowTally {
	s := p.FDE.Section().Addr()
	k := rowKey{s, p.FDE.Index(), -1}
	f.funcs[int64(s)<<24^int64(k.fde)] = struct{}{}
	if p.HasFRE {
		k.fre = p.FRE.Index()
	}
	r := f.rows[k]
	if r == nil {
		r = &rowTally{}
		f.rows[k] = r
	}
	return r
}
