package reader

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// maxDynamic bounds the bytes of the dynamic section and of a chain of hashes that are read.
const maxDynamic = 1 << 12

// dynamic makes t the symbols that the dynamic linker finds in a file without section headers, if the file says how many
// there are.
func (r *elfReader) dynamic(t *Symbols) {
	tags := map[elf.DynTag]uint64{}
	for i := range r.elf.Segments {
		if s := &r.elf.Segments[i]; s.Type == elf.PT_DYNAMIC {
			for b := r.loaded(s.Vaddr, min(s.Filesz, maxDynamic)); len(b) >= 16 && number.U64(b, t.big) != uint64(elf.DT_NULL); b = b[16:] {
				tags[elf.DynTag(number.U64(b, t.big))] = number.U64(b[8:], t.big)
			}
			break
		}
	}
	symbols, ok := r.elf.LoadedAt(tags[elf.DT_SYMTAB])
	names, found := r.elf.LoadedAt(tags[elf.DT_STRTAB])
	if n := r.hashed(tags, t.big); ok && found && n > 0 {
		t.tab = &t.table
		t.table.src, t.table.place = r.src, model.Span{Off: symbols.Off, Len: min(symbols.Len, n*symSize)}
		t.str.src, t.str.place = r.src, model.Span{Off: names.Off, Len: int64(min(uint64(names.Len), tags[elf.DT_STRSZ]))}
	}
}

// hashed returns the number of dynamic symbols by the hash table of GNU: the last one is at the end of a chain.
func (r *elfReader) hashed(tags map[elf.DynTag]uint64, big bool) int64 {
	at := tags[elf.DT_GNU_HASH]
	head := r.loaded(at, 16)
	if len(head) < 16 {
		return 0
	}
	n, first := uint64(number.U32(head, big)), number.U32(head[4:], big)
	at += 16 + 8*uint64(number.U32(head[8:], big))
	last := uint32(0)
	for b := r.loaded(at, 4*n); len(b) >= 4; b = b[4:] {
		last = max(last, number.U32(b, big))
	}
	if last < first {
		return int64(first)
	}
	end := int64(last) + 1
	for b := r.loaded(at+4*n+4*uint64(last-first), maxDynamic); len(b) >= 4 && number.U32(b, big)&1 == 0; b = b[4:] {
		end++
	}
	return end
}

// loaded returns at most n bytes at a virtual address.
func (r *elfReader) loaded(addr, n uint64) []byte {
	sp, ok := r.elf.LoadedAt(addr)
	if !ok {
		return nil
	}
	sp.Len = int64(min(uint64(sp.Len), n))
	b, err := r.src.read(sp)
	if err != nil {
		return nil
	}
	return b
}
