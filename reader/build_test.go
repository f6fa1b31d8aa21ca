package reader

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// order is how the builders of this file write numbers.
type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// testFunc is a function of a crafted section; rows are its FREs as bytes.
type testFunc struct {
	start int64
	size  uint32
	info  uint8
	rep   uint8
	num   int
	rows  []byte
}

// craft lays out a section as producers do: header, FDEs, FREs.
func craft(o order, v model.Version, abi model.ABI, flags model.Flags, funcs ...testFunc) []byte {
	var fdes, fres []byte
	total := 0
	for _, f := range funcs {
		at := uint32(len(fres))
		total += f.num
		if v == model.SFRAME_VERSION_3 {
			fdes = o.AppendUint64(fdes, uint64(f.start))
			fdes = o.AppendUint32(o.AppendUint32(fdes, f.size), at)
			fres = append(o.AppendUint16(fres, uint16(f.num)), f.info, 0, f.rep)
		} else {
			fdes = o.AppendUint32(fdes, uint32(f.start))
			fdes = o.AppendUint32(o.AppendUint32(o.AppendUint32(fdes, f.size), at), uint32(f.num))
			fdes = append(fdes, f.info)
			if v == model.SFRAME_VERSION_2 {
				fdes = append(fdes, f.rep, 0, 0)
			}
		}
		fres = append(fres, f.rows...)
	}
	b := o.AppendUint16(nil, model.SFRAME_MAGIC)
	b = append(b, uint8(v), uint8(flags), uint8(abi), 0, uint8(model.LookupABI(abi).FixedRA), 0)
	for _, n := range []int{len(funcs), total, len(fres), 0, len(fdes)} {
		b = o.AppendUint32(b, uint32(n))
	}
	return append(append(b, fdes...), fres...)
}

// leaf is a function of one row, CFA = SP + 8.
func leaf(start int64, size uint32) testFunc {
	return testFunc{start: start, size: size, num: 1, rows: []byte{0, 0x03, 8}}
}

// testSection is a section of a crafted ELF file. Fields that are zero are
// filled in.
type testSection struct {
	name    string
	typ     elf.SectionType
	flags   elf.SectionFlag
	addr    uint64
	data    []byte
	link    uint32
	info    uint32
	entsize uint64
	size    uint64 // claimed, if not that of data
	offset  uint64 // claimed, if not where data is
	nameOff uint32 // claimed, if not where name is
}

type testSegment struct {
	typ                         elf.ProgType
	flags                       elf.ProgFlag
	offset, vaddr, filesz, mems uint64
}

// testELF is a crafted ELF64 file.
type testELF struct {
	order    order
	typ      elf.Type
	machine  elf.Machine
	sections []testSection // from index 1 on; .shstrtab comes after them
	segments []testSegment
	null     testSection // section header 0
	patch    func(b []byte, o order)
}

func (f *testELF) bytes() []byte {
	o := f.order
	b := make([]byte, ehdrSize)
	for _, p := range f.segments {
		b = o.AppendUint32(o.AppendUint32(b, uint32(p.typ)), uint32(p.flags))
		for _, n := range []uint64{p.offset, p.vaddr, p.vaddr, p.filesz, p.mems, 8} {
			b = o.AppendUint64(b, n)
		}
	}
	names := []byte{0}
	all := append([]testSection{f.null}, f.sections...)
	all = append(all, testSection{name: ".shstrtab", typ: elf.SHT_STRTAB})
	nameOff := make([]uint32, len(all))
	for i, s := range all {
		if s.name != "" {
			nameOff[i] = uint32(len(names))
			names = append(append(names, s.name...), 0)
		}
	}
	all[len(all)-1].data = names
	var table []byte
	for i, s := range all {
		off, size := uint64(len(b)), uint64(len(s.data))
		if s.offset != 0 {
			off = s.offset
		}
		if s.size != 0 {
			size = s.size
		}
		if s.nameOff != 0 {
			nameOff[i] = s.nameOff
		}
		b = append(b, s.data...)
		table = o.AppendUint32(o.AppendUint32(table, nameOff[i]), uint32(s.typ))
		for _, n := range []uint64{uint64(s.flags), s.addr, off, size} {
			table = o.AppendUint64(table, n)
		}
		table = o.AppendUint32(o.AppendUint32(table, s.link), s.info)
		table = o.AppendUint64(o.AppendUint64(table, 1), s.entsize)
	}
	f.putHeader(b, uint64(len(b)), len(all))
	b = append(b, table...)
	if f.patch != nil {
		f.patch(b, o)
	}
	return b
}

func (f *testELF) putHeader(b []byte, shoff uint64, shnum int) {
	o := f.order
	copy(b, elf.ELFMAG)
	b[elf.EI_CLASS], b[elf.EI_DATA], b[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	if o == order(binary.BigEndian) {
		b[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	o.PutUint16(b[0x10:], uint16(f.typ))
	o.PutUint16(b[0x12:], uint16(f.machine))
	o.PutUint32(b[0x14:], 1)
	if len(f.segments) > 0 {
		o.PutUint64(b[0x20:], ehdrSize)
	}
	o.PutUint64(b[0x28:], shoff)
	o.PutUint16(b[0x34:], ehdrSize)
	o.PutUint16(b[0x36:], phdrSize)
	o.PutUint16(b[0x38:], uint16(len(f.segments)))
	o.PutUint16(b[0x3a:], shdrSize)
	o.PutUint16(b[0x3c:], uint16(shnum))
	o.PutUint16(b[0x3e:], uint16(shnum-1))
}

// exec is a linked AMD64 file with the .sframe sections given.
func exec(sframes ...testSection) *testELF {
	f := &testELF{order: binary.LittleEndian, typ: elf.ET_EXEC, machine: elf.EM_X86_64}
	f.sections = append(f.sections, testSection{name: ".text", typ: elf.SHT_PROGBITS,
		flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: 0x1000, data: make([]byte, 0x40)})
	f.sections = append(f.sections, sframes...)
	return f
}

// sframeOf wraps the bytes of a section at address 0x2000.
func sframeOf(data []byte) testSection {
	return testSection{name: ".sframe", typ: SHT_GNU_SFRAME, flags: elf.SHF_ALLOC, addr: 0x2000, data: data}
}

// scan reads bytes as Scan reads a file.
func scan(t testing.TB, data []byte, opts Options) []*Object {
	t.Helper()
	var out []*Object
	err := ScanReader("input", bytes.NewReader(data), int64(len(data)), opts, func(o *Object) error {
		out = append(out, o)
		return nil
	})
	require.NoError(t, err)
	return out
}

func scanOne(t testing.TB, data []byte) *Object {
	t.Helper()
	all := scan(t, data, Options{})
	require.Len(t, all, 1)
	return all[0]
}

// codes lists the codes of faults, in order.
func codes(faults []Fault) []FaultCode {
	var out []FaultCode
	for _, f := range faults {
		out = append(out, f.Code)
	}
	return out
}

var le, be order = binary.LittleEndian, binary.BigEndian

const amd64 = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE
