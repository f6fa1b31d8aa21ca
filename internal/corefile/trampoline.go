package corefile

import (
	"bytes"
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/reader"
)

// trampoline is code to which a signal handler returns: it calls sigreturn.
type trampoline struct {
	name string // which C libraries and kernels use
	code []byte
	call int // offset of the instruction that enters the kernel, bytes
}

// Trampoline returns the name of the signal trampoline whose first instruction, or the one that
// enters the kernel, is at an address of the program, and the distance from its start in bytes.
// It reports false if the code is another one, or is neither in the core nor in a file.
func (m *Modules) Trampoline(pc uint64) (name string, off uint64, ok bool) {
	l := layouts[m.core.ABI.Machine]
	if l == nil {
		return "", 0, false
	}
	for _, t := range l.returns {
		for _, off := range []uint64{0, uint64(t.call)} {
			code := t.code
			if off > 0 {
				code = code[off:] // the start is before it
			}
			if !m.isCode(pc, code) || off > 0 && !m.isCode(pc-off, t.code) {
				continue
			}
			if x, ok := m.At(pc); ok {
				if s, at, ok := x.Symbol(pc - off); ok && at == 0 {
					return s, off, true
				}
			}
			return t.name, off, true
		}
	}
	return "", 0, false
}

// isCode reports whether code is at an address.
func (m *Modules) isCode(pc uint64, code []byte) bool {
	b := make([]byte, len(code))
	if m.core.ReadMemory(pc, b) == nil {
		return bytes.Equal(b, code)
	}
	x, ok := m.At(pc)
	return ok && x.Err == nil && x.readCode(pc-x.Bias, b) && bytes.Equal(b, code)
}

// readCode fills b with the bytes at an address of the file. It opens the file, which nothing
// keeps open, and reports false where that is not possible.
func (f *File) readCode(addr uint64, b []byte) bool {
	off, ok := f.offset(addr, len(b))
	if !ok || f.budget.Spend(budget.Read, int64(len(b))) != nil {
		return false
	}
	in, _, err := regular.Open(f.Path)
	if err != nil {
		return false
	}
	defer in.Close()
	_, err = in.ReadAt(b, off)
	return err == nil
}

// offset returns the offset in the file of n bytes of code at one of its addresses.
func (f *File) offset(addr uint64, n int) (int64, bool) {
	for i := range f.segments {
		s := &f.segments[i]
		if code(s) && addr >= s.Vaddr && addr-s.Vaddr < s.Filesz && s.Filesz-(addr-s.Vaddr) >= uint64(n) {
			return int64(s.Offset + addr - s.Vaddr), true
		}
	}
	return 0, false
}

func code(s *reader.Segment) bool { return s.Type == elf.PT_LOAD && s.Flags&elf.PF_X != 0 }

// IsTrampoline reports whether a signal trampoline is at an address of the program, for
// [unwind.Options].
func (m *Modules) IsTrampoline(pc uint64) bool {
	known, ok := m.tramps[pc]
	if !ok {
		_, _, known = m.Trampoline(pc)
		if len(m.tramps) < maxRules && remember(m.opts.Read.Budget, trampolineBytes) {
			m.tramps[pc] = known
		}
	}
	return known
}

// trampolineBytes is about what an address takes whose code was compared.
const trampolineBytes = 32
