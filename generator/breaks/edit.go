package breaks

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// fail says that there is no room for the fault. Nothing changes a draft that has failed.
func (x spot) fail() anchor {
	x.failed = true
	return anchor{}
}

// blame ends a chain of changes with the bytes that the rule must report.
func (spot) blame(at anchor) anchor { return at }

// replan changes the plan and writes everything again, unless the bytes are no longer those of the plan.
func (x spot) replan(change func(p *generator.Plan)) spot {
	if x.failed = x.failed || x.sealed; x.failed {
		return x
	}
	before := *x.Subject
	x.base = x.base.Clone()
	change(x.base)
	if x.build() != nil {
		*x.Subject, x.failed = before, true
	}
	return x
}

// write writes a number at an anchor, read reads one.
func (x spot) write(at anchor, v uint64) anchor {
	x.setObject(x.place(at), v)
	return at
}
func (x spot) read(at anchor) uint64 { return x.getObject(x.place(at)) }

// place returns where the bytes of an anchor lie in the object.
func (x spot) place(at anchor) model.Span {
	if sp := at.of(x.Subject); at.scope == inSection {
		return in(x.off, sp)
	} else {
		return sp
	}
}

// add adds to the number at an anchor, or sets bits in it.
func (x spot) add(at anchor, v uint64) anchor    { return x.write(at, x.read(at)+v) }
func (x spot) orBits(at anchor, v uint64) anchor { return x.write(at, x.read(at)|v) }

// set writes a number into the section.
func (x spot) set(sp model.Span, v uint64) { x.setObject(in(x.off, sp), v) }

// put writes bytes into the section, overwrite into the object.
func (x spot) put(off int64, b []byte) { x.overwrite(x.off+off, b) }
func (x spot) overwrite(off int64, b []byte) {
	if !x.failed {
		x.sealed = true
		copy(x.object[off:], b)
	}
}

// setObject writes a number into the object, getObject reads one.
func (x spot) setObject(sp model.Span, v uint64) {
	if !x.failed {
		x.sealed = true
		number.Put(x.order(), x.object[sp.Off:][:sp.Len], v)
	}
}
func (s *Subject) getObject(sp model.Span) uint64 {
	return number.Get(s.order(), s.object[sp.Off:][:sp.Len])
}

// append adds bytes after the object, aligned to 8, and returns their offset.
func (x spot) append(b []byte) int64 {
	x.sealed = true
	for len(x.object)%8 != 0 {
		x.object = append(x.object, 0)
	}
	at := int64(len(x.object))
	x.object = append(x.object, b...)
	return at
}

// setStart changes where an FDE's function starts: by its field, or in an
// object file by the relocation of the field.
func (x spot) setStart(start uint64) spot {
	if x.rel() {
		at := in(x.relocOf(), relAddend)
		x.setObject(at, x.getObject(at)+start-x.fn().Start)
		return x
	}
	return x.setStartField(start, x.has(model.SFRAME_F_FDE_FUNC_START_PCREL))
}

func (x spot) setStartField(start uint64, pcrel bool) spot {
	sp := x.field(model.FDEStart)
	raw := int64(start - x.plan.Addr)
	if pcrel {
		raw -= sp.Off
	}
	if sp.Len == 4 && raw != int64(int32(raw)) {
		x.failed = true
	}
	x.set(sp, uint64(raw))
	return x
}

// relocOf returns where the relocation of an FDE lies in the object.
func (x spot) relocOf() int64 { return int64(x.elf.relocs().off) + int64(x.i)*relaSize }

// byAddress lists the functions in the order of their addresses.
func (s *Subject) byAddress() []int {
	if s.arranged != nil {
		return s.arranged()
	}
	return s.sorted()
}

func (s *Subject) sorted() []int {
	order := make([]int, len(s.base.Funcs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(s.base.Funcs[a].Start, s.base.Funcs[b].Start), 1) })
	return order
}

// next returns the function that follows another one in memory, -1 for none;
// in a file only one in the same section.
func (x spot) next() int {
	order := x.byAddress()
	k, _ := slices.BinarySearchFunc(order, x.base.Funcs[x.i].Start, func(j int, start uint64) int { return cmp.Compare(x.base.Funcs[j].Start, start) })
	k += slices.Index(order[k:], x.i) + 1
	if k == len(order) || x.inELF() && x.text() != x.fde(order[k]).text() {
		return -1
	}
	return order[k]
}

// last returns the function with the highest address, -1 for none.
func (s *Subject) last() int {
	if order := s.byAddress(); len(order) > 0 {
		return order[len(order)-1]
	}
	return -1
}

// onlySite has one site in the sections that satisfy ok, inFile one in such files.
func onlySite(ok test, do edit, claims ...string) sites {
	return sitesWhere(ok, func(x spot) []site { return []site{{x, claims, do}} })
}
func inFile(ok test, do edit, claims ...string) sites {
	return onlySite(func(x spot) bool { return x.inELF() && !x.outer && ok(x) }, do, claims...)
}

// Sections that faults need.
func always(spot) bool     { return true }
func hasFuncs(x spot) bool { return len(x.plan.Funcs) > 0 }
func pauth(x spot) bool    { return x.abi().Pauth }
func tracksRA(x spot) bool { return x.abi().TracksRA() }

// sitesWhere has the sites of sections that satisfy ok.
func sitesWhere(ok test, at sites) sites {
	return func(x spot) []site {
		if !ok(x) {
			return nil
		}
		return at(x)
	}
}

// claiming adds claims to the sites.
func claiming(at sites, claims ...string) sites {
	return func(x spot) []site {
		all := at(x)
		for k := range all {
			all[k].claims = append(all[k].claims, claims...)
		}
		return all
	}
}

// claimingAll adds to sites the claims of all FDEs, and of one that may come.
func claimingAll(at sites) sites {
	return func(x spot) []site {
		var all []string
		for i := range len(x.plan.Funcs) + 1 {
			all = append(all, claimFDE(i))
		}
		return claiming(at, all...)(x)
	}
}

func claimFDE(i int) string { return "fde " + strconv.Itoa(i) }

// site adds a site to others if a spot satisfies ok. It claims some functions.
func (x spot) site(all []site, ok test, do edit, funcs ...int) []site {
	if !ok(x) {
		return all
	}
	var claims []string
	for _, i := range funcs {
		claims = append(claims, claimFDE(i))
	}
	return append(all, site{x, claims, do})
}

// eachFDE has a site at every function that satisfies ok.
func eachFDE(ok test, do edit) sites {
	return func(x spot) (all []site) {
		for x.i = range x.plan.Funcs {
			all = x.site(all, ok, do, x.i)
		}
		return all
	}
}

// atLast has a site at the function with the highest address if that satisfies ok.
func atLast(ok test, do edit) sites {
	return eachFDE(func(x spot) bool { return x.i == x.last() && ok(x) }, do)
}

// eachRow has a site at every row that satisfies ok.
func eachRow(ok test, do edit) sites {
	return func(x spot) (all []site) {
		for x.i = range x.plan.Funcs {
			for x.j = range x.fn().Rows {
				all = x.site(all, ok, do, x.i)
			}
		}
		return all
	}
}

// upTo draws from lo to hi.
func (x spot) upTo(lo, hi int64) int64 {
	if hi <= lo || x.failed {
		return lo
	}
	return lo + x.rnd.Int64N(hi-lo+1)
}

// noise draws n bytes, none of them zero nor part of the magic.
func (x spot) noise(n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		if x.failed {
			break
		}
		b[i] = byte(1 + x.rnd.IntN(0x7f))
	}
	return b
}

func pick[T any](x spot, from ...T) T { return from[x.rnd.IntN(len(from))] }

// structure is replan for changes that add, remove or move FDEs or rows. They
// cannot follow breaks whose anchors are indices of these.
func (x spot) structure(change func(p *generator.Plan)) spot {
	x.failed = x.failed || len(x.done) > 0
	return x.replan(change)
}

// shrink makes the section smaller, and its segment with it.
func (x spot) shrink(size int64) {
	x.sealed = true
	if !x.inELF() {
		x.object, x.size = x.object[:size], size
		return
	}
	x.resize(uint64(size))
	x.size = size
}

// resize sets the sizes that the file gives to the section.
func (x spot) resize(size uint64) {
	x.setObject(in(x.elf.sframe().at, shSize), size)
	if p := x.elf.segment(ptGNUSFrame, nil); p != nil {
		x.setObject(in(p.at, pFilesz), size)
		x.setObject(in(p.at, pMemsz), size)
	}
}
