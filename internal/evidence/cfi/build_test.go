package cfi_test

import (
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// The encoder of this file writes CFI from the text of DWARF 5 and shares no
// code with the package.

var (
	amd64   = model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	aarch64 = model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE)
	armBig  = model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_BIG)
	s390x   = model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
)

// num encodes a fixed-width number.
func num(big bool, width int, v uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, v)[:width]
	if big {
		for i, j := 0, width-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return b
}

func uleb(v uint64) []byte { return binary.AppendUvarint(nil, v) }

func sleb(v int64) (b []byte) {
	for {
		c := byte(v & 0x7f)
		if v >>= 7; v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func cat(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// ops are bytes of a program.
func ops(b ...byte) []byte { return b }

// image is a section that is being written.
type image struct {
	kind cfi.Format
	abi  model.ABIInfo
	addr uint64
	long bool // 64-bit lengths
	b    []byte
}

// begin writes the length of an entry; what it returns sets that in the end.
func (m *image) begin() (end func()) {
	width := 4
	if m.long {
		m.b = append(m.b, 0xff, 0xff, 0xff, 0xff)
		width = 8
	}
	at := len(m.b)
	m.b = append(m.b, make([]byte, width)...)
	return func() {
		for (len(m.b)-at-width)%8 != 0 {
			m.b = append(m.b, 0) // nop
		}
		copy(m.b[at:], num(m.abi.Big, width, uint64(len(m.b)-at-width)))
	}
}

// id returns the bytes of a CIE pointer.
func (m *image) id(v uint64) []byte {
	if m.kind == cfi.DebugFrame && m.long {
		return num(m.abi.Big, 8, v)
	}
	return num(m.abi.Big, 4, v)
}

// cieSpec is a CIE. The zero value of an ABI is a usual one.
type cieSpec struct {
	version   byte
	aug       string
	data      []byte // augmentation data, with aug z
	codeAlign uint64
	dataAlign int64
	ra        uint32
	program   []byte
}

// cie writes a CIE and returns its offset.
func (m *image) cie(k cieSpec) int {
	off := len(m.b)
	end := m.begin()
	id := uint64(0)
	if m.kind == cfi.DebugFrame {
		id = ^id
	}
	m.b = cat(m.b, m.id(id), []byte{k.version}, []byte(k.aug), []byte{0})
	if k.version == 4 {
		m.b = append(m.b, 8, 0)
	}
	m.b = cat(m.b, uleb(k.codeAlign), sleb(k.dataAlign))
	if k.version == 1 {
		m.b = append(m.b, byte(k.ra))
	} else {
		m.b = append(m.b, uleb(uint64(k.ra))...)
	}
	if len(k.aug) > 0 && k.aug[0] == 'z' {
		m.b = cat(m.b, uleb(uint64(len(k.data))), k.data)
	}
	m.b = append(m.b, k.program...)
	end()
	return off
}

// fde writes an FDE with a start and a size in bytes that are encoded already.
func (m *image) fde(cie int, start, size, aug, program []byte) int {
	off := len(m.b)
	end := m.begin()
	at := uint64(cie)
	if m.kind == cfi.EHFrame {
		at = uint64(len(m.b) - cie)
	}
	m.b = cat(m.b, m.id(at), start, size, aug, program)
	end()
	return off
}

// at returns the offset that the start of the next FDE will have.
func (m *image) at() int {
	n := len(m.b) + 8
	if m.long {
		n = len(m.b) + 4 + 8 + 4
		if m.kind == cfi.DebugFrame {
			n += 4
		}
	}
	return n
}

// pcrel4 encodes the address of the next FDE's code as gas does.
func (m *image) pcrel4(addr uint64) []byte {
	return num(m.abi.Big, 4, addr-(m.addr+uint64(m.at())))
}

func (m *image) input() cfi.Input {
	return cfi.Input{Kind: m.kind, Data: m.b, Addr: m.addr, ABI: m.abi}
}

// usual returns what compilers write as a CIE.
func usual(abi model.ABIInfo) cieSpec {
	k := cieSpec{version: 1, aug: "zR", data: ops(0x1b), codeAlign: 1, dataAlign: -8, ra: abi.RA}
	switch abi.ID {
	case amd64.ID:
		k.program = ops(0x0c, 7, 8, 0x90, 1)
	case s390x.ID:
		k.program = cat(ops(0x0c, 15), uleb(160))
	default:
		k.codeAlign, k.program = 4, ops(0x0c, 31, 0)
	}
	return k
}

// one returns the rows of a function of size bytes at 0x1000 with a program,
// and the fault of the program.
func one(abi model.ABIInfo, k cieSpec, size uint64, program ...[]byte) (rows []cfi.Row, f cfi.FDE, fault cfi.Fault) {
	m := &image{abi: abi, addr: 0x8000}
	cie := m.cie(k)
	m.fde(cie, m.pcrel4(0x1000), num(abi.Big, 4, size), ops(0), cat(program...))
	for f = range cfi.New(m.input()).FDEs() {
	}
	var r cfi.Runner
	var row cfi.Row
	for r.Reset(&f); r.Next(&row); {
		rows = append(rows, row)
	}
	return rows, f, r.Fault()
}

// decodeAll decodes all rows of a file to recovery rules.
func decodeAll(path string) (rows int, err error) {
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil {
			return err
		}
		var run cfi.Runner
		var row cfi.Row
		for _, s := range frames.Sections {
			for f := range s.FDEs() {
				for run.Reset(&f); run.Next(&row); rows++ {
					f.Recover(&row, row.Start)
				}
			}
		}
		return nil
	})
	return rows, err
}

// compareAll reads a file and compares its SFrame data with its CFI.
func compareAll(path string) (rows int, err error) {
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil {
			return err
		}
		for _, f := range o.SFrames {
			if f.Section != nil {
				rows += cfi.Compare(f.Section, frames, func(cfi.Difference) {}).Rows
			}
		}
		return nil
	})
	return rows, err
}

// BenchmarkReadelf compares the time that the package takes for the files of
// SFRAME_CFI (a glob pattern) with that of "readelf
// --debug-dump=frames-interp" of SFRAME_TOOLS on the same files.
func BenchmarkReadelf(b *testing.B) {
	dir, pattern := os.Getenv("SFRAME_TOOLS"), os.Getenv("SFRAME_CFI")
	if dir == "" || pattern == "" {
		b.Skip("SFRAME_TOOLS and SFRAME_CFI are not both set")
	}
	files, err := filepath.Glob(pattern)
	require.NoError(b, err)
	for name, work := range map[string]func(string) (int, error){"rows": decodeAll, "compare": compareAll} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs time.Duration
			rows := 0
			for b.Loop() {
				rows = 0
				for _, file := range files {
					start := time.Now()
					n, err := work(file)
					ours += time.Since(start)
					require.NoError(b, err)
					rows += n

					cmd := exec.Command(filepath.Join(dir, "bin", "sid-x86_64-readelf"), "--debug-dump=frames-interp", file)
					cmd.Stdout = io.Discard
					start = time.Now()
					_ = cmd.Run() // the status is 1 for much that does not matter here
					theirs += time.Since(start)
				}
			}
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(float64(ours.Nanoseconds())/float64(rows)/float64(b.N), "ns/row")
			b.ReportMetric(float64(theirs)/float64(ours), "readelf/ours")
		})
	}
}

// TestRunnerAllocates nothing after its first use.
func TestRunnerAllocates(t *testing.T) {
	rows, f, _ := one(amd64, usual(amd64), 32, ops(0x0a, 0x41, 0x0b, 0x0f), block(0x76, 0x78, 0x06))
	require.Len(t, rows, 2)
	var run cfi.Runner
	var row cfi.Row
	run.Reset(&f)
	for run.Next(&row) {
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for run.Reset(&f); run.Next(&row); {
			f.Recover(&row, row.Start)
		}
	}))
}
