package insn

import (
	"debug/elf"
	"strconv"
	"strings"
)

// Printer formats instructions like [Text], but much faster, because most instructions of a file have the same bytes
// as an earlier instruction.
type Printer struct {
	m    elf.Machine
	seen map[bytesKey]wording
}

// bytesKey is what the text of an instruction depends on: its bytes, without those of the distance to a target
// that is its last operand.
type bytesKey struct {
	b [MaxLen]byte
	n uint8
}

// wording is a text, up to the target if to is set.
type wording struct {
	text string
	to   bool
}

// mostPrinted bounds the texts that a printer remembers. Each takes about 100 bytes.
const mostPrinted = 1 << 16

// PrinterMemory is the approximate maximum size of a Printer in memory, in bytes.
const PrinterMemory = mostPrinted * 100

// NewPrinter returns a printer for the instructions of a machine.
func NewPrinter(m elf.Machine) *Printer { return &Printer{m: m, seen: map[bytesKey]wording{}} }

// Text returns the text of i, which was decoded from the first bytes of code at pc. If the last operand is the
// target, Text leaves this operand out and sets to, so that the caller can name the target.
func (p *Printer) Text(code []byte, pc uint64, i *Insn) (text string, to bool) {
	key := bytesKey{n: i.Len}
	copy(key.b[:], code[:min(int(i.Len), MaxLen)])
	direct := i.TargetLen > 0 // an operand is a target; on AMD64 one may also be in memory
	if p.m == elf.EM_X86_64 {
		direct = direct && (i.Flow == Jump || i.Flow == Branch || i.Flow == Call)
	}
	if direct && p.m != elf.EM_AARCH64 { // which has the target in bits of the opcode's bytes
		clear(key.b[i.TargetOff:][:i.TargetLen])
	}
	w, ok := p.seen[key]
	if ok {
		return w.text, w.to
	}
	w.text = Text(p.m, code[:i.Len], pc)
	if direct {
		w = cutTarget(w.text, i.Target)
	}
	if len(p.seen) < mostPrinted && (w.to || !direct && p.fixed(code[:i.Len], pc, w.text)) {
		p.seen[key] = w
	}
	return w.text, w.to
}

// fixed reports whether the text of an instruction without a target does not depend on the PC.
func (p *Printer) fixed(code []byte, pc uint64, text string) bool {
	const elsewhere = 1 << 20
	return p.m == elf.EM_AARCH64 || p.m == elf.EM_X86_64 || text == Text(p.m, code, pc+elsewhere)
}

// cutTarget cuts the last operand off if it is the target: an address, or a distance such as ".+0x10".
func cutTarget(text string, target uint64) wording {
	at := strings.LastIndexAny(text, " ,") + 1
	last := text[at:]
	if at > 0 && (strings.HasPrefix(last, ".+") || strings.HasPrefix(last, ".-") || last == "0x"+strconv.FormatUint(target, 16)) {
		return wording{text[:at], true}
	}
	return wording{text, false}
}
