package rewrite

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Expected is the section derived from the call frame information of an object.
type Expected struct {
	Data    []byte         // without relocations: in a relocatable file the start fields are 0
	SFrame  *reader.SFrame // the decoded Data
	FDEs    int
	Proven  int        // of these, the ones of functions without CFI, whose code proves the rows
	Omitted []Omission // functions without an FDE, in the order of their addresses
	// More is the number of functions that were omitted besides.
	More int

	starts []model.Start // of the FDEs
}

// DependsOnPC is why a PLT is omitted: an expression of its CFI depends on the PC.
const DependsOnPC = "the CFA depends on the PC"

// Omission is a function that no FDE of the version can describe.
type Omission struct {
	Place uint32 // 0, or the index of the section that Start counts from
	Start uint64
	Size  uint64
	Why   string // a clause: "the CFA is rbx+16"
	// Flexible reports that an FDE of version 3 can, of the flexible type where the default one can't.
	Flexible bool
	Ignored  bool // assemblers write an FDE all the same
}

// mostOmitted is the number of functions without an FDE that are kept.
const mostOmitted = 10000

// What is held for a function, in bytes.
const (
	expectedCost = 64
	omissionCost = 128
)

// Expect writes the section of a version that matches the CFI of an object, for an address. FDEs are in the order of
// functions, start offsets and words the narrowest; flex allows flexible FDEs. Call it while the object is visited. Errors:
// I/O, the budget, no ABI of the version, too large sections.
func Expect(o *reader.Object, version model.Version, flex bool, addr uint64) (*Expected, error) {
	return expect(o, version, flex, addr, false)
}

// expect is Expect. With more, FDEs of a linked file share FREs as with [Changes.Narrow], and code without CFI has
// FDEs if it proves the rows.
func expect(o *reader.Object, version model.Version, flex bool, addr uint64, more bool) (*Expected, error) {
	if o.ELF == nil || !o.ELF.ABI().InVersion(version) {
		return nil, fmt.Errorf("%v of the format does not support this machine", version)
	}
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return nil, err
	}
	x := &expecter{builder: builder{Changes: Changes{Relocatable: o.ELF.Relocatable(), Narrow: more && !o.ELF.Relocatable(), Budget: budget.Of(o.Context)}, shared: map[uint64]written{}}, res: &Expected{}}
	x.info, x.big, x.addr = version.Info(), o.ELF.BigEndian(), addr
	if !flex {
		x.info.Flex = false
	}
	defer func() { x.free(x.spent) }()
	abi := o.ELF.ABI()
	x.head = model.Header{Version: version, ABI: abi.ID, FixedRAOffset: int8(abi.FixedRA)}
	x.head.Flags = x.info.NeedFlags | model.SFRAME_F_FDE_FUNC_START_PCREL&x.info.Flags
	if x.Relocatable && more && !keepsPCRel(o) {
		x.head.Flags &= x.info.NeedFlags
	}
	if !x.Relocatable {
		x.head.Flags |= model.SFRAME_F_FDE_SORTED
	}
	if more {
		if err := x.findProven(o, frames); err != nil {
			return nil, err
		}
	}
	if err := x.write(frames); err != nil {
		return nil, err
	}
	return x.res, x.decodeAll()
}

// keepsPCRel reports whether the section of an object file is one of version 2 with PCREL, as those of LLVM and GNU as 2.45.
// Other object files of version 2 are written without it: GNU ld to 2.44 does not know it.
func keepsPCRel(o *reader.Object) bool {
	return slices.ContainsFunc(o.SFrames, func(sf *reader.SFrame) bool {
		return sf.Section != nil && sf.Section.Version() == model.SFRAME_VERSION_2 && sf.Section.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
	})
}

// expecter writes the section of an object.
type expecter struct {
	builder
	res  *Expected
	rows []fre
	plts int // that have FDEs, see stubs

	proven []proven // functions without CFI that are not written yet
}

// expected is a function with call frame information, or with rows that its code proves.
type expected struct {
	place      uint32
	start, end uint64
	fde        cfi.FDE
	proven     []provenRow
}

// write writes the FREs, and then the FDEs before them.
func (x *expecter) write(frames *cfi.Frames) error {
	n := len(x.proven)
	frames.Each(func(uint32, uint64, uint64, cfi.FDE) bool {
		n++
		return true
	})
	if !x.Relocatable {
		n += mostStubs
	}
	x.base = x.info.HeaderSize + n*x.info.FDESize
	if err := x.spend(int64(x.base) + int64(n)*expectedCost); err != nil {
		return err
	}
	x.out = make([]byte, x.base)
	x.builder.res.Fields = map[int64]int64{}
	var err error
	frames.Each(func(place uint32, start, end uint64, f cfi.FDE) bool {
		// An FDE may be cut by another one: its rows count from its own start.
		one, why := &expected{place: place, start: start, end: end, fde: f}, ""
		if err = cmp.Or(x.Budget.Step(1), x.before(place, start)); err == nil {
			why, err = x.function(one)
		}
		if err == nil && why != "" {
			o, _ := one.fde.Obstacle(x.head.Version, x.info.Flex)
			err = x.omit(one, why, len(x.res.Omitted) < mostOmitted && x.flexible(one), o.Ignored)
		}
		return err == nil
	})
	if err = cmp.Or(err, x.before(math.MaxUint32, math.MaxUint64)); err != nil {
		return err
	}
	x.res.FDEs = x.num
	if err := x.fill(); err != nil {
		return err
	}
	x.res.Data = x.out
	return nil
}

func (x *expecter) omit(f *expected, why string, flexible, ignored bool) error {
	if len(x.res.Omitted) == mostOmitted {
		x.res.More++
		return nil
	}
	x.res.Omitted = append(x.res.Omitted, Omission{f.place, f.start, f.end - f.start, why, flexible, ignored})
	return x.Budget.Spend(budget.Memory, omissionCost)
}

// function writes a function, or returns why it has no FDE.
func (x *expecter) function(f *expected) (why string, err error) {
	if f.end-f.start > math.MaxUint32 {
		return "it has more than 2^32 bytes", nil
	}
	w := written{size: uint32(f.end - f.start), done: true}
	if f.proven == nil {
		if o, some := f.fde.Obstacle(x.head.Version, x.info.Flex); some {
			return o.Why, nil
		}
		if f.fde.CIE.Signal {
			w.info |= model.InfoSignalBit
		}
		if f.fde.CIE.KeyB {
			w.info |= model.InfoPauthKeyBit
		}
	}
	if why := x.encode(f, &w); why == DependsOnPC && !x.Relocatable {
		return x.stubs(f, &w)
	} else if why != "" {
		return why, nil
	}
	return x.put(f, &w)
}

// flexible reports whether an FDE of version 3 can describe a function that has none.
func (x *expecter) flexible(f *expected) bool {
	if x.info.Flex || !model.LookupABI(x.head.ABI).InVersion(model.SFRAME_VERSION_3) || f.end-f.start > math.MaxUint32 {
		return false
	}
	v3 := *x
	v3.info, v3.head.Version = model.SFRAME_VERSION_3.Info(), model.SFRAME_VERSION_3
	_, some := f.fde.Obstacle(v3.head.Version, true)
	return !some && v3.encode(f, &written{}) == "" && len(v3.rows) <= int(v3.info.MaxFREs)
}

// put writes an FDE with the FREs in rows.
func (x *expecter) put(f *expected, w *written) (why string, err error) {
	x.buf = append(x.buf[:0], make([]byte, x.info.AttrSize)...)
	width := model.FRETypeFor(x.rows[len(x.rows)-1].start)
	w.info |= uint8(width)
	w.count = uint32(len(x.rows))
	for i := range x.rows {
		x.fre(&x.rows[i], width)
	}
	if err := x.attribute(w); err != nil {
		return err.Error(), nil
	}
	if err := x.place(w, 0); err != nil {
		return "", err
	}
	x.numFREs += uint64(w.count)
	at := int64(x.num)
	if err := x.fde(w, 0, f.start, at); err != nil {
		return "", err
	}
	x.res.starts = append(x.res.starts, model.Start{Addr: f.start, Place: f.place, OK: true})
	return "", nil
}

// encode finds the FREs of a function: of the default type if that can express them all.
func (x *expecter) encode(f *expected, w *written) (why string) {
	for _, t := range x.types() {
		if why = x.encodeAs(f, t); why == "" {
			if t == model.SFRAME_FDE_TYPE_FLEX {
				w.info2 = uint8(t)
			}
			return ""
		}
	}
	return why
}

func (x *expecter) encodeAs(f *expected, t model.FDEType) (why string) {
	x.rows = x.rows[:0]
	for _, r := range f.proven {
		if why := x.add(r.start, r.Row, 0, t); why != "" {
			return why
		}
	}
	if f.proven != nil {
		return ""
	}
	undefined := model.Recovery{Kind: model.Undefined}
	var run cfi.Runner
	var row cfi.Row
	for run.Reset(&f.fde); run.Next(&row); {
		if row.End <= f.start || row.Start >= f.end {
			continue
		}
		r := f.fde.Recover(&row, max(row.Start, f.start))
		if r.PC != 0 {
			return DependsOnPC
		}
		rules := r.Row
		if rules.RA.Kind == model.Undefined {
			rules = model.Row{CFA: undefined, RA: undefined, FP: undefined}
		}
		if why := x.add(uint32(max(row.Start, f.start)-f.start), rules, row.Sign, t); why != "" {
			return why
		}
	}
	if len(x.rows) == 0 {
		return "its program has no rows"
	}
	return ""
}

// add adds a row, unless it repeats the last one.
func (x *expecter) add(start uint32, rules model.Row, sign cfi.RAState, t model.FDEType) (why string) {
	l, err := x.head.Words(t, rules)
	if err != nil {
		return err.Error()
	}
	w := fre{start: start, bits: uint8(l.Base), Words: l}
	if sign&cfi.RASigned != 0 {
		w.bits |= model.FREInfoMangledBit
	}
	var ok bool
	if w.size, ok = w.Words.Size(); !ok {
		return "its data words do not fit 4 bytes"
	}
	if n := len(x.rows); n > 0 && x.rows[n-1].Words == w.Words && x.rows[n-1].bits == w.bits {
		return ""
	}
	x.rows = append(x.rows, w)
	return ""
}

// decodeAll decodes what was written, with the starts that relocations would give.
func (x *expecter) decodeAll() error {
	opts := reader.SectionOptions{Addr: x.addr, Relocatable: x.Relocatable, NoSurvey: true}
	if x.Relocatable {
		opts.Start = func(off int64, _ int) model.Start {
			if i := (off - int64(x.info.HeaderSize)) / int64(x.info.FDESize); i >= 0 && i < int64(len(x.res.starts)) {
				return x.res.starts[i]
			}
			return model.Start{}
		}
	}
	x.res.SFrame = reader.DecodeSFrame(x.res.Data, opts)
	if len(x.res.SFrame.Faults) > 0 || x.res.SFrame.Section == nil {
		return fmt.Errorf("the section that was written can't be decoded: %v", x.res.SFrame.Faults)
	}
	return nil
}

// stubSize is the size in bytes of a stub of a PLT whose CFI depends on the PC (AMD64), and
// mostStubs is the number of PLTs of a file that get FDEs.
const stubSize, mostStubs = 16, 8

// stubs writes the FDEs of a PLT as linkers do: one of the code before the stubs, and one of the type
// MASK of the stubs. Each stub has the rows of the first one, or there is a reason why no FDE is written.
func (x *expecter) stubs(f *expected, w *written) (why string, err error) {
	var run cfi.Runner
	var row cfi.Row
	found := false
	for run.Reset(&f.fde); !found && run.Next(&row); {
		found = row.Start >= f.start && row.Start < f.end && f.fde.Recover(&row, row.Start).PC != 0
	}
	size := f.end - row.Start
	if !found || row.End < f.end || size == 0 || size%stubSize != 0 || !x.info.Stubs && x.info.AttrSize == 0 || x.plts == mostStubs {
		return DependsOnPC, nil
	}
	if err := x.Budget.Step(int64(size)); err != nil {
		return "", err
	}
	x.rows = x.rows[:0]
	for off := range size {
		r := f.fde.Recover(&row, row.Start+off)
		if off >= stubSize {
			if first := f.fde.Recover(&row, row.Start+off%stubSize); r.Row != first.Row {
				return DependsOnPC, nil
			}
		} else if r.CFAReason != cfi.Comparable {
			return "CFA: " + r.CFAReason.String(), nil
		} else if why := x.add(uint32(off), r.Row, row.Sign, model.SFRAME_FDE_TYPE_DEFAULT); why != "" {
			return why, nil
		}
	}
	rows := append([]fre(nil), x.rows...)
	if row.Start > f.start {
		if why, err := x.function(&expected{place: f.place, start: f.start, end: row.Start, fde: f.fde}); why != "" || err != nil {
			return why, err
		}
	}
	x.rows = append(x.rows[:0], rows...)
	x.plts++
	*w = written{size: uint32(size), info: model.InfoPCTypeBit, rep: stubSize, done: true}
	return x.put(&expected{place: f.place, start: row.Start, end: f.end}, w)
}
