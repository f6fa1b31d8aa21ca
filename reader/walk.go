package reader

import (
	"math"
	"runtime"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// parallelFDEs is the number of FDEs from which it pays to walk a section in
// parts.
const parallelFDEs = 4096

// stepRows is the number of FDEs and rows after which the walk looks at the budget.
const stepRows = 1 << 14

// part is a run of FDEs that is walked by itself.
type part struct {
	d         *decoder
	fdes      []byte // the FDE sub-section
	fres      []byte // the FRE sub-section
	entrySize int
	big       bool
	odd       uint32 // bits of a row's start that are 0 at an instruction address
	attr      int    // as in model.VersionInfo: AttrSize, Flex
	flex      bool
	pcrel     bool
	base      int64  // of the FDE sub-section in the section
	addr      uint64 // of the section
	lo, hi    int

	relocatable bool

	recent *[1 << recentBits]uint64 // keys of rows
	traits model.Trait              // of the FDE that is walked
	log    faultLog
	sv     model.Recorder
	counts []uint32 // of rows, of the FDEs from lo on; nil while all are as claimed
	starts []model.Start
	budget int64 // bytes of rows that may still be decoded
	steps  int64 // FDEs and rows that were not yet paid for
	err    error // why the walk ended early
	top    int64 // end of the bytes that were

	highest int64           // start among the rows that were decoded last
	blocks  map[int64]block // see again
	left    int64           // bytes of rows that again may still decode

	ordered, disjoint   bool
	runs                []model.Span // see model.Parts
	runStart, runEnd    int64        // of the run that goes on
	first               model.Start
	firstSize           uint64
	prevStart, prevSize uint64
	prevPlace           uint32
	any                 bool
}

// walk visits every FDE and row once: it finds what can be decoded and
// gathers the survey. Large sections are walked in parts; the result does
// not depend on how many.
func (d *decoder) walk(p *model.Parts) *model.Recorder {
	n := int(d.fdes.Len) / d.info.FDESize
	workers := 1
	if n >= parallelFDEs && !d.opts.Relocatable {
		workers = min(runtime.GOMAXPROCS(0), n/(parallelFDEs/2))
	}
	parts := d.walkParts(n, workers)
	// Rows that many FDEs share could make every part read all of the
	// section. Where the parts together went beyond what one may read, one
	// walk decides what is left out.
	if workers > 1 && spent(parts) > d.budget() {
		parts = d.walkParts(n, 1)
	}
	return d.join(parts, n, p)
}

// budget is the number of bytes of rows that are decoded at most, besides those after
// all that were decoded before: twice what there is.
func (d *decoder) budget() int64 { return 2 * d.fres.Len }

func spent(parts []*part) int64 {
	var sum int64
	for _, w := range parts {
		sum += w.d.budget() - w.budget
	}
	return sum
}

func (d *decoder) walkParts(n, workers int) []*part {
	parts := make([]*part, workers)
	var wg sync.WaitGroup
	for i := range parts {
		w := &part{
			d: d, fdes: d.bytes(d.fdes), fres: d.bytes(d.fres), entrySize: d.info.FDESize, big: d.big,
			attr: d.info.AttrSize, flex: d.info.Flex,
			pcrel: d.hdr.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0,
			odd:   uint32(model.LookupABI(d.hdr.ABI).MinInsn - 1),
			base:  d.fdes.Off, addr: d.opts.Addr, relocatable: d.opts.Relocatable,
			lo: n * i / workers, hi: n * (i + 1) / workers, budget: d.budget(), left: d.budget(),
			ordered: true, disjoint: true, recent: recentKeys.Get().(*[1 << recentBits]uint64),
		}
		parts[i] = w
		if i == workers-1 {
			w.run()
			continue
		}
		wg.Go(w.run)
	}
	wg.Wait()
	for _, w := range parts {
		clear(w.recent[:])
		recentKeys.Put(w.recent)
		w.recent = nil
	}
	return parts
}

// recentKeys are memories of recent rows that no walk uses, empty ones: they are larger
// than all else that is made for a small section.
var recentKeys = sync.Pool{New: func() any { return new([1 << recentBits]uint64) }}

func (w *part) run() {
	if w.d.opts.NoSurvey {
		w.sv.SkipContents()
	}
	if w.relocatable {
		w.starts = make([]model.Start, 0, w.hi-w.lo)
	}
	for i := w.lo; i < w.hi; i++ {
		if w.fde(i); w.steps >= stepRows {
			w.pay()
		}
		if w.err != nil {
			return
		}
	}
	w.pay()
	w.endRun()
}

// pay pays for the FDEs and rows that were decoded since it was called last.
func (w *part) pay() {
	w.err = w.d.opts.budget.Step(w.steps)
	w.steps = 0
}

// join puts the parts together in order.
func (d *decoder) join(parts []*part, n int, p *model.Parts) *model.Recorder {
	sv := &parts[0].sv
	for i, w := range parts {
		d.log.join(&w.log)
		if d.err == nil {
			d.err = w.err
		}
		if w.counts != nil && p.Rows == nil {
			p.Rows = make([]uint32, n)
		}
		p.Runs = append(p.Runs, w.runs...)
		p.Ordered = p.Ordered && w.ordered
		p.Disjoint = p.Disjoint && w.disjoint
		if i > 0 {
			sv.Join(&w.sv)
			d.compareSeam(parts[i-1], w, p)
		}
	}
	if p.Rows != nil {
		for _, w := range parts {
			w.fillRows(p.Rows[w.lo:w.hi])
		}
	}
	p.Starts = parts[0].starts
	if !d.opts.Relocatable {
		p.Starts = nil
	}
	p.NumFREs, p.ClaimedFREs = sv.DecodedRows, sv.ClaimedRows
	runs, shared := orderRuns(p.Runs, int(d.fres.Len))
	if p.Runs = runs; shared {
		sv.Traits |= model.DataOverlaps
	}
	return sv
}

// compareSeam compares the first FDE of a part with the last FDE before it.
func (d *decoder) compareSeam(a, b *part, p *model.Parts) {
	if !a.any || !b.any {
		return
	}
	first := *a
	first.order(b.first.Addr, b.firstSize, b.first.Place)
	p.Ordered = p.Ordered && first.ordered
	p.Disjoint = p.Disjoint && first.disjoint
}

// fillRows writes the part's counts of rows, which are the claimed ones
// where the part kept none.
func (w *part) fillRows(dst []uint32) {
	if w.counts != nil {
		copy(dst, w.counts)
		return
	}
	for i := range dst {
		dst[i] = w.entry(w.lo + i).NumFREs
	}
}

// block is what the walk found out about rows that several FDEs share.
type block struct {
	rows    uint32
	end     int64
	highest int64 // start
	traits  model.Trait
}

// rowsAgain is rows for FREs that were decoded before, once the FDEs have used the sub-section twice over. In a version with
// attributes, each shared block is decoded once more and remembered; blocks without overlap have at most the bytes of the
// sub-section. Other FDEs have a fault.
func (w *part) rowsAgain(i int, e *model.Entry, begin int64, width int) (decoded uint32, end int64) {
	b, known := w.blocks[begin]
	if w.attr == 0 || !known && w.left <= 0 {
		w.noRows(i, begin)
		return 0, begin
	}
	if !known {
		b.rows, b.end = w.rows(i, min(e.NumFREs, math.MaxInt32), int(begin), width, model.RowClass(e.Info, e.Info2, w.flex), math.MaxUint32)
		b.highest, b.traits = w.highest, w.traits&^model.FunctionUnknown
		w.left -= b.end - begin
		if b.rows == e.NumFREs {
			if w.blocks == nil {
				w.blocks = map[int64]block{}
			}
			w.blocks[begin] = b
		}
	}
	if w.traits |= b.traits; b.rows > 0 && b.highest >= int64(e.Extent()) {
		w.traits |= model.RowBeyond
	}
	return b.rows, b.end
}
