package reader

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

func TestOrderRuns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := map[bool]int{}
	for range 2000 {
		size := 1 + rnd.IntN(400)
		var runs []model.Span
		for range rnd.IntN(8) {
			off := rnd.IntN(size)
			runs = append(runs, model.Span{Off: int64(off), Len: int64(1 + rnd.IntN(min(size-off, 90)))})
		}
		claims := make([]int, size)
		for _, r := range runs {
			for i := r.Off; i < r.End(); i++ {
				claims[i]++
			}
		}
		got, shared := orderRuns(slices.Clone(runs), size)
		require.Equal(t, slices.Max(claims) > 1, shared, "%v", runs)
		require.True(t, slices.IsSortedFunc(got, func(a, b model.Span) int { return cmp.Compare(a.Off, b.Off) }))
		covered := make([]bool, size)
		for _, r := range got {
			for i := r.Off; i < r.End(); i++ {
				covered[i] = true
			}
		}
		for i, n := range claims {
			require.Equal(t, n > 0, covered[i], "%v: byte %d", runs, i)
		}
		seen[shared]++
	}
	require.Greater(t, min(seen[false], seen[true]), 200)
}

// TestEndOfTheAddressSpace: code may reach it, and 2^64 fits no field.
func TestEndOfTheAddressSpace(t *testing.T) {
	const last = math.MaxUint64 - 0xfff
	text := AddrRanges{}.With(last, 0x1000).With(0x1000, 0x100).With(0x2000, 0).With(math.MaxUint64, 2).Normal()
	assert.Equal(t, AddrRanges{{0x1000, 0x10ff}, {last, math.MaxUint64}}, text)
	for _, c := range []struct {
		start uint64
		size  uint32
		holds bool
	}{
		{last, 0x1000, true},
		{math.MaxUint64, 1, true},
		{math.MaxUint64, 2, false},
		{last - 1, 1, false},
		{0x10ff, 1, true},
		{0x10ff, 2, false},
		{0x1100, 0, true},
		{0x1101, 0, false},
	} {
		assert.Equal(t, c.holds, text.Holds(c.start, c.size), "%+v", c)
	}
}

// masks makes a section of n functions, of which isMask says which are MASK.
func masks(v model.Version, n int, isMask func(i int) bool) []byte {
	var fns []testFunc
	for i := range n {
		f := leaf(int64(16*i), 16)
		if isMask(i) {
			f.info, f.rep = model.InfoPCTypeBit, 16
		}
		fns = append(fns, f)
	}
	return craft(le, v, amd64, 0, fns...)
}

// The survey lists some thousands of MASK FDEs and walks the section for more.
// The result is the same, also where the parts of a large section meet.
func TestEachMaskYieldsAllInOrder(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, n := range []int{0, 1, 4095, 4096, 4097, 9000} {
			isMask := func(i int) bool { return i%3 == 1 && i/3 < n }
			var got, want []int
			for i := range 3 * n {
				if isMask(i) {
					want = append(want, i)
				}
			}
			DecodeSFrame(masks(v, 3*max(n, 1), isMask), SectionOptions{}).Survey().EachMask(func(f model.FDE) {
				require.Equal(t, model.SFRAME_FDE_PCTYPE_MASK, f.PCType())
				got = append(got, f.Index())
			})
			assert.Equal(t, want, got, "%v, %d of them", v, n)
		}
	}
}

// An FDE of version 3 whose attribute lies beyond the section has no PC type.
func TestEachMaskLeavesOutWhatHasNoAttribute(t *testing.T) {
	data := masks(model.SFRAME_VERSION_3, 5000, func(int) bool { return true })
	for cut, want := range map[int]int{3: 5000, 4: 4999} {
		n := 0
		DecodeSFrame(data[:len(data)-cut], SectionOptions{}).Survey().EachMask(func(model.FDE) { n++ })
		assert.Equal(t, want, n)
	}
}

// Where a caller has set the section by hand, the survey is of that one.
func TestSurveyOfASectionSetByHand(t *testing.T) {
	known := func(int64, int) model.Start { return model.Start{Addr: 64, Place: 1, OK: true} }
	for _, start := range []func(int64, int) model.Start{nil, known} {
		f := DecodeSFrame(masks(model.SFRAME_VERSION_3, 2, func(int) bool { return true }), SectionOptions{})
		opts := SectionOptions{Relocatable: true, Start: start}
		want := DecodeSFrame(masks(model.SFRAME_VERSION_3, 3, func(i int) bool { return i == 1 }), opts)
		f.Data, f.Section = want.Data, want.Section
		require.Equal(t, traits(want.Survey()), traits(f.Survey()))
		f.Survey().EachMask(func(m model.FDE) { assert.Equal(t, 1, m.Index()) })
	}
}

// Most allocations that reading a section may take, however large it is.
const maxAllocs = 100

// fourRows builds a section of n functions of four FREs each, the shape of a
// large program: 200,000 functions and 800,000 FREs in 7 MB.
func fourRows(v model.Version, n int) []byte {
	rows := []byte{0, 0x03, 8, 1, 0x05, 16, 0xf0, 4, 0x04, 16, 0xf0, 31, 0x03, 8}
	funcs := make([]testFunc, n)
	for i := range funcs {
		funcs[i] = testFunc{start: 0x10000 + 64*int64(i), size: 64, num: 4, rows: rows}
	}
	return craft(le, v, amd64, model.SFRAME_F_FDE_SORTED, funcs...)
}

// held returns the bytes and objects that stay on the heap for what f returns.
func held[T any](f func() T) (got T, size, objects int64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got = f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return got, int64(after.HeapAlloc) - int64(before.HeapAlloc), int64(after.HeapObjects) - int64(before.HeapObjects)
}

func TestSectionsAreHeldCompactly(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		t.Run(v.String(), func(t *testing.T) {
			data := fourRows(v, benchFDEs)
			s, size, objects := held(func() *model.Section {
				s, faults := DecodeSection(data, SectionOptions{Addr: 0x1000})
				require.Empty(t, faults)
				return s
			})
			assert.Equal(t, benchFDEs, s.NumFDEs())
			assert.Equal(t, 4*benchFDEs, s.NumFREs())
			// The section keeps data itself, which counts as held.
			assert.LessOrEqual(t, size+int64(len(data)), 8*int64(len(data)))
			assert.LessOrEqual(t, objects, int64(maxAllocs))
			runtime.KeepAlive(s)
		})
	}
}

// What a program of the whole size takes to read is no more than what a
// hundredth of it takes, but for a few tables that grow.
func TestAllocationsDoNotGrowWithTheSection(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, n := range []int{benchFDEs / 100, benchFDEs} {
			data := fourRows(v, n)
			allocs := testing.AllocsPerRun(1, func() { DecodeSection(data, SectionOptions{Addr: 0x1000}) })
			assert.LessOrEqual(t, allocs, float64(maxAllocs), "%v, %d FDEs", v, n)
		}
	}
}

// A walk of all rows, as a rule or a dump does it, allocates nothing for a row.
func TestAWalkAllocatesNothingForARow(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		s, _ := DecodeSection(fourRows(v, 10_000), SectionOptions{Addr: 0x1000})
		rows := 0
		allocs := testing.AllocsPerRun(1, func() {
			for i := range s.NumFDEs() {
				for r := range s.FDE(i).FREs() {
					rows += r.NumWords()
				}
			}
		})
		assert.NotZero(t, rows)
		assert.LessOrEqual(t, allocs, float64(maxAllocs), "%v", v)
	}
}

// The starts of a relocatable file's functions are in its relocations, and
// have to be kept beside the section.
func TestRelocatableFilesAreHeldCompactly(t *testing.T) {
	relocs := make([][]byte, benchFDEs)
	for i := range relocs {
		relocs[i] = rela(le, headerSize+16*int64(i), 1, uint32(model.LookupABI(amd64).Reloc64), 64*int64(i))
	}
	f := object(le, model.SFRAME_VERSION_3, 0, relocs...)
	for i := range f.sections {
		if f.sections[i].name == ".sframe" {
			f.sections[i].data = fourRows(model.SFRAME_VERSION_3, benchFDEs)
		}
	}
	file := f.bytes()
	o, size, objects := held(func() *Object { return scanOne(t, file) })
	require.Len(t, o.SFrames, 1)
	s := o.SFrames[0].Section
	require.Equal(t, benchFDEs, s.NumFDEs())
	require.True(t, s.FDE(benchFDEs-1).Resolved())
	assert.LessOrEqual(t, size, 8*s.Size(), fmt.Sprint(s.Size()))
	assert.LessOrEqual(t, objects, int64(maxAllocs))
	runtime.KeepAlive(o)
}
