package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Options say what is written.
type Options struct {
	// Version is the version of the format; 0 keeps that of the sections.
	Version model.Version
	// Narrow leaves out FREs that repeat the previous one, joins FDEs of neighbouring
	// stubs, and chooses the default FDE type and the smallest widths that are enough.
	Narrow bool
	// Relocatable keeps the order of the functions, whose starts relocations give.
	Relocatable bool
	// Signed reports whether the address of the section is not known, so that
	// functions before it seem to be at the end of the address space.
	Signed bool
	// Dead reports whether an address has no code; nil stands for never.
	Dead func(addr uint64) bool

	move uint64 // bytes by which the section moves
}

// Result is a section that was written.
type Result struct {
	Data    []byte
	Section *model.Section // the decoded Data
	// Fields has the offset in Data of each start field, by its offset in the joined
	// bytes; only of relocatable sections.
	Fields map[int64]int64

	Sections int // that were joined
	Dead     int // FDEs of functions without code, which were left out
	Repeated int // FDEs that say the same as others of the same function, which were left out
	Joined   int // FDEs of stubs that others cover now
	FREs     int // FREs that were left out because they repeat others
	Misread  int // sections whose start fields contradict the PCREL flag
}

// entry is an FDE on its way.
type entry struct {
	start      uint64
	piece, fde int32
}

// builder writes one section.
type builder struct {
	Options
	pieces []Piece
	head   model.Header
	info   model.VersionInfo
	res    Result

	entries []entry
	written []written
	fres    []byte
	numFREs uint64
	shared  map[[2]int64]written // by piece and offset of the FREs
	buf     []byte
	kept    []fre // of the FDE at hand
}

// written is an FDE that was written, but for its start.
type written struct {
	from  int32 // index of the first entry
	n     int32 // entries that it stands for
	off   uint32
	size  uint32
	count uint32
	len   int // bytes of the FREs with the attribute
	info  uint8
	info2 uint8
	rep   uint8
}

// ErrVersions is the error for sections that do not belong into one.
var ErrVersions = errors.New("the sections can't be merged")

// Build writes pieces as one section. It is an error if they differ in what a section
// has once, if the version can't express an FRE, and if a value does not fit its field.
func Build(pieces []Piece, opts Options) (*Result, error) {
	b := &builder{Options: opts, pieces: pieces, shared: map[[2]int64]written{}}
	if err := b.header(); err != nil {
		return nil, err
	}
	b.collect()
	for i := range b.entries {
		if err := b.add(int32(i)); err != nil {
			e := b.entries[i]
			return nil, fmt.Errorf("%sFDE %d: %w", b.where(int(e.piece)), e.fde, err)
		}
	}
	if err := b.write(); err != nil {
		return nil, err
	}
	if err := b.verify(); err != nil {
		return nil, fmt.Errorf("the section that was written does not mean the same: %w", err)
	}
	return &b.res, nil
}

// where names a piece, if there are several.
func (b *builder) where(piece int) string {
	if len(b.pieces) == 1 {
		return ""
	}
	return fmt.Sprintf("section %d at 0x%x: ", piece, b.pieces[piece].Off)
}

// header checks that the pieces agree, and finds the fields of the new header.
func (b *builder) header() error {
	first := b.pieces[0].Header()
	b.head = first
	anyPCRel, flags := false, ^model.Flags(0)
	for i := range b.pieces {
		h, big := b.pieces[i].Header(), b.pieces[i].BigEndian()
		differs := func(what string, x, y any) error {
			return fmt.Errorf("%w: section %d at 0x%x has %s %v, the first one %v", ErrVersions, i, b.pieces[i].Off, what, x, y)
		}
		switch {
		case h.Version != first.Version:
			return differs("version", uint8(h.Version), uint8(first.Version))
		case h.ABI != first.ABI:
			return differs("ABI", model.LookupABI(h.ABI).Name, model.LookupABI(first.ABI).Name)
		case big != b.pieces[0].BigEndian():
			return fmt.Errorf("%w: section %d at 0x%x has another byte order than the first one", ErrVersions, i, b.pieces[i].Off)
		case h.FixedRAOffset != first.FixedRAOffset:
			return differs("sfh_cfa_fixed_ra_offset", h.FixedRAOffset, first.FixedRAOffset)
		case h.FixedFPOffset != first.FixedFPOffset:
			return differs("sfh_cfa_fixed_fp_offset", h.FixedFPOffset, first.FixedFPOffset)
		case h.AuxLen > 0:
			return fmt.Errorf("%sit has an auxiliary header of %d bytes: the format does not define its contents", b.where(i), h.AuxLen)
		case h.Flags&^model.DefinedFlags(h.Version) != 0:
			return fmt.Errorf("%sit has flags 0x%x, of which version %d does not define all", b.where(i), uint8(h.Flags), h.Version)
		case int64(h.NumFDEs) != int64(b.pieces[i].NumFDEs()):
			return fmt.Errorf("%sit has %d of %d FDEs", b.where(i), b.pieces[i].NumFDEs(), h.NumFDEs)
		}
		anyPCRel = anyPCRel || h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
		flags &= h.Flags
	}
	if b.Version != 0 {
		b.head.Version = b.Version
	}
	b.info = b.head.Version.Info()
	if abi := model.LookupABI(first.ABI); !abi.InVersion(b.head.Version) {
		return fmt.Errorf("version %d does not support %s", b.head.Version, abi.Name)
	}
	b.head.Flags = flags&model.SFRAME_F_FRAME_POINTER&b.info.Flags | b.info.NeedFlags
	if anyPCRel {
		b.head.Flags |= model.SFRAME_F_FDE_FUNC_START_PCREL & b.info.Flags
	}
	if !b.Relocatable {
		b.head.Flags |= model.SFRAME_F_FDE_SORTED
	}
	b.res.Sections = len(b.pieces)
	return nil
}

// collect finds the FDEs that are written, in their order.
func (b *builder) collect() {
	n := 0
	for i := range b.pieces {
		n += b.pieces[i].NumFDEs()
	}
	b.entries = make([]entry, 0, n)
	if !b.Relocatable && b.Dead != nil {
		b.findStarts()
	}
	for i := range b.pieces {
		p := &b.pieces[i]
		for k := range p.NumFDEs() {
			e := entry{piece: int32(i), fde: int32(k)}
			if !b.Relocatable {
				f := p.FDE(k)
				e.start, _ = p.start(&f)
				if b.Dead != nil && b.Dead(e.start) {
					b.res.Dead++
					continue
				}
			}
			b.entries = append(b.entries, e)
		}
	}
	if b.Relocatable {
		return
	}
	slices.SortStableFunc(b.entries, func(x, y entry) int {
		if b.Signed {
			return cmp.Compare(int64(x.start), int64(y.start))
		}
		return cmp.Compare(x.start, y.start)
	})
}

// findStarts decides what start fields count from if PCREL is clear. A linker that
// concatenates sections adds nothing to the addends of relocations, and assemblers that
// leave PCREL clear expect it to: the fields then count from themselves.
func (b *builder) findStarts() {
	flagged, other, n := 0, 0, 0
	for i := range b.pieces {
		if p := b.pieces[i]; !p.PCRel {
			flagged += p.faults(b.Dead)
			p.PCRel = true
			other += p.faults(b.Dead)
			n++
		}
	}
	if flagged < other || flagged == other && len(b.pieces) == 1 {
		return
	}
	for i := range b.pieces {
		b.pieces[i].PCRel = true
	}
	b.res.Misread = n
}

// faults counts the functions that leave the code, or overlap the previous one.
func (p *Piece) faults(dead func(addr uint64) bool) (n int) {
	end, begin := uint64(0), uint64(0)
	for k := range p.NumFDEs() {
		f := p.FDE(k)
		start, _ := p.start(&f)
		last := start + uint64(max(f.Size(), 1)) - 1
		if dead(start) || dead(last) || start >= begin && start < end {
			n++
		}
		begin, end = start, last+1
	}
	return n
}

// add writes the FREs of an entry, unless other ones stand for it.
func (b *builder) add(i int32) error {
	e := b.entries[i]
	f := b.pieces[e.piece].FDE(int(e.fde))
	if int64(f.ClaimedFREs()) != int64(f.NumFREs()) {
		return fmt.Errorf("%d of its %d FREs can be decoded", f.NumFREs(), f.ClaimedFREs())
	}
	w := written{from: i, n: 1, size: f.Size()}
	if err := b.encode(&f, &w); err != nil {
		return err
	}
	if b.covered(&w, e) {
		return nil
	}
	key := [2]int64{int64(e.piece), int64(f.StartFREOff())}
	if old, ok := b.shared[key]; ok && old.same(&w) && string(b.fres[old.off:][:old.len]) == string(b.buf) {
		w.off = old.off
	} else {
		if len(b.fres)+len(b.buf) > math.MaxInt32 {
			return errors.New("the FREs do not fit a section")
		}
		w.off = uint32(len(b.fres))
		b.fres = append(b.fres, b.buf...)
		b.shared[key] = w
	}
	b.numFREs += uint64(w.count)
	b.written = append(b.written, w)
	return nil
}

// same reports whether the FREs of two FDEs are read alike.
func (w *written) same(x *written) bool {
	return w.len == x.len && w.count == x.count && w.info == x.info && w.info2 == x.info2 && w.rep == x.rep
}

// covered reports whether the FDE before the one in buf says the same of the same
// function, as after a linker has folded functions, or can also stand for its stubs.
func (b *builder) covered(w *written, e entry) bool {
	if b.Relocatable || len(b.written) == 0 {
		return false
	}
	last := &b.written[len(b.written)-1]
	if !last.same(w) || string(b.fres[last.off:][:last.len]) != string(b.buf) {
		return false
	}
	start := b.entries[last.from].start
	switch {
	case start == e.start && last.size == w.size:
		b.res.Repeated++
	case b.Narrow && w.info&model.InfoPCTypeBit != 0 && w.rep != 0 && last.size%uint32(w.rep) == 0 &&
		start+uint64(last.size) == e.start && uint64(last.size)+uint64(w.size) <= math.MaxUint32:
		last.size += w.size
		b.res.Joined++
	default:
		return false
	}
	last.n = int32(w.from) - last.from + 1
	return true
}
