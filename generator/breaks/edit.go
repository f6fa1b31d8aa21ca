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
func (d *draft) fail() anchor {
	d.failed = true
	return anchor{}
}

// blame ends a chain of changes with the bytes that the rule must report.
func (d *draft) blame(at anchor) anchor { return at }

// replan changes the plan and writes everything again, unless the bytes are no longer those of the plan.
func (d *draft) replan(change func(p *generator.Plan)) *draft {
	if d.failed = d.failed || d.sealed; d.failed {
		return d
	}
	before := *d.Subject
	d.base = d.base.Clone()
	change(d.base)
	if d.build() != nil {
		*d.Subject, d.failed = before, true
	}
	return d
}

// write writes a number at an anchor, read reads one.
func (d *draft) write(at anchor, v uint64) anchor {
	d.setObject(d.place(at), v)
	return at
}
func (d *draft) read(at anchor) uint64 { return d.getObject(d.place(at)) }

// place returns where the bytes of an anchor lie in the object.
func (d *draft) place(at anchor) model.Span {
	if sp := at.span(d.Subject); at.scope == inSection {
		return in(d.off, sp)
	} else {
		return sp
	}
}

// add adds to the number at an anchor, or sets bits in it.
func (d *draft) add(at anchor, v uint64) anchor    { return d.write(at, d.read(at)+v) }
func (d *draft) orBits(at anchor, v uint64) anchor { return d.write(at, d.read(at)|v) }

// set writes a number into the section.
func (d *draft) set(sp model.Span, v uint64) { d.setObject(in(d.off, sp), v) }

// put writes bytes into the section, overwrite into the object.
func (d *draft) put(off int64, b []byte) { d.overwrite(d.off+off, b) }
func (d *draft) overwrite(off int64, b []byte) {
	if !d.failed {
		d.sealed = true
		copy(d.object[off:], b)
	}
}

// setObject writes a number into the object, getObject reads one.
func (d *draft) setObject(sp model.Span, v uint64) {
	if !d.failed {
		d.sealed = true
		number.Put(d.order(), d.object[sp.Off:][:sp.Len], v)
	}
}
func (s *Subject) getObject(sp model.Span) uint64 {
	return number.Get(s.order(), s.object[sp.Off:][:sp.Len])
}

// append adds bytes after the object, aligned to 8, and returns their offset.
func (d *draft) append(b []byte) int64 {
	d.sealed = true
	for len(d.object)%8 != 0 {
		d.object = append(d.object, 0)
	}
	at := int64(len(d.object))
	d.object = append(d.object, b...)
	return at
}

// setStart changes where an FDE's function starts: by its field, or in an
// object file by the relocation of the field.
func (d *draft) setStart(i int, start uint64) *draft {
	if d.rel() {
		at := in(d.relocOf(i), relAddend)
		d.setObject(at, d.getObject(at)+start-d.fn(i).Start)
		return d
	}
	return d.setStartField(i, start, d.has(model.SFRAME_F_FDE_FUNC_START_PCREL))
}

func (d *draft) setStartField(i int, start uint64, pcrel bool) *draft {
	sp := d.field(i, model.FDEStart)
	raw := int64(start - d.plan.Addr)
	if pcrel {
		raw -= sp.Off
	}
	if sp.Len == 4 && raw != int64(int32(raw)) {
		d.failed = true
	}
	d.set(sp, uint64(raw))
	return d
}

// relocOf returns where the relocation of an FDE lies in the object.
func (s *Subject) relocOf(i int) int64 { return int64(s.elf.relocs().off) + int64(i)*relaSize }

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
func (s *Subject) next(i int) int {
	order := s.byAddress()
	k, _ := slices.BinarySearchFunc(order, s.base.Funcs[i].Start, func(j int, start uint64) int { return cmp.Compare(s.base.Funcs[j].Start, start) })
	k += slices.Index(order[k:], i) + 1
	if k == len(order) || s.inELF() && s.text(i) != s.text(order[k]) {
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
func onlySite(ok func(*Subject) bool, do func(*draft) anchor, claims ...string) func(*Subject) []site {
	return sitesWhere(ok, func(*Subject) []site { return []site{{claims, do}} })
}
func inFile(ok func(*Subject) bool, do func(*draft) anchor, claims ...string) func(*Subject) []site {
	return onlySite(func(s *Subject) bool { return s.inELF() && !s.outer && ok(s) }, do, claims...)
}

// Sections that faults need.
func always(*Subject) bool     { return true }
func hasFuncs(s *Subject) bool { return len(s.plan.Funcs) > 0 }
func pauth(s *Subject) bool    { return s.abi().Pauth }
func tracksRA(s *Subject) bool { return s.abi().TracksRA() }

// sitesWhere has the sites of sections that satisfy ok.
func sitesWhere(ok func(*Subject) bool, sites func(*Subject) []site) func(*Subject) []site {
	return func(s *Subject) []site {
		if !ok(s) {
			return nil
		}
		return sites(s)
	}
}

// claiming adds claims to the sites.
func claiming(sites func(*Subject) []site, claims ...string) func(*Subject) []site {
	return func(s *Subject) []site {
		all := sites(s)
		for k := range all {
			all[k].claims = append(all[k].claims, claims...)
		}
		return all
	}
}

// claimingAll adds to sites the claims of all FDEs, and of one that may come.
func claimingAll(sites func(*Subject) []site) func(*Subject) []site {
	return func(s *Subject) []site {
		var all []string
		for i := range len(s.plan.Funcs) + 1 {
			all = append(all, claimFDE(i))
		}
		return claiming(sites, all...)(s)
	}
}

func claimFDE(i int) string { return "fde " + strconv.Itoa(i) }

// eachFDE has a site at every function that satisfies ok.
func eachFDE(ok func(s *Subject, i int) bool, do func(d *draft, i int) anchor) func(*Subject) []site {
	return func(s *Subject) (all []site) {
		for i := range s.plan.Funcs {
			if ok(s, i) {
				all = append(all, site{[]string{claimFDE(i)}, func(d *draft) anchor { return do(d, i) }})
			}
		}
		return all
	}
}

// atLast has a site at the function with the highest address if that satisfies ok.
func atLast(ok func(s *Subject, i int) bool, do func(d *draft, i int) anchor) func(*Subject) []site {
	return eachFDE(func(s *Subject, i int) bool { return i == s.last() && ok(s, i) }, do)
}

// eachRow has a site at every row that satisfies ok.
func eachRow(ok func(s *Subject, i, j int) bool, do func(d *draft, i, j int) anchor) func(*Subject) []site {
	return func(s *Subject) (all []site) {
		for i := range s.plan.Funcs {
			for j := range s.fn(i).Rows {
				if ok(s, i, j) {
					all = append(all, site{[]string{claimFDE(i)}, func(d *draft) anchor { return do(d, i, j) }})
				}
			}
		}
		return all
	}
}

// upTo draws from lo to hi.
func (d *draft) upTo(lo, hi int64) int64 {
	if hi <= lo || d.failed {
		return lo
	}
	return lo + d.rnd.Int64N(hi-lo+1)
}

// noise draws n bytes, none of them zero nor part of the magic.
func (d *draft) noise(n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		if d.failed {
			break
		}
		b[i] = byte(1 + d.rnd.IntN(0x7f))
	}
	return b
}

func pick[T any](d *draft, from ...T) T { return from[d.rnd.IntN(len(from))] }

// structure is replan for changes that add, remove or move FDEs or rows. They
// cannot follow breaks whose anchors are indices of these.
func (d *draft) structure(change func(p *generator.Plan)) *draft {
	d.failed = d.failed || len(d.done) > 0
	return d.replan(change)
}

// shrink makes the section smaller, and its segment with it.
func (d *draft) shrink(size int64) {
	d.sealed = true
	if !d.inELF() {
		d.object, d.size = d.object[:size], size
		return
	}
	d.resize(uint64(size))
	d.size = size
}

// resize sets the sizes that the file gives to the section.
func (d *draft) resize(size uint64) {
	d.setObject(in(d.elf.sframe().at, shSize), size)
	if p := d.elf.segment(ptGNUSFrame, nil); p != nil {
		d.setObject(in(p.at, pFilesz), size)
		d.setObject(in(p.at, pMemsz), size)
	}
}
