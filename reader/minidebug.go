package reader

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/unpack"
	"github.com/sframe-lint/sframe-lint/model"
)

// miniDebug is the section of a stripped file with an ELF file that xz has compressed. That file has the symbols of
// the functions that .dynsym lacks.
const miniDebug = ".gnu_debugdata"

// miniSymbols adds the symbols in [miniDebug] to those of a stripped file. Errors: I/O and time; all
// else is a fault.
func (r *elfReader) miniSymbols() error {
	secs := r.elf.Sections
	i := slices.IndexFunc(secs, func(s Section) bool { return s.Name == miniDebug && s.Type == elf.SHT_PROGBITS })
	if i < 0 || r.opts.inMini || r.elf.Relocatable() || len(r.obj.SFrames) == 0 || r.symtab > 0 && secs[r.symtab].Type == elf.SHT_SYMTAB {
		return nil
	}
	place := r.place(&secs[i])
	sp, whole := r.src.clip(secs[i].Offset, secs[i].Size)
	if !whole {
		return nil // the section is reported otherwise
	}
	data, err := r.unxz(sp)
	defer func() { r.src.drop(int64(cap(data))) }()
	if err != nil {
		return r.noMini(place, err)
	}
	o := &Object{Path: r.obj.Path, Context: r.obj.Context}
	in := inMemory(data, r.src.path, &account{budget: r.src.budget})
	defer in.release()
	if err := readObject(o, in, data[:min(len(data), ehdrSize)], Options{Context: r.opts.Context, NoSurvey: true, inMini: true}); err != nil {
		return err
	}
	if o.ELF == nil || o.ELF.Machine != r.elf.Machine || o.ELF.Order != r.elf.Order {
		r.damage(place, "%s has no ELF file for the same machine", miniDebug)
		return nil
	}
	for _, f := range o.Faults {
		if f.Code == ELFDamaged || f.Code == BudgetExceeded { // the headers of other sections are left without bytes
			f.Span, f.Detail = place, "in "+miniDebug+": "+f.Detail
			r.fault(f)
		}
	}
	return r.noMini(place, r.join(r.elf.Symbols, o.ELF.Symbols))
}

// noMini turns an error into a fault, unless reading has to end.
func (r *elfReader) noMini(at model.Span, err error) error {
	if err == nil || r.src.first() != nil {
		return r.src.first()
	}
	if e := new(budget.Exceeded); errors.As(err, &e) {
		r.fault(Fault{Code: BudgetExceeded, Span: at, Got: overrun(err), Detail: err.Error() + " for " + miniDebug})
	} else {
		r.damage(at, "%s: %v", miniDebug, err)
	}
	return nil
}

// unxz decompresses a span. It holds the memory for what it returns, also with an error.
func (r *elfReader) unxz(sp model.Span) (out []byte, err error) {
	z := unpack.NewXZ(bufio.NewReader(&metered{r.src, sp}), r.src.holding)
	defer z.Close()
	for {
		if len(out) == cap(out) {
			grown := max(2*cap(out), 64<<10)
			if err := r.src.hold(int64(grown)); err != nil {
				return out, err
			}
			r.src.drop(int64(cap(out)))
			out = append(make([]byte, 0, grown), out...)
		}
		n, err := z.Read(out[len(out):min(cap(out), len(out)+inflateStep)])
		out = out[:len(out)+n]
		if serr := r.src.budget.Step(int64(n) / bytesPerStep); serr != nil {
			return out, r.src.fail(serr)
		}
		switch {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return out, err
		}
	}
}

// join adds the defined symbols of another table to those of the file. It finds their sections by their
// addresses, as the other file may lack some.
func (r *elfReader) join(to, from *Symbols) error {
	if from.Len() == 0 {
		return nil
	}
	need := int64(to.Len()+from.Len())*symSize + to.str.place.Len + from.str.place.Len
	if err := r.src.hold(need); err != nil {
		return err
	}
	table, names := make([]byte, symSize, int64(to.Len()+from.Len())*symSize), []byte(nil)
	if to.tab != nil {
		b, err := to.src.read(model.Span{Off: to.tab.place.Off, Len: int64(to.Len()) * symSize})
		if err != nil {
			return err
		}
		table = append(table[:0], b...)
		if names, err = to.str.src.read(to.str.place); err != nil {
			return err
		}
	}
	more, err := from.src.read(from.str.place)
	if err != nil {
		return err
	}
	first := uint32(len(names))
	names = slices.Concat(names, more)
	for i := 1; i < from.Len(); i++ {
		y, ok := from.raw(i)
		at, found := r.elf.SectionAt(y.value)
		if !ok || y.special || y.section == 0 || !found || at >= int(elf.SHN_LORESERVE) {
			continue
		}
		var b [symSize]byte
		r.elf.Order.PutUint32(b[:], first+y.name)
		b[4] = elf.ST_INFO(y.bind, y.typ)
		r.elf.Order.PutUint16(b[6:], uint16(at))
		r.elf.Order.PutUint64(b[8:], y.value)
		r.elf.Order.PutUint64(b[16:], y.size)
		table = append(table, b[:]...)
	}
	to.tab = &to.table
	to.tab.replace(inMemory(table, r.src.path, r.src.account))
	to.str.replace(inMemory(names, r.src.path, r.src.account))
	return nil
}

// ntGNUBuildID is the type of the note with a file's build ID. Its name is GNU.
const ntGNUBuildID = 3

// maxNotes bounds the bytes of notes that are searched for a build ID, and maxBuildID those
// of the ID.
const maxNotes, maxBuildID = 64 << 10, 64

// BuildID returns the build ID of an ELF file, or nil if it has none. Call it only while the object is visited.
// Errors: I/O and the budget.
func (o *Object) BuildID() ([]byte, error) {
	for i := range o.ELF.Segments {
		s := &o.ELF.Segments[i]
		if s.Type != elf.PT_NOTE || s.Offset > uint64(o.Size) {
			continue
		}
		n := min(s.Filesz, maxNotes, uint64(o.Size)-s.Offset)
		b, err := o.ELF.Data(model.Span{Off: int64(s.Offset), Len: int64(n)})
		if err != nil {
			return nil, err
		}
		if id := buildIDIn(b, o.ELF.Order); id != nil {
			return id, nil
		}
	}
	return nil, nil
}

// buildIDIn returns the build ID among notes. The sizes are multiples of 4 bytes.
func buildIDIn(b []byte, order binary.ByteOrder) []byte {
	for len(b) >= 12 {
		name, desc, typ := uint64(order.Uint32(b)), uint64(order.Uint32(b[4:])), order.Uint32(b[8:])
		b = b[12:]
		if align4(name)+desc > uint64(len(b)) {
			return nil
		}
		if typ == ntGNUBuildID && name == 4 && desc > 0 && desc <= maxBuildID && string(b[:4]) == "GNU\x00" {
			return bytes.Clone(b[4 : 4+desc])
		}
		b = b[min(align4(name)+align4(desc), uint64(len(b))):]
	}
	return nil
}

func align4(n uint64) uint64 { return (n + 3) &^ 3 }
