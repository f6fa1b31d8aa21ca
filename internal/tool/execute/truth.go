package execute

import (
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/tool/loaded"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TruthSchema names the form of a truth file.
const TruthSchema = "sframe-lint/truth/1"

// Truth is what was true at every visit in the runs of programs. Its JSON is
// described by docs/schema/truth.schema.json.
type Truth struct {
	Schema string       `json:"schema"`
	ABI    string       `json:"abi"`
	Files  []*FileTruth `json:"files"`
}

// FileTruth is what was true in a file, which is recognized by its build ID or its code.
type FileTruth struct {
	Name    string `json:"name"`
	BuildID string `json:"buildID,omitempty"`
	// Code is the SHA-256 of the code segments: a later link of the same code has another
	// build ID.
	Code string `json:"code,omitempty"`
	// Exact says that the facts have RawRA, RawRASlots and CFASlots. Older versions did not
	// record these: what they would refute is not judged.
	Exact bool   `json:"exact,omitempty"`
	Facts []Fact `json:"facts"`
	// Runs are runs of adjacent instructions with one fact: the address in the file, the
	// index of the fact, and the lengths of the instructions in bytes.
	Runs [][]uint64 `json:"runs"`
}

// Fact is what was true at each visit of an instruction. Registers are DWARF numbers.
type Fact struct {
	CFA        [][2]int64 `json:"cfa,omitempty"`      // pairs of a register and the CFA less that
	Mem        [][2]int64 `json:"mem,omitempty"`      // the CFA is the word at a register and an offset
	CFASlots   []int64    `json:"cfaSlots,omitempty"` // words that are the CFA, by the distance from it
	RA         []int64    `json:"ra,omitempty"`       // registers that hold the return address, signed or not
	RASlots    []int64    `json:"raSlots,omitempty"`  // words that hold it, by the distance from the CFA
	RawRA      []int64    `json:"rawRA,omitempty"`    // those of RA where it is not signed (AArch64)
	RawRASlots []int64    `json:"rawRASlots,omitempty"`
	FP         []int64    `json:"fp,omitempty"` // the same as RA for the caller's FP
	FPSlots    []int64    `json:"fpSlots,omitempty"`
	// Not are rules of rows that did not hold at a visit: what they are for (0: the CFA, 1: RA,
	// 2: FP), a register and an offset, at whose sum the word is.
	Not     [][3]int64 `json:"not,omitempty"`
	Bottom  bool       `json:"bottom,omitempty"`  // there was no caller at a visit
	Caller  bool       `json:"caller,omitempty"`  // there was one at a visit
	Partial bool       `json:"partial,omitempty"` // not all slots were known
}

// Truth returns the record of programs of an ABI, which is given by the specification's constant.
func (c *Recorder) Truth(abi string) *Truth {
	t := &Truth{Schema: TruthSchema, ABI: abi, Files: []*FileTruth{}}
	for _, f := range c.order {
		t.Files = append(t.Files, f.truth())
	}
	return t
}

// truth writes the facts of a file.
func (f *recorded) truth() *FileTruth {
	x := &FileTruth{Name: f.image.Name, BuildID: fmt.Sprintf("%x", f.image.BuildID()), Exact: true}
	// Where the file cannot be read again, its build ID remains.
	_ = reader.Scan(f.image.Path, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		if o.ELF != nil {
			_, x.Code = Identify(o)
		}
		return nil
	})
	all := make(map[uint64]instruction, len(f.facts))
	for at, fact := range f.facts {
		if fact.len > 0 {
			for _, slots := range [][]int64{fact.CFASlots, fact.RASlots, fact.RawRASlots, fact.FPSlots} {
				slices.Sort(slots)
			}
			all[at] = instruction{uint64(fact.len), fact.Fact}
		}
	}
	x.set(all)
	return x
}

// instruction is an instruction of a truth file.
type instruction struct {
	len  uint64
	fact Fact
}

// set makes instructions the contents of a file.
func (x *FileTruth) set(all map[uint64]instruction) {
	pcs := make([]uint64, 0, len(all))
	for at := range all {
		pcs = append(pcs, at)
	}
	slices.Sort(pcs)
	x.Facts, x.Runs = []Fact{}, [][]uint64{}
	index := map[string]uint64{}
	var end uint64
	for _, at := range pcs {
		i := all[at]
		key := fmt.Sprint(i.fact)
		n, ok := index[key]
		if !ok {
			n = uint64(len(x.Facts))
			index[key] = n
			x.Facts = append(x.Facts, i.fact)
		}
		if last := len(x.Runs) - 1; last >= 0 && at == end && x.Runs[last][1] == n {
			x.Runs[last] = append(x.Runs[last], i.len)
		} else {
			x.Runs = append(x.Runs, []uint64{at, n, i.len})
		}
		end = at + i.len
	}
}

// each calls yield for each instruction, by address.
func (x *FileTruth) each(yield func(at, length uint64, f *Fact)) {
	for _, run := range x.Runs {
		at := run[0]
		for _, n := range run[2:] {
			yield(at, n, &x.Facts[run[1]])
			at += n
		}
	}
}

// Merge adds the runs of another file. Only what was true in both remains.
func (t *Truth) Merge(other *Truth) error {
	if t.ABI != other.ABI {
		return fmt.Errorf("the truth is that of programs of %s, not of %s", other.ABI, t.ABI)
	}
	for _, y := range other.Files {
		i := slices.IndexFunc(t.Files, func(x *FileTruth) bool { return x.same(y.BuildID, y.Code) })
		if i < 0 {
			t.Files = append(t.Files, y)
			continue
		}
		all := map[uint64]instruction{}
		t.Files[i].each(func(at, n uint64, f *Fact) { all[at] = instruction{n, *f} })
		y.each(func(at, n uint64, f *Fact) {
			if old, ok := all[at]; ok {
				all[at] = instruction{n, intersect(&old.fact, f)}
			} else {
				all[at] = instruction{n, *f}
			}
		})
		t.Files[i].set(all)
		t.Files[i].Exact = t.Files[i].Exact && y.Exact
	}
	slices.SortStableFunc(t.Files, func(a, b *FileTruth) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// intersect returns what held in two runs.
func intersect(a, b *Fact) Fact {
	f := Fact{Bottom: a.Bottom || b.Bottom, Caller: a.Caller || b.Caller, Partial: a.Partial || b.Partial}
	f.Not = slices.Clone(a.Not)
	for _, d := range b.Not {
		if !slices.Contains(f.Not, d) {
			f.Not = append(f.Not, d)
		}
	}
	switch {
	case !a.Caller:
		a = b
	case !b.Caller:
		b = a
	}
	f.CFA, f.Mem = common(a.CFA, b.CFA), common(a.Mem, b.Mem)
	f.RA, f.RASlots = common(a.RA, b.RA), common(a.RASlots, b.RASlots)
	f.RawRA, f.RawRASlots, f.CFASlots = common(a.RawRA, b.RawRA), common(a.RawRASlots, b.RawRASlots), common(a.CFASlots, b.CFASlots)
	f.FP, f.FPSlots = common(a.FP, b.FP), common(a.FPSlots, b.FPSlots)
	return f
}

func common[T comparable](a, b []T) (out []T) {
	for _, v := range a {
		if slices.Contains(b, v) {
			out = append(out, v)
		}
	}
	return out
}

// same reports whether the file has a build ID or code.
func (x *FileTruth) same(buildID, code string) bool {
	return x.BuildID != "" && x.BuildID == buildID || x.Code != "" && x.Code == code
}

// File returns the part of a truth for a file, nil for none.
func (t *Truth) File(buildID, code string) *FileTruth {
	for _, x := range t.Files {
		if x.same(buildID, code) {
			return x
		}
	}
	return nil
}

// ReadTruth reads a truth file of size bytes. Its memory is spent from the budget, which may be
// nil. Errors: I/O, the budget, and what the file lacks.
func ReadTruth(r io.Reader, size int64, b *budget.Budget) (*Truth, error) {
	if err := b.Spend(budget.Memory, 4*size); err != nil {
		return nil, err
	}
	var t Truth
	d := json.NewDecoder(io.LimitReader(r, size))
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("not a truth file: its JSON is wrong at byte %d; 'sframe-lint trace --record' writes one", d.InputOffset())
	}
	if t.Schema != TruthSchema {
		return nil, fmt.Errorf("not a truth file: its schema is %.40q, expected %q", t.Schema, TruthSchema)
	}
	for _, x := range t.Files {
		if err := x.check(); err != nil {
			return nil, err
		}
	}
	return &t, nil
}

// maxPlacesOfFact bounds the places of a fact: the words of the windows, and the registers.
const maxPlacesOfFact = 256

var errTruth = errors.New("the truth file is damaged")

// check reports what the rest of the package relies on.
func (x *FileTruth) check() error {
	if x == nil {
		return errTruth
	}
	for i := range x.Facts {
		f := &x.Facts[i]
		if max(len(f.CFA), len(f.Mem), len(f.RA), len(f.RASlots), len(f.FP), len(f.FPSlots), len(f.Not),
			len(f.RawRA), len(f.RawRASlots), len(f.CFASlots)) > maxPlacesOfFact {
			return fmt.Errorf("%w: %.40q: a fact of too many places", errTruth, x.Name)
		}
	}
	for _, run := range x.Runs {
		if len(run) < 3 || run[1] >= uint64(len(x.Facts)) {
			return fmt.Errorf("%w: %.40q: a run without a fact", errTruth, x.Name)
		}
		for _, n := range run[2:] {
			if n == 0 || n > insn.MaxLen+1 {
				return fmt.Errorf("%w: %.40q: an instruction of %d bytes", errTruth, x.Name, n)
			}
		}
	}
	return nil
}

// Identify returns what identifies an object in a truth file: its build ID and the SHA-256 of
// its code segments, in hexadecimal digits. Each is empty if the object has none or it cannot
// be read. It must be called while the object is visited.
func Identify(o *reader.Object) (buildID, code string) {
	if id, err := loaded.BuildIDOf(o); err == nil {
		buildID = fmt.Sprintf("%x", id)
	}
	h := sha256.New()
	for i := range o.ELF.Segments {
		p := &o.ELF.Segments[i]
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_X == 0 || p.Offset > uint64(o.Size) || p.Filesz > uint64(o.Size)-p.Offset {
			continue
		}
		b, err := o.ELF.Data(model.Span{Off: int64(p.Offset), Len: int64(p.Filesz)})
		if err != nil {
			return buildID, ""
		}
		fmt.Fprintf(h, "%x %x\n", p.Vaddr, p.Filesz)
		h.Write(b)
		code = fmt.Sprintf("%x", h.Sum(nil))
	}
	return buildID, code
}
