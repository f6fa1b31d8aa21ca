package insn

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

//go:generate go test . -run ^TestWriters$ -update
var update = flag.Bool("update", false, "rewrite testdata/writers.tsv")

// writers collects an instruction of each mnemonic that writes FP, SP, RA, or a word of memory that FP addresses.
type writers struct {
	abi   string
	found map[string]printed // by target and mnemonic
	worse map[string]bool    // those that others replace: they name the target twice, write SP as well, or write less than a word
	name  func(printed) string
}

// add takes an instruction that writes a target.
func (w *writers) add(target string, p printed, worse bool) {
	name := p.name
	if w.name != nil {
		name = w.name(p)
	}
	key := target + "\t" + name
	if _, ok := w.found[key]; !ok || w.worse[key] && !worse {
		w.found[key], w.worse[key] = p, worse
	}
}

// lines returns them as the file has them.
func (w *writers) lines() (out []string) {
	for _, key := range slices.Sorted(maps.Keys(w.found)) {
		p := w.found[key]
		text, _, _ := strings.Cut(p.note, "#\t")
		text, _, _ = strings.Cut(text, "//")
		text, _, _ = strings.Cut(text, "<")
		out = append(out, fmt.Sprintf("%s\t%s\t%x\t%s\n", w.abi, key, p.code, strings.Join(strings.Fields(text), " ")))
	}
	return out
}

// plain reports whether the next instruction follows one, and the disassembler decodes it.
func plain(w *witness, p printed) bool {
	if w.unknown(p) {
		return false
	}
	var i Insn
	w.decode(p.code, p.pc, &i)
	return i.Flow == Next && int(i.Len) == len(p.code)
}

// TestWriters: the list of instructions that package code holds its rules against has all mnemonics of objdump.
func TestWriters(t *testing.T) {
	toolchain.Tool(t, "sid-x86_64-objdump")
	var out []string
	for _, collect := range []func(*testing.T) []string{writersAMD64, writersAArch64, writersS390x} {
		out = append(out, collect(t)...)
	}
	const file = "testdata/writers.tsv"
	got := []byte(strings.Join(out, ""))
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, got, 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if !bytes.Equal(want, got) {
		t.Errorf("%s is stale: run go test ./internal/evidence/insn -run TestWriters -update", file)
	}
}

func newWriters(abi string, name func(printed) string) *writers {
	return &writers{abi: abi, found: map[string]printed{}, worse: map[string]bool{}, name: name}
}

var amd64Narrow = regexp.MustCompile(`\b(BYTE|WORD|DWORD) PTR|\{evex\}|\b(spl|esp|sp|bpl|ebp|bp)\b`)

func writersAMD64(t *testing.T) []string {
	w := newWriters("amd64", func(p printed) string { name, _ := amd64Text(p); return name })
	for target, r := range map[string]byte{"fp": byte(rbp), "sp": byte(rsp)} {
		wit := amd64Witness()
		visit := func(p printed) {
			if p.pc%32 != 0 || !plain(&wit, p) {
				return
			}
			_, args := amd64Text(p)
			if slices.Contains(amd64Writes(p), Reg(r)) {
				w.add(target, p, strings.Count(strings.Join(args, ","), "bp") > 1 || amd64Narrow.MatchString(p.note))
			}
			if r == byte(rbp) && amd64Stores(p) {
				w.add("slot", p, amd64Narrow.MatchString(p.note))
			}
		}
		disassemble(t, visit, amd64Cells(r), "x86_64", "i386:x86-64", "-M", "intel")
	}
	return w.lines()
}

var a64Slot = regexp.MustCompile(`\[x29(, ?#0?x?[08])?\]$`)

func writersAArch64(t *testing.T) []string {
	w := newWriters("aarch64", nil)
	r := rand.New(rand.NewSource(2))
	var code []byte
	for range 1 << 20 {
		v := r.Uint32()
		if r.Intn(2) == 0 { // more of the groups that are less random
			v = v&^(15<<25) | uint32(8+r.Intn(4))<<25
		}
		reg := uint32(29 + r.Intn(3))
		switch r.Intn(4) {
		case 0: // the destination
			v = v&^31 | reg
		case 1: // the second one
			v = v&^(31<<10) | reg<<10
		case 2: // an address that is changed
			v = v&^(31<<5) | reg<<5
		case 3: // an address without a displacement
			v = v&^(31<<5|0x3ff<<12) | 29<<5
		}
		code = binary.LittleEndian.AppendUint32(code, v)
	}
	disassemble(t, func(p printed) {
		if !plain(&a64Witness, p) {
			return
		}
		written := a64Writes(p)
		often := func(names ...string) bool {
			n := 0
			for _, name := range names {
				n += strings.Count(p.note, name)
			}
			return n > 1
		}
		for target, x := range map[string]Reg{"fp": 29, "ra": 30, "sp": 31} {
			if slices.Contains(written, x) {
				w.add(target, p, often(fmt.Sprint("x", x), fmt.Sprint("w", x), "sp"))
			}
		}
		if a64Stores(p) && a64Slot.MatchString(strings.Join(p.args, ",")) && !slices.Contains(written, 29) {
			w.add("slot", p, often("x29", "w29"))
		}
	}, code, "aarch64", "aarch64")
	return w.lines()
}

var zLong = regexp.MustCompile(`0\(\d\d+,%r11\)`)

var zSlot = regexp.MustCompile(`^0\((\d+,)?%r11\)$`)

func writersS390x(t *testing.T) []string {
	w := newWriters("s390x", nil)
	r := rand.New(rand.NewSource(2))
	var code []byte
	for range 1 << 19 {
		cell := make([]byte, 16)
		r.Read(cell[:6])
		if r.Intn(4) > 0 { // groups of many opcodes
			cell[0] = "\xb2\xb3\xb9\xe3\xe5\xe6\xe7\xeb\xec\xed"[r.Intn(10)]
		}
		reg := [3]byte{11, 14, 15}[r.Intn(3)] << 4
		switch r.Intn(4) {
		case 0:
			cell[1] = cell[1]&15 | reg
		case 1:
			cell[1], cell[4] = cell[1]&15|reg, 0
		case 2:
			cell[3] = cell[3]&15 | reg
		case 3: // an address without a displacement or an index
			cell[1], cell[2], cell[3] = cell[1]&0xf0, 0xb0, 0
			cell[4] &= 0x10
		}
		for j := zLength(cell[0]); j < 16; j += 2 {
			cell[j], cell[j+1] = 7, 7
		}
		code = append(code, cell...)
	}
	disassemble(t, func(p printed) {
		if p.pc%16 != 0 || !plain(&zWitness, p) {
			return
		}
		written := zWrites(p)
		for target, x := range map[string]Reg{"fp": 11, "ra": 14, "sp": 15} {
			if slices.Contains(written, x) {
				w.add(target, p, strings.Count(p.note, fmt.Sprint("%r", x)) > 1 || x != 15 && slices.Contains(written, 15))
			}
		}
		if zStoring(p) && slices.ContainsFunc(p.args, zSlot.MatchString) && !slices.Contains(written, 11) {
			w.add("slot", p, strings.Count(p.note, "%r11") > 1 || zLong.MatchString(p.note))
		}
	}, code, "s390x", "s390:64-bit")
	return w.lines()
}
