package profile

import (
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
)

// dumped takes a line of perf script -D that begins with a dot: the bytes of a record, and
// what is in a sample.
func (r *Reader) dumped(line string) {
	switch {
	case strings.HasPrefix(line, ".  "):
		if r.inRaw {
			r.bytes(line)
		}
	case strings.HasPrefix(line, ". ... raw event:"):
		r.raw, r.inRaw = r.raw[:0], true
	case strings.HasPrefix(line, "... user regs:"):
		r.user = strings.HasSuffix(line, "64-bit")
	case strings.HasPrefix(line, "... intr regs:"):
		r.user = false
	case strings.HasPrefix(line, "...."):
		if fields := strings.Fields(line); len(fields) == 3 && r.user && r.sample != nil {
			r.register(fields[1], fields[2])
		}
	case strings.HasPrefix(line, "... ustack: size "):
		r.stack(line)
	}
}

// bytes takes a line of a record's bytes: its offset and up to 16 bytes, then the same as text.
func (r *Reader) bytes(line string) {
	_, s, ok := strings.Cut(line, ":  ")
	for n := 0; ok && n < 16 && len(s) >= 2 && len(r.raw) < maxRaw; n++ {
		v, err := strconv.ParseUint(s[:2], 16, 8)
		if err != nil {
			return
		}
		r.raw = append(r.raw, byte(v))
		s = s[min(3, len(s)):]
	}
}

// stack takes "... ustack: size 3504, offset 0xe0": the offset is that of the number of bytes,
// which they follow.
func (r *Reader) stack(line string) {
	_, s, _ := strings.Cut(line, "size ")
	size, off, ok := strings.Cut(s, ", offset ")
	at, ok2 := parseHex(off)
	n := uint64(max(parse(size, 10), 0))
	if !ok || !ok2 || r.sample == nil || at > maxRaw || n > maxRaw || at+8+n > uint64(len(r.raw)) {
		return
	}
	r.sample.Stack, r.sample.HasStack = append([]byte(nil), r.raw[at+8:at+8+n]...), true
}

// uregs takes the registers of perf script -F +uregs: ABI:2 AX:0xcc4d BX:0x7ffe5586c388 ...
// Those of a program with 32 bits have ABI:1.
func (r *Reader) uregs(line string) {
	for i, f := range strings.Fields(strings.ReplaceAll(line, ": ", ":")) {
		name, value, _ := strings.Cut(f, ":")
		if r.sample == nil || i == 0 && value != "2" {
			return
		}
		if i > 0 {
			r.register(name, value)
		}
	}
}

// register takes a register by its name in perf.
func (r *Reader) register(name, value string) {
	v, ok := parseHex(value)
	if !ok || len(r.sample.named) == maxRegisters {
		return
	}
	if r.sample.named == nil {
		r.sample.named = map[string]uint64{}
	}
	r.sample.named[strings.ToUpper(name)] = v
}

const maxRegisters = 128

// registers are the names of an ABI's registers, by DWARF number.
type registers struct {
	abi   model.ABIInfo
	names []string
}

func knownRegisters() (all []registers) {
	for _, abi := range model.ABIs() {
		all = append(all, registers{abi, corefile.PerfNames(abi)})
	}
	return all
}

// number finds the ABI that has the most of the sample's registers, and numbers them.
func (s *Sample) number(known []registers) {
	most := 0
	for _, k := range known {
		var regs corefile.Regs
		n := 0
		for i, name := range k.names {
			if v, ok := s.named[name]; ok {
				regs.Set(uint32(i), v)
				n++
			}
		}
		if n > most || n == most && n > 0 && !k.abi.Big {
			s.ABI, s.Regs, most = k.abi.ID, regs, n
		}
	}
	for _, pc := range []string{"IP", "PC"} {
		if v, ok := s.named[pc]; ok && most > 0 {
			s.Regs.Addr, s.HasRegs = v, true
		}
	}
}
