package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// Changes control the section that Build writes.
type Changes struct {
	// Version is the version of the format; 0 keeps that of the sections.
	Version model.Version
	// Narrow leaves out FREs that repeat the previous one, joins FDEs of neighbouring
	// stubs, and chooses the default FDE type and the smallest widths that are enough. In
	// version 3, FDEs of a linked file whose attribute and FREs are the same bytes share them.
	Narrow bool
	// Relocatable keeps the order of the functions, whose starts relocations give.
	Relocatable bool
	// Signed says that the address of the section is unknown. Functions before it then seem to be at the end of the
	// address space.
	Signed bool
	// Dead reports whether an address has no code; nil stands for never.
	Dead func(addr uint64) bool

	// Budget is what is held and visited spent from; nil has no limits. Of the section that
	// is written, as many bytes as those that it replaces are free.
	Budget *budget.Budget

	move uint64 // bytes by which the section moves
	room int64  // bytes that the section may take where it is, with zeros after it
}

// Result is a section that was written.
type Result struct {
	Data    []byte
	Section *model.Section // the decoded Data
	// Fields maps the offset of each start field in the joined bytes to its offset in Data. It is set only for
	// relocatable sections.
	Fields map[int64]int64

	Counts
	sharedBytes int64 // of the FREs of FDEs that share those of another one
}

// Counts are what a section was made of.
type Counts struct {
	Sections int `json:"merged"`            // that were joined
	FDEs     int `json:"fdes"`              // of the section
	Dead     int `json:"fdes_without_code"` // FDEs of functions without code, which were left out
	Repeated int `json:"fdes_repeated"`     // FDEs that say the same as others of the same function, which were left out
	Joined   int `json:"fdes_joined"`       // FDEs of stubs that others cover now
	FREs     int `json:"fres_repeated"`     // FREs that were left out because they repeat others
	Shared   int `json:"fdes_sharing"`      // FDEs whose FREs are those of another one
	Misread  int `json:"starts_corrected"`  // sections whose start fields contradict the PCREL flag
}

// entry is an FDE on its way: its number among the FDEs of all pieces.
type entry uint32

// builder writes one section.
type builder struct {
	Changes
	pieces []Piece
	before []entry // FDEs before those of each piece
	head   model.Header
	info   model.VersionInfo
	big    bool   // the byte order
	addr   uint64 // of the section
	res    Result
	spent  int64 // memory that Build gives back

	entries []entry
	begins  []uint64 // a bit for each entry that has an FDE of its own; the next ones share it
	out     []byte   // the section; after the FDEs room for as many as there are entries
	base    int      // offset of the FREs in out
	last    written  // the FDE at the end
	start   uint64   // of its function
	num     int      // FDEs that were written
	numFREs uint64
	shared  map[uint64]written // see sharing
	buf     []byte
}

// written is an FDE that was written, but for its start.
type written struct {
	off   uint32
	size  uint32
	count uint32
	len   uint32 // bytes of the FREs with the attribute
	info  uint8
	info2 uint8
	rep   uint8
	done  bool
}

// What is held for each, in bytes.
const (
	entryCost  = 4
	sharedCost = 96
	fieldCost  = 48
	pieceCost  = 512
)

// spend takes memory from the budget until Build ends.
func (b *builder) spend(n int64) error {
	if err := b.Budget.Spend(budget.Memory, n); err != nil {
		return err
	}
	b.spent += n
	return nil
}

// free gives back what was spent.
func (b *builder) free(n int64) {
	b.Budget.Release(budget.Memory, n)
	b.spent -= n
}

// at returns the piece and the index of an entry there.
func (b *builder) at(e entry) (p *Piece, piece, fde int) {
	piece = sort.Search(len(b.before), func(i int) bool { return b.before[i] > e }) - 1
	return &b.pieces[piece], piece, int(e - b.before[piece])
}

// startOf returns the address of an entry's function.
func (b *builder) startOf(e entry) uint64 {
	p, _, k := b.at(e)
	f := p.FDE(k)
	start, _ := p.start(&f)
	return start
}

// ErrVersions is the error for sections that do not belong into one.
var ErrVersions = errors.New("the sections can't be merged")

// Build writes pieces as one section. It is an error if they differ in what a section
// has once, if the version can't express an FRE, and if a value does not fit its field.
func Build(pieces []Piece, opts Changes) (*Result, error) {
	b := &builder{Changes: opts, pieces: pieces, shared: map[uint64]written{}}
	defer func() { b.free(b.spent) }()
	if err := b.header(); err != nil {
		return nil, err
	}
	if err := b.collect(); err != nil {
		return nil, err
	}
	if err := b.prepare(); err != nil {
		return nil, err
	}
	for i, e := range b.entries {
		if err := b.add(i); err != nil {
			_, piece, fde := b.at(e)
			return nil, cmp.Or(b.Budget.Err(), fmt.Errorf("%sFDE %d: %w", b.pieceName(piece), fde, err))
		}
	}
	if err := b.finish(); err != nil {
		return nil, err
	}
	if err := b.verify(); err != nil {
		return nil, cmp.Or(b.Budget.Err(), fmt.Errorf("the section that was written does not mean the same: %w", err))
	}
	return &b.res, b.Budget.Err() // what was compared may be cut
}

// pieceName names a piece, if there are several.
func (b *builder) pieceName(piece int) string {
	if len(b.pieces) == 1 {
		return ""
	}
	return fmt.Sprintf("section %d at 0x%x: ", piece, b.pieces[piece].Off)
}

// header checks that the pieces agree, and finds the fields of the new header.
func (b *builder) header() error {
	first := b.pieces[0].Header()
	b.head, b.big, b.addr = first, b.pieces[0].BigEndian(), b.pieces[0].Addr()+b.move
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
		case big != b.big:
			return fmt.Errorf("%w: section %d at 0x%x has another byte order than the first one", ErrVersions, i, b.pieces[i].Off)
		case h.FixedRAOffset != first.FixedRAOffset:
			return differs("sfh_cfa_fixed_ra_offset", h.FixedRAOffset, first.FixedRAOffset)
		case h.FixedFPOffset != first.FixedFPOffset:
			return differs("sfh_cfa_fixed_fp_offset", h.FixedFPOffset, first.FixedFPOffset)
		case h.AuxLen > 0:
			return fmt.Errorf("%sit has an auxiliary header of %d bytes: the format does not define its contents", b.pieceName(i), h.AuxLen)
		case h.Flags&^model.DefinedFlags(h.Version) != 0:
			return fmt.Errorf("%sit has flags 0x%x, of which version %d does not define all", b.pieceName(i), uint8(h.Flags), h.Version)
		case int64(h.NumFDEs) != int64(b.pieces[i].NumFDEs()):
			return fmt.Errorf("%sit has %d of %d FDEs", b.pieceName(i), b.pieces[i].NumFDEs(), h.NumFDEs)
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
	if anyPCRel && (!b.Relocatable || b.head.Version == first.Version) { // see keepsPCRel
		b.head.Flags |= model.SFRAME_F_FDE_FUNC_START_PCREL & b.info.Flags
	}
	if !b.Relocatable {
		b.head.Flags |= model.SFRAME_F_FDE_SORTED
	}
	b.res.Sections = len(b.pieces)
	return nil
}

// collect finds the FDEs that are written, in their order.
func (b *builder) collect() error {
	n := int64(0)
	for i := range b.pieces {
		b.before = append(b.before, entry(n))
		n += int64(b.pieces[i].NumFDEs())
	}
	if err := b.spend(n*entryCost + n/8); err != nil {
		return err
	}
	b.entries = make([]entry, 0, n)
	if !b.Relocatable && b.Dead != nil {
		b.findStarts()
	}
	last, sorted := uint64(0), true
	for i := range b.pieces {
		p := &b.pieces[i]
		for k := range p.NumFDEs() {
			e := b.before[i] + entry(k)
			if !b.Relocatable {
				f := p.FDE(k)
				start, _ := p.start(&f)
				if b.Dead != nil && b.Dead(start) {
					b.res.Dead++
					continue
				}
				sorted = sorted && (len(b.entries) == 0 || b.order64(last, start) <= 0)
				last = start
			}
			b.entries = append(b.entries, e)
		}
	}
	if !b.Relocatable && !sorted {
		slices.SortFunc(b.entries, func(x, y entry) int {
			return cmp.Or(b.order64(b.startOf(x), b.startOf(y)), cmp.Compare(x, y))
		})
	}
	return nil
}

// order64 compares the addresses of functions.
func (b *builder) order64(x, y uint64) int {
	if b.Signed {
		return cmp.Compare(int64(x), int64(y))
	}
	return cmp.Compare(x, y)
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
