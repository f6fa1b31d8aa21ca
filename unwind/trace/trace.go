// Package trace writes the backtraces of a core dump.
package trace

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/unwind"
	"github.com/sframe-lint/sframe-lint/unwind/corefile"
)

// Report has the backtraces of all threads. Its JSON is described by
// docs/schema/trace.schema.json.
type Report struct {
	Schema  string   `json:"schema"`
	Core    string   `json:"core"`
	ABI     string   `json:"abi"`
	Signal  int      `json:"signal,omitempty"` // that ended the program
	Threads []Thread `json:"threads"`
	Modules []Module `json:"modules"`
}

// Schema names the form of the JSON output.
const Schema = "sframe-lint/trace/1"

// Thread is the backtrace of a thread. Its first frame is the topmost one.
type Thread struct {
	ID       int           `json:"id"`
	Frames   []Frame       `json:"frames"`
	Complete bool          `json:"complete"` // it reached the outermost frame
	Reason   unwind.Reason `json:"reason"`
	Message  string        `json:"message"`
}

// Frame is a frame of a backtrace. Addresses are hexadecimal numbers.
type Frame struct {
	PC       string `json:"pc"`
	SP       string `json:"sp"`
	FP       string `json:"fp,omitempty"`
	Module   string `json:"module,omitempty"`
	Address  string `json:"address,omitempty"` // PC, as an address of the module's file
	Function string `json:"function,omitempty"`
	Offset   uint64 `json:"offset"` // PC less the start of Function, bytes
	Signal   bool   `json:"signal,omitempty"`
	CFI      string `json:"cfi,omitempty"` // how CFI disagrees on the caller, in the first frame where it does
}

// Module is a module in which a frame is.
type Module struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	Bias     string `json:"bias"`
	Sections int    `json:"sections"` // with SFrame data
	Faults   int    `json:"faults,omitempty"`
	Error    string `json:"error,omitempty"`
}

// Options bound the backtraces.
type Options struct {
	MaxFrames int  // of a thread
	Compare   bool // with CFI, which the modules must have
	Budget    *budget.Budget
}

// maxTotal bounds the frames of all threads. Threads after it have one frame.
const maxTotal = 1 << 20

// Threads traces all threads of a core. Its error is that of the budget.
func Threads(name string, core *corefile.Core, mods *corefile.Modules, opts Options) (*Report, error) {
	r := &Report{Schema: Schema, Core: escape.UTF8(name), ABI: core.ABI.Spec, Signal: core.Signal, Modules: []Module{}}
	left := maxTotal
	for _, t := range core.Threads {
		most := max(min(opts.MaxFrames, left), 1)
		c := unwind.New(core.ABI, t, core, mods, unwind.Options{
			MaxFrames: most, PACMasks: [2]uint64{core.PACMask, core.PACMask}, Interrupted: core.Interrupted,
		})
		one, err := thread(c, mods, opts)
		if err != nil {
			return nil, err
		}
		one.ID = t.ID
		left -= len(one.Frames)
		r.Threads = append(r.Threads, one)
	}
	for _, m := range mods.All() {
		x := Module{Name: clean(m.Name), File: clean(m.Path), Bias: hex(m.Bias), Sections: len(m.Sections), Faults: m.Faults}
		if m.Err != nil {
			x.Error = escape.UTF8(escape.Cut(m.Err.Error(), escape.MaxMessage))
		}
		r.Modules = append(r.Modules, x)
	}
	return r, nil
}

// thread traces a thread.
func thread(c *unwind.Cursor, mods *corefile.Modules, opts Options) (t Thread, err error) {
	compare := opts.Compare
	for {
		f := c.Frame()
		t.Frames = append(t.Frames, describe(&f, mods))
		if err := opts.Budget.Step(cost(&f)); err != nil {
			return t, err
		}
		var by callerByCFI
		if compare && !f.Signal() { // the kernel's registers need no rules
			if m, ok := mods.At(f.Lookup); ok {
				if err := opts.Budget.Step(m.CFICost()); err != nil {
					return t, err
				}
			}
			by = byCFI(c, mods)
		}
		stop := c.Step()
		next := c.Frame()
		if how := by.differs(&next, stop); how != "" {
			t.Frames[len(t.Frames)-1].CFI, compare = how, false
		}
		if stop != nil {
			t.Complete, t.Reason, t.Message = stop.Complete(), stop.Reason, stop.Error()
			return t, nil
		}
	}
}

// cost is how many FDEs and FREs a look-up of the frame's PC may visit.
func cost(f *unwind.Frame) int64 {
	n := int64(1)
	for _, s := range f.Module.Sections {
		if !s.Disjoint() {
			n += int64(s.NumFDEs())
		}
	}
	if f.HasFDE {
		n += int64(f.FDE.NumFREs())
	}
	return n
}

// clean returns a name that every frame may have.
func clean(name string) string { return escape.UTF8(escape.Cut(name, escape.MaxName)) }

func hex(v uint64) string { return fmt.Sprintf("0x%x", v) }

// describe names a frame's function by the address that its procedure was found
// by, and counts the offset up to its PC.
func describe(f *unwind.Frame, mods *corefile.Modules) Frame {
	d := Frame{PC: hex(f.PC), SP: hex(f.SP), Signal: f.Signal()}
	if f.FPKnown {
		d.FP = hex(f.FP)
	}
	m, ok := mods.At(f.Lookup)
	if !ok {
		return d
	}
	d.Module, d.Address = clean(m.Name), hex(f.PC-m.Bias)
	if name, off, ok := m.Symbol(f.Lookup); ok {
		d.Function, d.Offset = clean(name), off+f.PC-f.Lookup
	}
	return d
}
