package reader

import (
	"bytes"
	"testing"

	"github.com/sframe-lint/sframe-lint/model"
)

// benchFDEs is about what a program of 30 MB of code has.
const benchFDEs = 200_000

// typical builds a section of n functions such as compilers make them: some
// with a frame pointer, some with pushes, some leaves.
func typical(v model.Version, n int) []byte {
	funcs := make([]testFunc, n)
	at := int64(0x10000)
	for i := range funcs {
		f := testFunc{start: at, size: uint32(32 + i*7%200), num: 1, rows: []byte{0, 0x03, 8}}
		switch i % 8 {
		case 0, 1:
			f.num = 4
			f.rows = append(f.rows, 1, 0x05, 16, 0xf0, 4, 0x04, 16, 0xf0, 31, 0x05, 8, 0xf0)
		case 2, 3, 4:
			f.num = 1 + 2*(1+i%6)
			for k := range f.num - 1 {
				f.rows = append(f.rows, byte(2*k+1), 0x03, byte(16+8*(k%6)))
			}
		case 5:
			f.num = 2
			f.rows = append(f.rows, 4, 0x23, byte(i%100), 1)
		}
		funcs[i] = f
		at += int64(f.size)
	}
	return craft(le, v, amd64, model.SFRAME_F_FDE_SORTED, funcs...)
}

func benchmarkSection(b *testing.B, v model.Version) {
	data := typical(v, benchFDEs)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if s, faults := DecodeSection(data, SectionOptions{Addr: 0x1000}); len(faults) > 0 || s.NumFDEs() != benchFDEs {
			b.Fatal(s.NumFDEs(), faults)
		}
	}
}

func BenchmarkDecodeSection(b *testing.B) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		b.Run(v.String(), func(b *testing.B) { benchmarkSection(b, v) })
	}
}

// BenchmarkScan has a linked file with 32 MB before its section.
func BenchmarkScan(b *testing.B) {
	f := exec(sframeOf(typical(model.SFRAME_VERSION_3, benchFDEs)))
	f.sections[0].data = make([]byte, 32<<20)
	data := f.bytes()
	b.SetBytes(int64(len(f.sections[1].data)))
	b.ReportAllocs()
	for b.Loop() {
		err := ScanReader("x", bytes.NewReader(data), int64(len(data)), Options{}, func(o *Object) error {
			if o.Status != StatusOK {
				b.Fatal(o.Status)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
