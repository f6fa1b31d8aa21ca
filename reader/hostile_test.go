package reader

import (
	"bytes"
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
)

// allocated returns the bytes that f takes from the heap, those it gives
// back included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// No count that a file claims may choose how much is allocated: what is
// allowed is a fixed amount and a multiple of the file's size.
func allowed(size int) uint64 { return 256<<10 + 32*uint64(size) }

func TestHostileCountsOfSections(t *testing.T) {
	fields := []model.HeaderField{model.HdrNumFDEs, model.HdrNumFREs, model.HdrFRELen, model.HdrFDEOff, model.HdrFREOff}
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for mask := range 1 << len(fields) {
			b := craft(le, v, amd64, 0, leaf(0, 4), leaf(4, 4))
			for i, f := range fields {
				if mask>>i&1 != 0 {
					le.PutUint32(b[f.Span().Off:], 0xffffffff)
				}
			}
			for _, rel := range []bool{false, true} {
				got := allocated(func() {
					s, _ := DecodeSection(b, SectionOptions{Relocatable: rel})
					for range testkit.Regions(s) {
					}
				})
				assert.LessOrEqual(t, got, allowed(len(b)), "%v %#x", v, mask)
			}
		}
	}
}

func TestHostileCountsOfFDEs(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, info := range []uint8{0, 1, 2, 3} {
			f := leaf(0, 4)
			f.num, f.info = -1, info // the largest count
			b := craft(le, v, amd64, 0, f, f, f)
			got := allocated(func() { DecodeSection(b, SectionOptions{}) })
			assert.LessOrEqual(t, got, allowed(len(b)), "%v", v)
		}
	}
}

func TestHostileSizesOfELF(t *testing.T) {
	for _, size := range []uint64{1 << 20, 1 << 31, 1 << 40, 1<<63 - 1, ^uint64(0)} {
		for i := range 7 {
			f := object(le, 3, 0, rela(le, 28, 1, pc64, 4))
			f.sections[i].size = size
			checkAllocation(t, f.bytes(), "section %d of %#x bytes", i+1, size)
		}
		f := object(le, 3, 0)
		f.null = testSection{size: size, link: uint32(size), info: uint32(size)}
		f.patch = func(b []byte, o order) {
			o.PutUint16(b[0x38:], pnXNum)
			o.PutUint16(b[0x3c:], 0)
			o.PutUint16(b[0x3e:], uint16(elf.SHN_XINDEX))
			o.PutUint64(b[0x20:], 64)
		}
		checkAllocation(t, f.bytes(), "%#x headers", size)
	}
}

func TestHostileSizesOfArchives(t *testing.T) {
	for _, name := range []string{"/", "//", "x.o/", "#1/99999999", "/99999999999999"} {
		h := fmt.Appendf([]byte(arMagic), "%-16s%-12s%-6s%-6s%-8s%-10s`\n", name, "0", "0", "0", "644", "9999999999")
		checkAllocation(t, append(h, plain...), "%s", name)
	}
}

func checkAllocation(t *testing.T, b []byte, format string, args ...any) {
	t.Helper()
	got := allocated(func() {
		err := ScanReader("x", bytes.NewReader(b), int64(len(b)), Options{}, func(o *Object) error {
			if o.ELF != nil {
				o.ELF.Symbols.Func(1, 0)
				o.ELF.SectionAt(0)
			}
			return nil
		})
		assert.NoError(t, err)
	})
	assert.LessOrEqual(t, got, allowed(len(b)), append([]any{format}, args...)...)
}

// A table of names that every section reads from its start would cost the
// square of the file's size.
func TestSectionNamesAreNotReadForEver(t *testing.T) {
	names := bytes.Repeat([]byte("x"), 1<<20)
	names[0] = 0
	f := exec()
	for range 2000 {
		f.sections = append(f.sections, testSection{typ: elf.SHT_PROGBITS, nameOff: 1})
	}
	f.patch = func(b []byte, o order) {
		n := o.Uint16(b[0x3c:])
		shdr := b[o.Uint64(b[0x28:])+uint64(n-1)*shdrSize:]
		o.PutUint64(shdr[0x18:], uint64(len(b)))
		o.PutUint64(shdr[0x20:], uint64(len(names)))
	}
	o := scanOne(t, append(f.bytes(), names...))
	require.Equal(t, []FaultCode{ELFDamaged}, codes(o.Faults))
	total := 0
	for _, s := range o.ELF.Sections {
		total += len(s.Name)
	}
	assert.LessOrEqual(t, total, 66*len(names)+1<<20)
}

func TestFaultsAreBounded(t *testing.T) {
	funcs := make([]testFunc, 3*maxFaults/2)
	for i := range funcs {
		funcs[i] = testFunc{num: 1, info: 3} // no FRE type
	}
	b := craft(le, model.SFRAME_VERSION_2, amd64, 0, funcs...)
	le.PutUint32(b[0x10:], 1<<31) // and one fault of the header in front
	for _, procs := range []int{1, 4} {
		withProcs(procs, func() {
			_, faults := DecodeSection(b, SectionOptions{})
			require.Len(t, faults, maxFaults)
			last := faults[maxFaults-1]
			assert.Equal(t, FaultsCut, last.Code)
			assert.Equal(t, uint64(len(funcs)+1-(maxFaults-1)), last.Got, "%d procs", procs)
		})
	}
}

func withProcs(n int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	f()
}

// large builds a section of n functions of many kinds of row.
func large(v model.Version, n int) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	funcs := make([]testFunc, n)
	at := int64(0x10000)
	for i := range funcs {
		f := testFunc{start: at, size: uint32(16 + r.IntN(200)), num: r.IntN(4)}
		for j := range f.num {
			words := 1 + r.IntN(2)
			size := r.IntN(3)
			f.rows = append(f.rows, byte(j*4), byte(r.IntN(2)|words<<1|size<<5))
			for range words << size {
				f.rows = append(f.rows, byte(r.IntN(3)*8))
			}
		}
		funcs[i] = f
		at += int64(f.size)
	}
	return craft(le, v, amd64, model.SFRAME_F_FDE_SORTED, funcs...)
}

// A section that is walked in parts must come out as one that is not.
func TestPartsDoNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		good := large(v, 2*parallelFDEs+123)
		checkSection(t, good, 0)
		for range 20 {
			b := bytes.Clone(good)
			for range r.IntN(20) {
				b[headerSize+r.IntN(len(b)-headerSize)] = byte(r.IntN(256))
			}
			decode := func(procs int) (f *SFrame) {
				withProcs(procs, func() { f = DecodeSFrame(b, SectionOptions{}) })
				return f
			}
			one, many := decode(1), decode(7)
			require.Equal(t, one.Section, many.Section)
			require.Equal(t, one.Faults, many.Faults)
			require.Equal(t, one.Section.StartsAscend(), many.Section.StartsAscend())
			require.Equal(t, one.Section.Disjoint(), many.Section.Disjoint())
			require.Equal(t, one.Section.ClaimedFREs(), many.Section.ClaimedFREs())
			x, y := one.Survey(), many.Survey()
			require.Equal(t, traits(x), traits(y))
			require.Equal(t, x.MostFREs(), y.MostFREs())
			require.Equal(t, distinct(x), distinct(y))
		}
	}
}

// distinct is where the rows that the survey lists are.
func distinct(v *model.Survey) (out [2][]model.Span) {
	rows, firsts, _, _ := v.Distinct()
	for i, list := range [][]model.FRE{rows, firsts} {
		for _, r := range list {
			out[i] = append(out[i], r.Span())
		}
	}
	return out
}

// FDEs that all claim the same rows must not be walked at the cost of the
// product.
func TestSharedRowsAreNotReadForEver(t *testing.T) {
	rows := bytes.Repeat([]byte{0, 3, 8}, 10000)
	funcs := make([]testFunc, 10000)
	for i := range funcs {
		funcs[i] = testFunc{start: int64(i), size: 1, num: 10000}
	}
	funcs[0].rows = rows
	b := craft(le, model.SFRAME_VERSION_2, amd64, 0, funcs...)
	for i := range funcs {
		le.PutUint32(b[headerSize+20*i+8:], 0)
	}
	for _, procs := range []int{1, 4} {
		withProcs(procs, func() {
			s := DecodeSFrame(b, SectionOptions{})
			assert.LessOrEqual(t, s.Section.NumFREs(), 3*10000)
			require.NotEmpty(t, s.Faults)
			for _, f := range s.Faults {
				assert.Equal(t, FREsShared, f.Code)
			}
			assert.Len(t, s.Faults, len(funcs)-2)
			assert.True(t, s.Survey().Has(model.DataOverlaps))
		})
	}
}

// TestSharedBlocks: in version 3, FDEs may share an attribute. What is decoded is what a walk without a limit
// decodes, whatever the number of FDEs.
func TestSharedBlocks(t *testing.T) {
	const n, blocks = 3 * parallelFDEs, 3
	rows := bytes.Repeat([]byte{0, 3, 8, 1, 3, 16}, 100)
	funcs := make([]testFunc, n)
	for i := range funcs {
		funcs[i] = testFunc{start: int64(i) * 0x1000, size: 3, num: 200}
		if i%5 == 0 {
			funcs[i].size = 1
		}
		if i < blocks {
			funcs[i].rows = append([]byte{byte(i), 3, 8}, rows[3:]...)
		}
	}
	b := craft(le, model.SFRAME_VERSION_3, amd64, 0, funcs...)
	const fdeSize, attr = 16, 5
	size := blocks * (attr + len(rows))
	for i := range funcs {
		le.PutUint32(b[headerSize+fdeSize*i+12:], uint32(i%blocks*(attr+len(rows))))
	}
	fres := headerSize + fdeSize*n
	for i := range blocks { // craft wrote an attribute for each FDE
		copy(b[fres+i*(attr+len(rows)):], append([]byte{200, 0, 0, 0, 0}, funcs[i].rows...))
	}
	b = b[:fres+size]
	le.PutUint32(b[16:], uint32(size))
	for _, procs := range []int{1, 4} {
		withProcs(procs, func() {
			s := DecodeSFrame(b, SectionOptions{})
			require.Empty(t, s.Faults)
			require.Equal(t, 200*n, s.Section.NumFREs())
			beyond := 0
			s.Survey().Each(model.RowBeyond, func(f model.FDE) {
				require.Less(t, int(f.Size()), 2)
				beyond++
			})
			require.Equal(t, (n+4)/5, beyond)
		})
	}
	err := (&SFrame{Data: b}).decode(SectionOptions{budget: budget.New(t.Context(), budget.Limits{budget.Work: n})})
	require.ErrorContains(t, err, "--limit max-work")

	// Blocks that overlap are decoded twice over, no more.
	for i := range funcs {
		le.PutUint32(b[headerSize+fdeSize*i+12:], uint32(i%(blocks*attr)))
	}
	s := DecodeSFrame(b, SectionOptions{})
	require.NotEmpty(t, s.Faults)
	require.LessOrEqual(t, s.Section.NumFREs(), 8*size)
}
