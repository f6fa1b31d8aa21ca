package corefile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// linked is a file that the dynamic linker of the program has loaded.
type linked struct {
	name string // as the dynamic linker found it
	bias uint64
	ld   uint64 // address of its PT_DYNAMIC
}

// Bounds of what is read of the dynamic linker's lists, which a program can overwrite.
const (
	maxLinked  = 1 << 10
	maxDynamic = 1 << 12 // entries
	maxPath    = 4096    // bytes, as PATH_MAX
	maxPhdrs   = 64
)

// linkMap returns the files that the dynamic linker lists, except for the executable: the
// member r_map of r_debug, to which DT_DEBUG of the executable points. dynamic is the
// address of its PT_DYNAMIC.
func (c *Core) linkMap(dynamic uint64) (all []linked) {
	at := c.dynamicValue(dynamic, elf.DT_DEBUG)
	if at == 0 {
		return nil
	}
	seen := map[uint64]bool{}
	next, ok := c.word(at + 8) // r_map
	for ok && next != 0 && !seen[next] && len(seen) < maxLinked {
		seen[next] = true
		// l_addr, l_name, l_ld, l_next
		var l [4]uint64
		for i := range l {
			if l[i], ok = c.word(next + 8*uint64(i)); !ok {
				return all
			}
		}
		if name := c.text(l[1]); name != "" {
			all = append(all, linked{name, l[0], l[2]})
		}
		next = l[3]
	}
	return all
}

// dynamic returns the address of the executable's PT_DYNAMIC, by its program headers in
// memory.
func (c *Core) dynamic() (uint64, bool) {
	at, ok := c.Auxv(atPHDR)
	n, _ := c.Auxv(atPHNUM)
	if !ok {
		return 0, false
	}
	var bias, dynamic uint64
	placed := false
	for _, p := range c.phdrs(at, min(n, maxPhdrs)) {
		switch elf.ProgType(p.Type) {
		case elf.PT_PHDR:
			bias, placed = at-p.Vaddr, true
		case elf.PT_DYNAMIC:
			dynamic = p.Vaddr
		}
	}
	return bias + dynamic, placed && dynamic != 0
}

// phdrs reads n program headers in memory, none where that is not possible.
func (c *Core) phdrs(at, n uint64) []elf.Prog64 {
	b := make([]byte, n*phdrSize)
	if c.ReadMemory(at, b) != nil {
		return nil
	}
	out := make([]elf.Prog64, n)
	if _, err := binary.Decode(b, c.order, out); err != nil {
		return nil
	}
	return out
}

const phdrSize = 56 // bytes

// dynamicValue returns the value of an entry of PT_DYNAMIC, 0 for none.
func (c *Core) dynamicValue(at uint64, tag elf.DynTag) uint64 {
	for range maxDynamic {
		t, ok := c.word(at)
		v, more := c.word(at + 8)
		switch {
		case !ok || !more || t == uint64(elf.DT_NULL):
			return 0
		case t == uint64(tag):
			return v
		}
		at += 16
	}
	return 0
}

func (c *Core) word(at uint64) (uint64, bool) {
	var b [8]byte
	if c.ReadMemory(at, b[:]) != nil {
		return 0, false
	}
	return c.order.Uint64(b[:]), true
}

// text reads a string that ends with a byte of 0, "" where that is not possible.
func (c *Core) text(at uint64) string {
	var out []byte
	for len(out) < maxPath {
		l, ok := c.load(at)
		if !ok {
			return ""
		}
		b := make([]byte, min(64, l.addr+l.size-at))
		if c.ReadMemory(at, b) != nil {
			return ""
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return string(append(out, b[:i]...))
		}
		out, at = append(out, b...), at+uint64(len(b))
	}
	return ""
}
