package budget

import (
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// What a file really has makes its budgets larger: no claim of a header does, and no hole.
// See PerByte of [Bound].

// The maximum memory of a process with default limits is the sum of PromiseMemory, PromiseSection times the size of
// the largest .sframe section in use, and PromiseContent times the bytes of other sections beyond FreeContent (see
// [Budget.Content]). A package adds PromisePacked, and PromisePackedEach times its size.
const (
	PromiseMemory  = 64 << 20
	PromiseSection = 2
	PromiseContent = 5
	PromisePacked  = 256 << 20

	PromisePackedEach = 48
)

// FreeContent is the number of bytes of a file for which the default limits suffice. Only further bytes raise limits.
const FreeContent = 1 << 20

// File states that the file has n bytes. It is also called for other files that a thin archive names.
func (b *Budget) File(n int64) {
	if b != nil {
		b.bytes.Add(n)
	}
}

// Content states that n bytes of an object's sections other than .sframe are read.
func (b *Budget) Content(n int64) {
	if b != nil {
		raise(&b.content, n)
	}
}

// ContentMore states that n further bytes of the object are read.
func (b *Budget) ContentMore(n int64) {
	if b != nil {
		b.content.Add(n)
	}
}

// backing returns the bytes that make the budget of a kind larger. Memory is given back after
// each object; all else is spent for the file.
func (b *Budget) backing(k Resource) int64 {
	n := b.bytes.Load()
	if k == Memory {
		n = b.content.Load()
	}
	return max(n-FreeContent, 0)
}

// raise makes a number at least n. It reports whether it was less.
func raise(v *atomic.Int64, n int64) bool {
	for {
		old := v.Load()
		if n <= old {
			return false
		}
		if v.CompareAndSwap(old, n) {
			return true
		}
	}
}

// sectionRoom bounds the memory that is free besides that of the largest section itself.
const sectionRoom = 32 << 20

// Section spends memory for the n bytes of a .sframe section. The bytes of the largest section are free, and as many
// bytes again up to 32 MiB.
func (b *Budget) Section(n int64) error {
	if b == nil {
		return nil
	}
	raise(&b.largest, n)
	err := b.Spend(Memory, n)
	if err == nil {
		count(&sections, n)
	}
	return err
}

// Hold spends n bytes of memory for a visited object; Drop releases them.
func (b *Budget) Hold(n int64) error {
	err := b.Spend(Memory, n)
	if err == nil && b != nil {
		count(&others, n)
	}
	return err
}

// Drop releases n bytes after Hold spent them.
func (b *Budget) Drop(n int64) {
	b.Release(Memory, n)
	if b != nil {
		count(&others, -n)
	}
}

// EndSections releases n bytes after Section spent them.
func (b *Budget) EndSections(n int64) {
	b.Release(Memory, n)
	if b != nil {
		count(&sections, -n)
	}
}

// A gauge is what all budgets hold at once.
type gauge struct{ now, most atomic.Int64 } // bytes, and the most steps of them

var (
	sections, others gauge // .sframe sections, and what Hold has spent
	onMemory         atomic.Pointer[func(sections, others int64)]
)

// memoryStep is by how much memory grows before OnMemory's function is called.
const memoryStep = 1 << 20

// OnMemory sets a function that is called when one of two maxima over all budgets has grown by 1 MiB: the bytes of
// .sframe sections, and the bytes that Hold has spent. It gets both maxima, rounded down to 1 MiB. A program may use
// them to bound its heap.
func OnMemory(f func(sections, others int64)) { onMemory.Store(&f) }

func count(g *gauge, n int64) {
	if steps := g.now.Add(n) / memoryStep; raise(&g.most, steps) {
		if f := onMemory.Load(); f != nil {
			(*f)(sections.most.Load()*memoryStep, others.most.Load()*memoryStep)
		}
	}
}

var units = []struct {
	suffix string
	shift  int
}{{"K", 10}, {"M", 20}, {"G", 30}}

// formatSize writes a number of bytes, with a unit where it is a multiple of one: 4097, 64M, 1G.
func formatSize(n int64) string {
	for _, u := range slices.Backward(units) {
		if n != 0 && n%(1<<u.shift) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

// parseSize reads a number of bytes. A unit is 1024 times the previous one, and may be followed by
// B or iB.
func parseSize(text string) (int64, error) {
	digits, shift := text, 0
	upper := strings.ToUpper(text)
	for _, u := range units {
		for _, suffix := range []string{u.suffix, u.suffix + "B", u.suffix + "IB"} {
			if rest, ok := strings.CutSuffix(upper, suffix); ok {
				digits, shift = rest, u.shift
			}
		}
	}
	v, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || v > math.MaxInt64>>shift {
		return 0, errors.New("expected a number of bytes like 4096, 64M or 1G")
	}
	return int64(v << shift), nil
}

// Reader returns a reader of r that fails when the budget ends, even while r waits for data. The waiting goroutine
// ends when r does.
func (b *Budget) Reader(r io.Reader) io.Reader {
	if b == nil {
		return r
	}
	return &stream{b, r}
}

type stream struct {
	b *Budget
	r io.Reader
}

func (s *stream) Read(p []byte) (int, error) {
	type read struct {
		n   int
		err error
	}
	own, done := make([]byte, len(p)), make(chan read, 1)
	go func() {
		n, err := s.r.Read(own)
		done <- read{n, err}
	}()
	select {
	case x := <-done:
		return copy(p, own[:x.n]), x.err
	case <-s.b.Context.Done():
		return 0, s.b.Err()
	}
}
