package cfi_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// check decodes all of a section and tests what holds for any bytes.
func check(t *testing.T, s *cfi.Section) {
	size := int64(len(s.Input().Data))
	inside := func(sp model.Span) {
		if sp.Off < 0 || sp.Len < 0 || sp.End() > size {
			t.Fatalf("%v of %d bytes", sp, size)
		}
	}
	for _, f := range s.Faults() {
		inside(f.Span)
	}
	for i := range s.NumCIEs() {
		inside(s.CIE(i).Span)
		inside(s.CIE(i).Program)
	}
	var run cfi.Runner
	var row cfi.Row
	var n, rows int64
	end := int64(0)
	for f := range s.FDEs() {
		n++
		inside(f.Span)
		inside(f.Program)
		inside(f.Fault.Span)
		if f.Span.Off < end {
			t.Fatal("FDEs overlap")
		}
		end = f.Span.End()
		loc := f.Start.Addr
		run.Reset(&f)
		for run.Next(&row) {
			rows++
			inside(row.Code)
			if row.Start != loc || row.End <= row.Start || row.End > f.End() {
				t.Fatalf("row %#x-%#x after %#x", row.Start, row.End, loc)
			}
			loc = row.End
			r := f.Recover(&row, row.Start)
			if (r.CFA.Kind == model.Invalid) != (r.CFAReason != cfi.Comparable) || (r.RA.Kind == model.Invalid) != (r.RAReason != cfi.Comparable) ||
				(r.FP.Kind == model.Invalid) != (r.FPReason != cfi.Comparable) {
				t.Fatalf("%+v", r)
			}
		}
		if f.Usable() && loc != f.End() {
			t.Fatalf("rows end at %#x, the code at %#x", loc, f.End())
		}
		inside(run.Fault().Span)
		if again, ok := s.FDEAt(f.Span.Off); !ok || again != f {
			t.Fatal("FDEAt differs")
		}
	}
	if n != int64(s.NumFDEs()) || rows > size {
		t.Fatalf("%d FDEs of %d, %d rows of %d bytes", n, s.NumFDEs(), rows, size)
	}
}

// FuzzSection takes a section by itself, with a relocation. Memory has a bound.
func FuzzSection(f *testing.F) {
	files := must.Get(filepath.Glob("../../../corpus/files/*/*/*"))(f)
	seeds := 0
	for _, file := range files {
		if fi, err := os.Stat(file); err != nil || fi.IsDir() || fi.Size() > 64<<10 {
			continue
		}
		err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
			frames := must.Get(cfi.Load(o, 4<<10))(f)
			for _, s := range frames.Sections {
				in := s.Input()
				var off uint64
				if len(in.Relocs) > 0 {
					off = uint64(in.Relocs[0].Offset)
				}
				f.Add(in.Data, in.Addr, off, uint8(in.ABI.ID)-1, uint8(in.Kind), in.Relocatable)
				seeds++
			}
			return nil
		})
		require.NoError(f, err)
	}
	require.Greater(f, seeds, 100)
	f.Fuzz(func(t *testing.T, data []byte, addr, reloc uint64, abi, kind uint8, rel bool) {
		in := cfi.Input{Kind: cfi.Format(kind & 1), Data: data, Addr: addr, ABI: model.LookupABI(model.ABI(1 + abi&3)), Relocatable: rel, Index: 2,
			ZeroIsCode: addr&1 != 0, TextAddr: addr ^ 0x100, DataAddr: reloc}
		if rel {
			in.Relocs = []cfi.Reloc{{Offset: int64(reloc), Addr: addr, Place: uint32(1 + kind>>1&1), PCRel: kind&1 == 0, Width: 4 << (kind >> 2 & 1), OK: true}}
		}
		before := bytes.Clone(data)
		used := testkit.Allocated(func() {
			check(t, cfi.New(in))
			h := cfi.NewHdr(data, addr, in.ABI)
			for i := range h.Len() {
				e := h.Entry(i)
				h.Find(e.PC)
				if sp := h.EntrySpan(i); sp.End() > int64(len(data)) {
					t.Fatal("entry beyond the end")
				}
			}
			h.Unsorted()
		})
		require.LessOrEqual(t, used, uint64(1<<20+200*len(data)))
		if !bytes.Equal(before, data) {
			t.Fatal("the data were changed")
		}
	})
}

// FuzzCompare takes SFrame data and an .eh_frame of a linked file: memory and the
// number of differences have bounds.
func FuzzCompare(f *testing.F) {
	files := must.Get(filepath.Glob("../../../corpus/files/*/*/*.elf"))(f)
	for _, file := range files {
		err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
			frames := must.Get(cfi.Load(o, 4<<10))(f)
			for _, s := range frames.Sections {
				for _, x := range o.SFrames {
					sec, _ := o.ELF.SectionOf(x)
					f.Add(x.Data, s.Input().Data, sec.Addr, s.Input().Addr, uint8(o.ELF.ABI().ID)-1)
				}
			}
			return nil
		})
		require.NoError(f, err)
	}
	f.Fuzz(func(t *testing.T, sframe, frame []byte, at, frameAt uint64, id uint8) {
		s, _ := reader.DecodeSection(sframe, reader.SectionOptions{Addr: at})
		if s == nil {
			return
		}
		in := cfi.Input{Data: frame, Addr: frameAt, ABI: model.LookupABI(model.ABI(1 + id&3))}
		frames := &cfi.Frames{Sections: []cfi.Loaded{{Section: cfi.New(in), Name: ".eh_frame", Index: 1}}}
		n := 0
		var c cfi.Comparison
		used := testkit.Allocated(func() {
			c = cfi.Compare(s, frames, func(d cfi.Difference) {
				if n++; d.Runs < 1 || d.End <= d.Start || d.PCs < d.End-d.Start || d.FDE < 0 && d.Section < 0 || d.FDE >= s.NumFDEs() {
					t.Fatalf("%+v", d)
				}
			})
		})
		require.LessOrEqual(t, used, uint64(1<<20+200*(len(sframe)+len(frame))))
		if max := 8*(s.NumFREs()+s.NumFDEs()+len(frame)) + 4<<22; n > max || c.Rows > max {
			t.Fatalf("%d differences, %+v", n, c)
		}
	})
}

// FuzzLoad takes a file: sections may be compressed or found by segments alone. Memory
// has a bound that the budget sets.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"../../../corpus/files/*/*/*.elf", "../../../corpus/files/cfi/*/*", "testdata/load/*"} {
		files := must.Get(filepath.Glob(pattern))(f)
		require.NotEmpty(f, files)
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && len(data) < 32<<10 {
				f.Add(data)
			}
		}
	}
	limits := budget.Limits{budget.Memory: 8 << 20, budget.Read: 1 << 30, budget.Work: 1 << 30, budget.Names: 1 << 20, budget.Time: -1}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte("!<thin>")) {
			return
		}
		used := testkit.Allocated(func() {
			b := budget.New(t.Context(), limits)
			_ = reader.ScanReader("file", bytes.NewReader(data), int64(len(data)), reader.Options{Context: b}, func(o *reader.Object) error {
				frames, err := cfi.Load(o, 4<<20)
				if err != nil {
					return nil
				}
				sum := 0
				for _, s := range frames.Sections {
					check(t, s.Section)
					sum += len(s.Input().Data)
				}
				if sum > len(data)+(4<<20) {
					t.Fatalf("%d bytes of a file of %d", sum, len(data))
				}
				return nil
			})
		})
		require.LessOrEqual(t, used, uint64(32<<20+200*len(data)))
	})
}
