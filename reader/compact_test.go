package reader

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

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
