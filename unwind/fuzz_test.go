package unwind_test

import (
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// image is a program of arbitrary bytes: a section, and a stack whose words
// repeat.
type image struct {
	section *model.Section
	stack   []byte
}

const words = 64

func (m image) word(n uint64) uint64 {
	var b [8]byte
	if len(m.stack) >= 8 {
		copy(b[:], m.stack[n%uint64(len(m.stack)/8)*8:])
	}
	return binary.LittleEndian.Uint64(b[:])
}

func (m image) PC() uint64                       { return m.word(0) }
func (m image) Register(n uint32) (uint64, bool) { return m.word(uint64(n)), n%7 != 5 }
func (m image) Module(uint64) (unwind.Module, bool) {
	return unwind.Module{Sections: []*model.Section{m.section}}, true
}

func (m image) ReadMemory(at uint64, b []byte) error {
	if at%words == 13 {
		return errors.New("no memory")
	}
	binary.LittleEndian.PutUint64(b, m.word(at))
	return nil
}

// FuzzCursor traces stacks of arbitrary bytes with sections of arbitrary bytes:
// every trace ends, at a frame that it reports, and memory has a bound that depends on
// the section alone.
func FuzzCursor(f *testing.F) {
	for _, name := range []string{"binutils-2.47/amd64/program.elf", "binutils-2.44/aarch64/program.elf", "binutils-2.47/s390x/program.elf"} {
		err := reader.Scan("../corpus/files/"+name, reader.Options{}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				var stack []byte
				for d := range s.Section.FDEs() {
					stack = binary.LittleEndian.AppendUint64(stack, d.Start()+uint64(d.Size()/2))
				}
				f.Add(s.Data, s.Section.Addr(), stack)
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, addr uint64, stack []byte) {
		s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
		if s == nil {
			return
		}
		m := image{s, stack}
		const most = 300
		used := testkit.Allocated(func() {
			c := unwind.New(s.ABI(), m, m, m, unwind.Options{
				MaxFrames:   most,
				Interrupted: func(unwind.Frame) (unwind.Registers, bool) { return m, len(stack)%2 == 0 },
			})
			frames := 1
			for c.Step() == nil {
				frames++
			}
			if g := c.Frame(); frames > most || g.Index != frames-1 || c.Step().Error() == "" {
				t.Fatalf("%d frames, frame %d, %v", frames, g.Index, c.Step())
			}
		})
		if bound := uint64(1<<20 + 100*len(data)); used > bound {
			t.Fatalf("%d bytes from the heap, at most %d expected", used, bound)
		}
	})
}
