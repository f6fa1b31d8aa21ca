package proof

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// slowly is code without anything that is remembered: each instruction is decoded and executed. It reports
// whether one makes a system call.
func (w *sweeper) slowly(part int) (system bool) {
	t, d, r := w.t, &w.d, &w.parts[part]
	code, ok := w.read(r.Range)
	if !ok || w.cert.failed {
		w.cert.failed = true
		return false
	}
	w.relocs = nil
	if t.img.rel {
		all := t.img.relocsOf(int32(r.Place))
		first, _ := slices.BinarySearchFunc(all, r.Start, func(r reloc, off uint64) int { return cmp.Compare(r.off, off) })
		w.relocs = all[first:]
	}
	w.cert.memo = certifierMemo{}
	w.cert.start(part, r.entry)
	for off := 0; off < len(code) && !w.cert.failed; off += int(d.Len) {
		w.cert.memo = certifierMemo{}
		pc := r.Start + uint64(off)
		t.img.arch.Decode(code[off:], pc, d)
		rel := w.relocation(pc+uint64(d.TargetOff), d.TargetLen)
		var to dest
		switch d.Flow {
		case insn.Bad:
			w.cert.failed = true
			return system
		case insn.Jump, insn.Branch, insn.Call:
			to = w.target(r, pc, rel)
		case insn.IndirectCall:
			to.stops = d.TargetLen > 0 && (rel != nil && t.img.stops(*rel) || !t.img.rel && t.img.never(d.Target))
		}
		system = system || d.System
		w.cert.code = code[off:]
		w.cert.insn(w.cert.base+uint32(off), d, to)
	}
	return system
}

// certifiedSlowly reports whether a range has a certificate, with nothing that is remembered.
func (w *sweeper) certifiedSlowly(x int32, entry bool) (passes, system bool) {
	w.begin()
	w.add(x, entry)
	system = w.slowly(0)
	for k := 0; k < maxAgain && w.cert.mustRepeat(); k++ {
		w.slowly(0)
	}
	return w.cert.passed(), system
}

// keysOf returns keys of rows by what they say. Those that are hostile share their places in what is remembered.
func keysOf(rnd *rand.Rand, hostile bool) func(Row) uint64 {
	known, next := map[Row]uint64{}, uint64(1)<<48
	return func(r Row) uint64 {
		r.Start, r.End, r.Key = 0, 0, 0
		if known[r] == 0 {
			for next++; hostile && hashBits(next, 0, 6) != 0; next++ {
			}
			known[r] = next
			if !hostile {
				next += rnd.Uint64N(1 << 32)
			}
		}
		return known[r]
	}
}

// requireRemembered requires that the ranges of an object, looked at in any order and again, have a
// certificate if and only if they have one where nothing is remembered. It counts both kinds.
func requireRemembered(t *testing.T, rnd *rand.Rand, o *reader.Object, ranges []Range, lsda FindLSDA, rows [][]Row) (passed, failed int) {
	bare, err := New(o, ranges, lsda, func(i int, out []Row) []Row { return append(out, rows[i]...) })
	if err != nil {
		return 0, 0
	}
	key := keysOf(rnd, rnd.IntN(2) == 0)
	keyed, err := New(o, ranges, lsda, func(i int, out []Row) []Row {
		for _, r := range rows[i] {
			r.Key = key(r)
			out = append(out, r)
		}
		return out
	})
	require.NoError(t, err)
	slow, fast, halves := newSweeper(bare), newSweeper(keyed), newSweeper(bare)
	slow.again, fast.again, halves.again = true, true, true
	want := map[[2]int32]bool{}
	for _, x := range keyed.order {
		for k, entry := range [...]bool{true, false} {
			passes, system := slow.certifiedSlowly(x, entry)
			want[[2]int32{x, int32(k)}] = passes
			if !entry {
				continue
			}
			if passes {
				passed++
			} else {
				failed++
			}
			require.Equal(t, passes && !slow.goesOn(x), keyed.facts[x].certified, "%s: %#x", o.Path, ranges[x].Start)
			require.Equal(t, passes && !slow.goesOn(x), bare.facts[x].certified, "%s: %#x", o.Path, ranges[x].Start)
			if system {
				require.True(t, keyed.System(int(x)), "%s: %#x", o.Path, ranges[x].Start)
			}
		}
	}
	for range 2 {
		for _, k := range rnd.Perm(2 * len(keyed.order)) {
			x, k := keyed.order[k/2], k%2
			for _, w := range [...]*sweeper{fast, halves} {
				w.begin()
				w.add(x, k == 0)
				w.all()
				w.certifyAgain()
				if got := w.cert.passed(); got != want[[2]int32{x, int32(k)}] {
					require.Fail(t, "what is remembered changes the certificate", "%s: %#x, part %d, keys %v: %v", o.Path, ranges[x].Start, k, w == fast, got)
				}
			}
		}
	}
	return passed, failed
}

// TestRememberedReal tests that the memory of the certifier changes no certificate of real functions, with
// rows as in their CFI and with faults.
func TestRememberedReal(t *testing.T) {
	if testing.Short() {
		t.Skip("compares results, one file after the other: run without -short")
	}
	files, err := filepath.Glob("testdata/*.o")
	require.NoError(t, err)
	corpus, err := filepath.Glob("../../../corpus/files/*/*/*")
	require.NoError(t, err)
	passed, failed := 0, 0
	for n, file := range append(files, corpus...) {
		for seed := range uint64(3) {
			rnd := rand.New(rand.NewPCG(uint64(n), seed))
			_ = reader.Scan(file, reader.Options{}, func(o *reader.Object) error { // some files of the corpus are broken
				if o.ELF == nil {
					return nil
				}
				frames, err := cfi.Load(o, 0)
				if err != nil {
					return nil
				}
				var ranges []Range
				var rows [][]Row
				frames.Each(func(place uint32, start, end uint64, f cfi.FDE) bool {
					if n := len(ranges); n > 0 && ranges[n-1].Place == place && ranges[n-1].End > start {
						return true
					}
					r := cfiRows(&f, start, end)
					if seed > 0 && len(r) > 0 && rnd.IntN(2) == 0 {
						spoil(rnd, r, rnd.IntN(8) == 0)
					}
					ranges, rows = append(ranges, Range{Place: place, Start: start, End: end}), append(rows, r)
					return true
				})
				p, f := requireRemembered(t, rnd, o, ranges, LSDAs(frames), rows)
				passed, failed = passed+p, failed+f
				return nil
			})
		}
	}
	t.Logf("%d certified, %d not", passed, failed)
	require.Greater(t, passed, 1000)
	require.Greater(t, failed, 500)
}

// madeFunction is the code of a function of AMD64, with what is true before each instruction.
type madeFunction struct {
	code   []byte
	states []madeState
	calls  []uint64 // where the relocations of its calls are
}

type madeState struct {
	at, cfa, fpAt int64
	frame         bool // FP is the CFA less 16
}

// makeFunction returns a function at random.
func makeFunction(rnd *rand.Rand) (f madeFunction) {
	s := madeState{cfa: 8}
	var ends []func()
	add := func(code string) {
		s.at = int64(len(f.code))
		f.states = append(f.states, s)
		f.code = append(f.code, code...)
	}
	grow := func(code, back string, by int64) {
		add(code)
		s.cfa += by
		ends = append(ends, func() { add(back); s.cfa -= by })
	}
	if rnd.IntN(2) == 0 {
		add("\x55") // push %rbp
		s.cfa, s.fpAt = 16, -16
		ends = append(ends, func() { add("\x5d"); s.cfa, s.fpAt = 8, 0 })
		if rnd.IntN(2) == 0 {
			add("\x48\x89\xe5") // mov %rsp,%rbp
			s.frame = true
			ends[0] = func() { add("\xc9"); s.cfa, s.fpAt, s.frame = 8, 0, false }
		}
	}
	for range rnd.IntN(4) {
		switch rnd.IntN(4) {
		case 0:
			grow("\x53", "\x5b", 8) // push %rbx
		case 1:
			grow("\x41\x54", "\x41\x5c", 8) // push %r12
		case 2:
			grow("\x48\x83\xec\x10", "\x48\x83\xc4\x10", 16) // sub $16,%rsp
		case 3:
			grow("\x48\x81\xec\x80\x00\x00\x00", "\x48\x83\xec\x80", 128) // sub $128,%rsp
		}
	}
	for range rnd.IntN(6) {
		body := []string{"\x90", "\x31\xc0", "\x48\x89\x04\x24", "\x48\x89\x5d\xf8", "\x48\x8b\x45\x00", "\x85\xff\x74\x00", "\xff\xc8\x75\xfc", "\xe8\x00\x00\x00\x00",
			"\x48\x89\xe0", "\x48\x89\xc4", "\x48\x89\x44\x24\x08", "\xbd\x01\x00\x00\x00", "\x0f\x05", "\x48\x8d\x64\x24\xf8\x48\x8d\x64\x24\x08"}
		b := body[rnd.IntN(len(body))]
		if add(b); b[0] == 0xe8 {
			f.calls = append(f.calls, uint64(s.at)+1)
		}
	}
	for _, end := range slices.Backward(ends) {
		end()
	}
	add([]string{"\xc3", "\xc3", "\xf3\xc3", "\xff\xe0"}[rnd.IntN(4)])
	return f
}

// rowsAt returns the rows of a function that starts at an offset, whose CFA counts from FP where it can or from SP.
func (f *madeFunction) rowsAt(start uint64, fromFP bool) (rows []Row) {
	for _, s := range f.states {
		r := Row{Row: model.Row{CFA: sp(s.cfa), RA: slotAt(-8), FP: unchanged}, Start: start + uint64(s.at)}
		if s.fpAt != 0 {
			r.FP = slotAt(s.fpAt)
		}
		if s.frame && fromFP {
			r.CFA = fp(16)
		}
		if n := len(rows); n > 0 {
			if rows[n-1].Row == r.Row {
				continue
			}
			rows[n-1].End = r.Start
		}
		rows = append(rows, r)
	}
	rows[len(rows)-1].End = start + uint64(len(f.code))
	return rows
}

// TestRememberedMade tests the same of functions that are alike: many share their code, and differ in their
// relocations, in what their rows say, and in whether they are entries.
func TestRememberedMade(t *testing.T) {
	if testing.Short() {
		t.Skip("compares results, one file after the other: run without -short")
	}
	passed, failed := 0, 0
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var made []madeFunction
		for range 12 {
			made = append(made, makeFunction(rnd))
		}
		var code, relocs []byte
		var ranges []Range
		var rows [][]Row
		for range 120 {
			f := &made[rnd.IntN(len(made))]
			start := uint64(len(code))
			for _, at := range f.calls {
				if to := rnd.Uint64N(3); to > 0 { // 0: the next instruction
					relocs = append(relocs, elf64.Encode(binary.LittleEndian, elf.Rela64{Off: start + at, Info: to<<32 | uint64(elf.R_X86_64_PLT32), Addend: -4})...)
				}
			}
			code = append(code, f.code...)
			r := f.rowsAt(start, rnd.IntN(2) == 0)
			if rnd.IntN(3) == 0 {
				spoil(rnd, r, rnd.IntN(8) == 0)
			}
			if rnd.IntN(16) == 0 {
				r[rnd.IntN(len(r))].Signal = true
			}
			ranges, rows = append(ranges, Range{Place: 1, Start: start, End: uint64(len(code))}), append(rows, r)
			for code = append(code, 0x90); len(code)%16 != 0; {
				code = append(code, 0x90)
			}
		}
		symbols := elf64.Encode(binary.LittleEndian, elf.Sym64{}, elf.Sym64{Name: 1, Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)},
			elf.Sym64{Name: 6, Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)})
		file := (&elf64.File{Type: elf.ET_REL, Machine: elf.EM_X86_64, Sections: []*elf64.Section{
			{Label: ".text", Data: code, Section64: elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addralign: 16}},
			{Label: ".rela.text", Data: relocs, Section64: elf.Section64{Type: uint32(elf.SHT_RELA), Info: 1, Link: 3, Entsize: 24, Addralign: 8}},
			{Label: ".symtab", Data: symbols, Section64: elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: 4, Info: 1, Entsize: 24, Addralign: 8}},
			{Label: ".strtab", Data: []byte("\x00puts\x00abort\x00"), Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB)}},
		}}).Bytes()
		require.NoError(t, reader.ScanReader("made", bytes.NewReader(file), int64(len(file)), reader.Options{}, func(o *reader.Object) error {
			p, f := requireRemembered(t, rnd, o, ranges, nil, rows)
			passed, failed = passed+p, failed+f
			return nil
		}))
	}
	t.Logf("%d certified, %d not", passed, failed)
	require.Greater(t, passed, 1000)
	require.Greater(t, failed, 1000)
}
