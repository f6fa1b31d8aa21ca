package proof

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Addresses of the sections of image.
const (
	codeAt = 0x10000
	dataAt = 0x8000
)

// program returns an ELF file with code and data.
func program(abi model.ABIInfo, code, data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	encoding := elf.ELFDATA2LSB
	if abi.Big {
		order, encoding = binary.BigEndian, elf.ELFDATA2MSB
	}
	const head, section = 64, 64
	names := "\x00.text\x00.rodata\x00.shstrtab\x00"
	var out bytes.Buffer
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(abi.Machine), Version: 1, Ehsize: head, Shentsize: section, Shnum: 4, Shstrndx: 3}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(encoding), 1
	at := uint64(head)
	sections := []elf.Section64{{}}
	for i, b := range [][]byte{code, data, []byte(names)} {
		s := elf.Section64{Name: []uint32{1, 7, 15}[i], Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC), Off: at, Size: uint64(len(b)), Addralign: 1}
		s.Addr = []uint64{codeAt, dataAt, 0}[i]
		if i == 0 {
			s.Flags |= uint64(elf.SHF_EXECINSTR)
		}
		if i == 2 {
			s.Type, s.Flags = uint32(elf.SHT_STRTAB), 0
		}
		at += s.Size
		sections = append(sections, s)
	}
	h.Shoff = at
	for _, v := range []any{h, code, data, []byte(names), sections} {
		_ = binary.Write(&out, order, v) // a buffer takes all
	}
	return out.Bytes()
}

// scanProgram passes the object of an ELF file with code and data to visit.
func scanProgram(t testing.TB, abi model.ABIInfo, code, data []byte, visit func(o *reader.Object)) {
	file := program(abi, code, data)
	err := reader.ScanReader("program", bytes.NewReader(file), int64(len(file)), reader.Options{}, func(o *reader.Object) error {
		visit(o)
		return nil
	})
	require.NoError(t, err)
}

// FuzzTrack tracks any bytes as code, of which the first ones choose the ABI and where
// ranges end. The same bytes are data, in which tables of exceptions are where the first byte of a
// range says.
func FuzzTrack(f *testing.F) {
	rnd := rand.New(rand.NewPCG(1, 0))
	for i := range 24 {
		b := make([]byte, 300)
		for k := range b {
			b[k] = byte(rnd.Uint32())
		}
		b[0] = byte(i)
		f.Add(b)
	}
	f.Add([]byte("\x02\x05\x09\x53\x55\x48\x83\xec\x18\xe8\x00\x00\x00\x00\x75\xf0\x48\x83\xc4\x18\x5d\x5b\xc3"))
	// push, call, ret; the landing pad: pop, ret. The table is after them, at 0x53 % 71.
	f.Add(append([]byte("\x02\x09\x09\x53\xe8\x00\x01\x00\x00\xc3\x5b\xc3\xff\xff\x01\x04\x01\x05\x07\x00"), make([]byte, 51)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 4 {
			return
		}
		abi := model.ABIs()[int(b[0])%4]
		code := b[3:]
		one, two := uint64(b[1])%uint64(len(code)+1), uint64(b[2])%uint64(len(code)+1)
		one, two = min(one, two), max(one, two)
		ranges := []Range{{Start: codeAt, End: codeAt + one}, {Start: codeAt + one, End: codeAt + two}, {Start: codeAt + two, End: codeAt + uint64(len(code))}}
		scanProgram(t, abi, code, b, func(o *reader.Object) {
			lsda := func(_ uint32, pc uint64) (LSDA, bool) {
				if pc >= codeAt+uint64(len(code)) {
					return LSDA{}, false
				}
				at := uint64(code[pc-codeAt]) % uint64(len(b))
				return LSDA{Addr: dataAt + at, Func: pc, Pushed: []cfi.Pushed{{From: pc + at, Bytes: at}}}, true
			}
			tr, err := New(o, ranges, lsda, nil)
			require.NoError(t, err)
			visited, rows := 0, make([][]Row, len(ranges))
			require.NoError(t, tr.Run(1, func(f *Function) {
				visited++
				stable(t, f)
				use(t, f)
				rows[f.Index()] = f.truths()
			}))
			require.Equal(t, len(ranges), visited)
			requireCertified(t, o, ranges, lsda, rows)
			rnd := rand.New(rand.NewPCG(uint64(len(b)), uint64(b[0])))
			for i := range rows {
				if len(rows[i]) > 0 {
					spoil(rnd, rows[i], false)
				}
			}
			requireCertified(t, o, ranges, lsda, rows)
		})
	})
}

// truths returns rows that are true at each instruction, as far as it is known.
func (f *Function) truths() (rows []Row) {
	c := checker{f: f, u: f.u}
	f.u.walk(f.part, func(k int32, s *state) {
		pc, n := f.u.pc(k), uint64(f.u.ins[k].len)
		row := Row{Row: model.Row{CFA: c.truth(WrongCFA, model.Recovery{}, s), RA: c.truth(WrongRA, model.Recovery{}, s), FP: c.truth(WrongFP, model.Recovery{}, s)}, Start: pc, End: pc + n}
		if last := len(rows) - 1; last >= 0 && rows[last].Row == row.Row && rows[last].End == pc {
			rows[last].End += n
		} else if last < 0 || rows[last].End <= pc {
			rows = append(rows, row)
		}
	})
	return rows
}

// stable fails unless no block's execution changes a state.
func stable(t *testing.T, f *Function) {
	u := f.u
	for k := range u.ins {
		if i := &u.ins[k]; i.state < 0 || i.visits > maxVisits {
			continue
		}
		u.cur.copyFrom(u.states[u.ins[k].state], u.arch.Regs)
		u.block(int32(k), &u.cur)
	}
	require.Empty(t, u.queue, "a state changed after all had been computed")
}

// use calls what a Function has.
func use(t *testing.T, f *Function) {
	r := f.Range()
	last := uint64(0)
	var rows []Row
	f.Insns(func(pc uint64, n int, s *State) bool {
		require.True(t, pc >= r.Start && pc < r.End)
		require.Positive(t, n)
		if pc >= last && len(rows) < 50 {
			rows = append(rows, Row{Row: model.Row{CFA: sp(int64(len(rows))), RA: slotAt(-8), FP: unchanged}, Start: pc, End: pc + uint64(n)})
			last = pc + uint64(n)
		}
		return true
	})
	f.Leaves(func(l *Leaf) bool { return l.PC < r.End })
	f.Check(rows, func(c Contradiction) {
		require.Less(t, c.Row, len(rows))
		require.LessOrEqual(t, c.Start, c.End)
	})
}

// TestHostile tracks code that would cost much if nothing were bounded.
func TestHostile(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	for _, c := range []struct {
		name   string
		code   []byte
		ranges func(n uint64) []Range
	}{
		{"branches", bytes.Repeat([]byte{0x75, 0xfe, 0x53}, 300_000), nil},
		{"pushes", append(bytes.Repeat([]byte{0x53}, 900_000), 0x75, 0x80), nil},
		{"tables", bytes.Repeat([]byte{0x48, 0x8d, 0x15, 0, 0, 0, 0, 0x48, 0x63, 0x04, 0x82, 0x48, 0x01, 0xd0, 0x75, 2, 0xff, 0xe0}, 50_000), nil},
		{"small ranges", bytes.Repeat([]byte{0x0f, 0x85, 0, 0, 1, 0}, 150_000), func(n uint64) (out []Range) {
			for at := uint64(0); at+6 <= n; at += 6 {
				out = append(out, Range{Start: codeAt + at, End: codeAt + at + 6})
			}
			return out
		}},
		{"stubs", bytes.Repeat([]byte{0xc3}, 900_000), func(n uint64) []Range {
			return []Range{{Start: codeAt, End: codeAt + n, Block: 1}}
		}},
		{"large", bytes.Repeat([]byte{0x90}, 1_100_000), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			ranges := []Range{{Start: codeAt, End: codeAt + uint64(len(c.code))}}
			if c.ranges != nil {
				ranges = c.ranges(uint64(len(c.code)))
			}
			scanProgram(t, abi, c.code, nil, func(o *reader.Object) {
				tr, err := New(o, ranges, nil, nil)
				require.NoError(t, err)
				var visited atomic.Int32
				require.NoError(t, tr.Run(2, func(f *Function) {
					visited.Add(1)
					rows := []Row{{Row: model.Row{CFA: sp(8), RA: slotAt(-8), FP: unchanged}, Start: f.Range().Start, End: f.Range().End}}
					f.Check(rows, func(Contradiction) {})
				}))
				require.Len(t, ranges, int(visited.Load()))
			})
		})
	}
}
