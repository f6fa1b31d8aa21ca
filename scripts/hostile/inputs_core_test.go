//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
)

// coreModes are the modes that take core dumps.
var coreModes = []string{"trace core", "trace core json", "trace core all"}

// Addresses in core dumps.
const (
	stackAddr = 0x7ff000000000
	vdsoAddr  = 0x7fff00000000
)

// Types of notes.
const (
	ntPrstatus = 1
	ntAuxv     = 6
	ntFile     = 0x46494c45
)

// dump is a core dump of AMD64 whose stack has words of the same value.
type dump struct {
	notes []byte
	stack []byte
}

// note adds a note.
func (d *dump) note(typ uint32, desc []byte) {
	le := binary.LittleEndian
	d.notes = le.AppendUint32(d.notes, 5)
	d.notes = le.AppendUint32(d.notes, uint32(len(desc)))
	d.notes = le.AppendUint32(d.notes, typ)
	d.notes = append(append(append(d.notes, "CORE\x00\x00\x00\x00"...), desc...), make([]byte, -len(desc)&3)...)
}

// threads adds n threads in the first function of the vDSO.
func (d *dump) threads(n int) {
	le := binary.LittleEndian
	for i := range n {
		b := make([]byte, 336)
		le.PutUint32(b[32:], uint32(i+1))
		le.PutUint64(b[112+128:], vdsoAddr)  // rip
		le.PutUint64(b[112+152:], stackAddr) // rsp
		d.note(ntPrstatus, b)
	}
}

// words encodes words of 8 bytes.
func words(vs ...uint64) (b []byte) {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// frames makes a stack of n frames whose PCs are those.
func (d *dump) frames(n int, pc func(i int) uint64) {
	for i := range n {
		d.stack = binary.LittleEndian.AppendUint64(d.stack, pc(i))
	}
}

// inVDSO is the return address of all frames of a stack.
func inVDSO(int) uint64 { return vdsoAddr + 1 }

// write writes a core. Its vDSO has a function with SFrame data.
func (d *dump) write(dir string) (string, error) {
	name := append(append([]byte{0}, strings.Repeat("long", 60)...), 0)
	m := &image{typ: elf.ET_DYN}
	m.text(4 * funcSize)
	m.sframe(leaves(4, func(_ int, f *fde) { f.fres = []byte{0, 3, 8} })) // CFA = SP + 8
	m.segs = []elf.Prog64{{Type: uint32(elf.PT_LOAD), Flags: 5, Vaddr: textAddr, Filesz: 1 << 16, Memsz: 1 << 16}}
	m.symbols([]elf.Sym64{{Name: 1, Info: byte(elf.STT_FUNC), Shndx: 1, Value: textAddr, Size: 4 * funcSize}}, name)
	path := filepath.Join(dir, "vdso")
	if err := m.write(path); err != nil {
		return "", err
	}
	vdso, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	d.note(ntAuxv, words(33, vdsoAddr, 0, 0))
	part := func(typ elf.ProgType, addr uint64, data []byte) elfwrite.Segment {
		return elfwrite.Segment{Prog64: elf.Prog64{Type: uint32(typ), Vaddr: addr}, Data: data}
	}
	core := elfwrite.File{Type: elf.ET_CORE, Machine: elf.EM_X86_64, Segments: []elfwrite.Segment{
		part(elf.PT_NOTE, 0, d.notes), part(elf.PT_LOAD, stackAddr, d.stack), part(elf.PT_LOAD, vdsoAddr, vdso),
	}}
	path = filepath.Join(dir, "core")
	return path, os.WriteFile(path, core.Bytes(), 0o666)
}

// core returns an input that is a core dump, of which so many frames may be written.
func core(name string, frames int, fill func(d *dump)) input {
	return input{name: name, modes: coreModes, frames: frames, build: func(dir string) (string, error) {
		d := &dump{}
		fill(d)
		return d.write(dir)
	}}
}

// coreInputs are core dumps with more of something than those of programs have.
func coreInputs() []input {
	return []input{
		core("a core of 1,100 threads on one stack of 1,200 frames", 1<<17, func(d *dump) {
			d.threads(1100)
			d.frames(1200, inVDSO)
		}),
		core("a core of 322,637 frames", 322637, func(d *dump) {
			d.threads(1)
			d.frames(322636, inVDSO)
		}),
		core("a core of 100,000 threads on one stack of 1,200 frames", 1<<20, func(d *dump) {
			d.threads(100_000)
			d.frames(1200, inVDSO)
		}),
		core("a core of 1,200,000 frames", 1<<20, func(d *dump) {
			d.threads(1)
			d.frames(1_200_000, inVDSO)
		}),
		core("64 MiB NT_PRSTATUS", 1<<17, func(d *dump) {
			d.threads(1)
			d.note(ntPrstatus, make([]byte, 64<<20))
		}),
		core("64 MiB NT_AUXV", 1<<17, func(d *dump) {
			d.threads(1)
			d.note(ntAuxv, bytes.Repeat(words(7, 7), 4<<20))
		}),
		core("NT_FILE with a name of 20 MB", 1<<17, func(d *dump) {
			d.threads(1)
			d.frames(4, func(int) uint64 { return 0x1001 })
			d.note(ntFile, append(words(1, 4096, 0x1000, 0x2000, 0), append(bytes.Repeat([]byte{'x'}, 20<<20), 0)...))
		}),
		core("NT_FILE of 60 MB", 1<<17, func(d *dump) {
			d.threads(1)
			n := uint64(60 << 20 / 40)
			all := words(n, 4096)
			for i := range n {
				all = append(all, words(i<<12, (i+1)<<12, i)...)
			}
			for i := range n {
				all = append(append(append(all, "/long/name/"...), words(i | 1<<63)[:4]...), 0)
			}
			d.note(ntFile, all)
		}),
		// Each frame is in a module of its own, by its distance from the start of the file.
		core("200,000 mappings of one file, with a frame in each", 1<<18, func(d *dump) {
			const n = 200_000
			d.threads(1000)
			all := words(n, 4096)
			for i := range uint64(n) {
				all = append(all, words(0x1000000+i<<12, 0x1000000+(i+1)<<12, 3*i%n)...)
			}
			d.note(ntFile, append(all, bytes.Repeat([]byte("/nowhere\x00"), n)...))
			for i := range 1000 {
				le := binary.LittleEndian
				le.PutUint64(d.notes[i*(20+336)+20+112+128:], 0x1000000+uint64(i*200)<<12)
			}
		}),
		core("a core that ends within its notes", 1<<17, func(d *dump) {
			d.threads(1)
			d.notes = append(d.notes, 5, 0, 0, 0, 0, 0, 0, 0x7f)
		}),
	}
}
