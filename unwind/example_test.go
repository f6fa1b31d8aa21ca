package unwind_test

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// stopped is a thread that was stopped, with one module. It has all that a cursor asks for.
type stopped struct {
	pc, sp, fp uint64
	stack      map[uint64]uint64 // words by address
	module     unwind.Module
}

func (p *stopped) PC() uint64 { return p.pc }

func (p *stopped) Register(n uint32) (uint64, bool) {
	switch n {
	case 7:
		return p.sp, true
	case 6:
		return p.fp, true
	}
	return 0, false
}

func (p *stopped) ReadMemory(addr uint64, b []byte) error {
	word, ok := p.stack[addr]
	if !ok || len(b) != 8 {
		return fmt.Errorf("no word at 0x%x", addr)
	}
	binary.LittleEndian.PutUint64(b, word)
	return nil
}

func (p *stopped) Module(uint64) (unwind.Module, bool) { return p.module, true }

// The thread is in a leaf function that another one has called, which counts from FP.
func ExampleCursor() {
	data, err := os.ReadFile("../corpus/files/hand/v3-amd64.sframe")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := reader.DecodeSFrame(data, reader.SectionOptions{}).Section
	bias := -s.FDE(0).Start() + 0x1000
	p := &stopped{pc: 0x1024, sp: 0x7ff0, fp: 0x8000, stack: map[uint64]uint64{
		0x7ff0: 0x1010, // the return address of the leaf
		0x8000: 0,      // the FP of the caller's caller
		0x8008: 0x9000, // and its PC
	}, module: unwind.Module{Name: "program", Bias: bias, Sections: []*model.Section{s}}}
	c := unwind.New(s.ABI(), p, p, p, unwind.Options{MaxFrames: 4})
	for {
		fmt.Printf("0x%x\n", c.Frame().PC)
		if stop := c.Step(); stop != nil {
			fmt.Println(stop)
			break
		}
	}
	// Output:
	// 0x1024
	// 0x1010
	// 0x9000
	// no FDE covers the PC
}
