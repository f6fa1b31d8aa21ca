//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// healthy is a program without a fault that is as large as the largest real ones.
type healthy struct {
	name      string
	functions int
	code      int  // bytes of a function, up to 256
	symbol    int  // bytes of its name; 0: the file is stripped
	debug     int  // bytes of debug information
	bare      bool // without section headers
}

// healthyModes are the modes that healthy inputs take.
var healthyModes = []string{"default", "all code"}

// healthyInputs are all of them. The first one is small: the status of the others must be its own.
func healthyInputs() []input {
	var all []input
	for _, h := range []healthy{
		{name: "small program", functions: 100, code: 100, symbol: 20},
		{name: "as a kernel", functions: 100_000, code: 200, symbol: 22, debug: 300 << 20},
		{name: "as a kernel, stripped", functions: 100_000, code: 200},
		{name: "as a large library", functions: 250_000, code: 256, symbol: 80},
		{name: "as a large library, stripped", functions: 250_000, code: 256},
		{name: "as a browser", functions: 800_000, code: 256, symbol: 100},
		{name: "as a browser, stripped", functions: 800_000, code: 256},
		{name: "program of 1 GB", functions: 1_500_000, code: 256, symbol: 150, debug: 240 << 20},
		{name: "program of 1 GB, stripped", functions: 1_500_000, code: 256},
		{name: "program of 1 GB, without section headers", functions: 1_500_000, code: 256, bare: true},
	} {
		in := object(fmt.Sprintf("%s: %d functions", h.name, h.functions), int64(35*h.functions), h.build)
		in.healthy, in.modes = true, healthyModes
		all = append(all, in)
	}
	return all
}

// imageBase is the address of the first byte of a healthy program.
const imageBase = 0x400000

// healthySegments are how many program headers a healthy program has.
const healthySegments = 3

// build returns the file.
func (h *healthy) build() *image {
	m := &image{typ: elf.ET_EXEC, segs: make([]elf.Prog64, healthySegments)}
	at := uint64(64 + 56*healthySegments)
	add := func(name string, typ elf.SectionType, flags elf.SectionFlag, make func(addr uint64) []byte) *section {
		at = (at + 15) &^ 15
		addr := imageBase + at
		s := section{name: name, typ: typ, flags: flags, addr: addr, align: 16, data: make(addr)}
		at += uint64(len(s.data))
		m.add(s)
		return &m.secs[len(m.secs)-1]
	}
	const alloc = elf.SHF_ALLOC
	text := add(".text", elf.SHT_PROGBITS, alloc|elf.SHF_EXECINSTR, func(uint64) []byte { return h.text() }).addr
	frame := add(".eh_frame", elf.SHT_PROGBITS, alloc, func(addr uint64) []byte { return h.frame(addr, text) }).addr
	hdr := *add(".eh_frame_hdr", elf.SHT_PROGBITS, alloc, func(addr uint64) []byte { return h.frameHdr(addr, frame, text) })
	sframe := *add(".sframe", shtGNUSFrame, alloc, func(addr uint64) []byte { return h.sframe(addr, text) })
	segment := func(typ elf.ProgType, flags elf.ProgFlag, addr, size, align uint64) elf.Prog64 {
		return elf.Prog64{Type: uint32(typ), Flags: uint32(flags), Off: addr - imageBase, Vaddr: addr, Paddr: addr, Filesz: size, Memsz: size, Align: align}
	}
	m.segs[0] = segment(elf.PT_LOAD, elf.PF_R|elf.PF_X, imageBase, at, 0x1000)
	m.segs[1] = segment(elf.PT_GNU_EH_FRAME, elf.PF_R, hdr.addr, uint64(len(hdr.data)), 8)
	m.segs[2] = segment(ptGNUSFrame, elf.PF_R, sframe.addr, uint64(len(sframe.data)), 8)
	if h.debug > 0 {
		m.add(section{name: ".debug_info", typ: elf.SHT_PROGBITS, data: bytes.Repeat([]byte{0x5a}, h.debug)})
	}
	if h.symbol > 0 {
		h.symbols(m, text)
	}
	m.patch = func(e *elf.Header64) {
		e.Entry = text
		if h.bare {
			e.Shoff, e.Shnum, e.Shstrndx, e.Shentsize = 0, 0, 0, 0
		}
	}
	return m
}

// text returns functions that save rbp, compute, branch, call the next one and return.
func (h *healthy) text() []byte {
	f := []byte{0x55, 0x48, 0x89, 0xe5} // push %rbp; mov %rsp, %rbp
	for len(f)+13+5+2 <= h.code {
		f = append(f, 0x89, 0xf8, 0x83, 0xc0, 0x01, 0x85, 0xff, 0x74, 0x02, 0x89, 0xc7, 0x31, 0xc0) // mov, add, test, je, mov, xor
	}
	for len(f)+5+2 < h.code {
		f = append(f, nop)
	}
	f = append(f, 0xe8, 0, 0, 0, 0, 0x5d, ret) // call; pop %rbp; ret
	call := len(f) - 6
	out := bytes.Repeat(f, h.functions)
	for i := range h.functions {
		to := h.code // the next function, of the last one the first
		if i == h.functions-1 {
			to = -h.code * i
		}
		binary.LittleEndian.PutUint32(out[h.code*i+call:], uint32(to-call-4))
	}
	return out
}

// Bytes of the CIE and of an FDE.
const (
	healthyCIE = 24
	healthyFDE = 32
)

// frame returns .eh_frame.
func (h *healthy) frame(addr, text uint64) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, healthyCIE+healthyFDE*h.functions+4)
	b = le.AppendUint32(b, healthyCIE-4)
	b = append(b, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0)
	for i := range h.functions {
		at := uint64(len(b))
		b = le.AppendUint32(b, healthyFDE-4)
		b = le.AppendUint32(b, uint32(at+4))
		b = le.AppendUint32(b, uint32(text+uint64(h.code*i)-(addr+at+8)))
		b = le.AppendUint32(b, uint32(h.code))
		b = append(b, 0, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, byte(h.code-1-4), 0x0c, 7, 8, 0, 0)
	}
	return append(b, 0, 0, 0, 0)
}

// frameHdr returns .eh_frame_hdr.
func (h *healthy) frameHdr(addr, frame, text uint64) []byte {
	le := binary.LittleEndian
	b := []byte{1, 0x1b, 0x03, 0x3b}
	b = le.AppendUint32(b, uint32(frame-(addr+4)))
	b = le.AppendUint32(b, uint32(h.functions))
	for i := range h.functions {
		b = le.AppendUint32(b, uint32(text+uint64(h.code*i)-addr))
		b = le.AppendUint32(b, uint32(frame+uint64(healthyCIE+healthyFDE*i)-addr))
	}
	return b
}

// sframe returns .sframe.
func (h *healthy) sframe(addr, text uint64) []byte {
	fdes := make([]fde, h.functions)
	fres := []byte{0, 3, 8, 1, 5, 16, 0xf0, 4, 4, 16, 0xf0, byte(h.code - 1), 5, 8, 0xf0}
	for i := range fdes {
		fdes[i] = fde{start: int64(text) + int64(h.code*i) - int64(addr) + sframeAddr, size: uint32(h.code), freOff: -1, num: 4, fres: fres}
	}
	return encode(sorted|pcrel, fdes, nil)
}

// symbols adds a symbol for each function.
func (h *healthy) symbols(m *image, text uint64) {
	syms := make([]elf.Sym64, h.functions)
	names := make([]byte, 1, 1+h.functions*(h.symbol+1))
	for i := range syms {
		syms[i] = elf.Sym64{Name: uint32(len(names)), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: 1, Value: text + uint64(h.code*i), Size: uint64(h.code)}
		name := fmt.Appendf(nil, "function_%d_", i)
		name = append(name, bytes.Repeat([]byte{'x'}, max(h.symbol-len(name), 0))...)
		names = append(append(names, name...), 0)
	}
	m.symbols(syms, names)
	m.secs[len(m.secs)-2].info = 1
}
