// Package trace writes the backtraces of a core dump.
package trace

import (
	"bufio"
	"cmp"
	"io"
	"iter"
	"strconv"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Report has the backtraces of all threads, as the JSON that [Write] writes. It is described by
// docs/schema/trace.schema.json.
type Report struct {
	head
	Threads []Thread `json:"threads"`
	Modules []Module `json:"modules"`
	tail
}

// head is what a report begins with.
type head struct {
	Schema string `json:"schema"`
	Core   string `json:"core"`
	ABI    string `json:"abi"`
	Signal int    `json:"signal,omitempty"` // that ended the program
}

// tail is what a report ends with.
type tail struct {
	Frames   Ways      `json:"frames"`             // of all threads, including those in no module
	Compared *Compared `json:"compared,omitempty"` // with CFI
	Process  *Process  `json:"process,omitempty"`  // of one that runs
}

// Process is a process that was read while it was running.
type Process struct {
	ID      int      `json:"pid"`
	Stopped int64    `json:"stoppedMicroseconds"`
	Missed  []Missed `json:"missed,omitempty"` // threads that were not read
}

// Missed is a thread of a process that was not read.
type Missed struct {
	ID      int    `json:"id"`
	Message string `json:"message"`
}

// Schema names the form of the JSON output.
const Schema = "sframe-lint/trace/1"

// Thread is the backtrace of a thread. Its first frame is the topmost one.
type Thread struct {
	ID     int     `json:"id"`
	Frames []Frame `json:"frames"`
	End
}

// End is the end of a thread's backtrace.
type End struct {
	Complete bool          `json:"complete"` // it reached the outermost frame
	Reason   unwind.Reason `json:"reason"`
	Message  string        `json:"message"`
}

// Frame is a frame of a backtrace. Addresses are hexadecimal numbers.
type Frame struct {
	PC       string `json:"pc"`
	SP       string `json:"sp,omitempty"`    // not of a row that is only looked up
	Least    bool   `json:"least,omitempty"` // SP is a lower bound
	FP       string `json:"fp,omitempty"`
	Module   string `json:"module,omitempty"`
	Address  string `json:"address,omitempty"` // PC, as an address of the module's file
	Function string `json:"function,omitempty"`
	Offset   uint64 `json:"offset"` // PC less the start of Function, bytes
	Signal   bool   `json:"signal,omitempty"`
	CFI      string `json:"cfi,omitempty"` // how CFI disagrees on the caller, in the first frame where it does
	By       Way    `json:"by"`            // how the caller was found
	Why      string `json:"why,omitempty"` // why not by SFrame data
}

// Module is a module in which a frame is.
type Module struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	Bias     string `json:"bias"`
	Sections int    `json:"sections"` // with SFrame data
	Faults   int    `json:"faults,omitempty"`
	Error    string `json:"error,omitempty"`
	Frames   Ways   `json:"frames"` // those in the module
}

// Options bound the backtraces.
type Options struct {
	Name      string // of the core
	JSON      bool   // the form of the output, else text
	MaxFrames int    // of a thread
	Compare   bool   // with CFI, which the modules must have
	// Fallback are the other ways to find a caller, in their order, where there are no SFrame
	// data: ByCFI, for which the modules must have CFI, and ByFP.
	Fallback []Way
	// Visit gets each frame, after its step to the caller; nil for none. Threads are numbered from 0.
	Visit   func(thread, id int, d *Frame, x *Explained)
	Budget  *budget.Budget
	Process *Process // of which the core is
}

// Result says what was written.
type Result struct {
	Incomplete int  // threads whose backtraces stop before the outermost frame, or with whose frames CFI disagrees
	Cut        bool // frames are missing: there were more of all threads than the limit
	// Err is that of the budget, after which the report ends early and says so.
	Err error
}

// maxTotal bounds the frames of all threads, however large the core is. A smaller core has
// baseTotal of them and one for each 8 bytes, as a frame has at least a return address: threads
// that share a stack have more. Threads after the limit have one frame.
const maxTotal, baseTotal = 1 << 20, 1 << 16

// Write traces all threads of a core, and writes each frame when it is found. What it holds
// does not depend on their number. Its error is that of the writer.
func Write(w io.Writer, core *corefile.Core, mods *corefile.Modules, opts Options) (Result, error) {
	buf := bufio.NewWriterSize(w, 1<<16)
	h := head{Schema: Schema, Core: escape.UTF8(opts.Name), ABI: core.ABI.Spec, Signal: core.Signal}
	var out form = &textForm{w: buf, signal: core.Signal, table: len(opts.Fallback) > 0}
	if opts.JSON {
		out = newJSONForm(buf, &h)
	}
	x := tracer{out: out, tail: tail{Process: opts.Process}, abi: core.ABI, mods: mods, opts: opts, ways: map[placed]*Ways{}}
	left := min(maxTotal, baseTotal+core.Size/8)
	for i, t := range core.Threads {
		most := max(min(int64(opts.MaxFrames), left), 1)
		c := unwind.New(core.ABI, t, core, mods, unwind.Options{
			MaxFrames: int(most), PACMasks: [2]uint64{core.PACMask, core.PACMask}, Interrupted: core.Interrupted, Trampoline: mods.IsTrampoline,
		})
		n, err := x.thread(i, t.ID, c, most < int64(opts.MaxFrames))
		if err != nil {
			return x.result, err
		}
		if left -= n; x.result.Err != nil {
			break
		}
	}
	return x.result, x.close(buf)
}

// form is a form of the output.
type form interface {
	begin(i, id int) error // a thread
	frame(i int, f *Frame) error
	end(e *End) error // of the thread
	close(modules iter.Seq[Module], t *tail) error
}

// tracer writes the backtraces of threads.
type tracer struct {
	out      form
	abi      model.ABIInfo
	mods     *corefile.Modules
	opts     Options
	result   Result
	ways     map[placed]*Ways
	tail     tail
	compared Compared
}

// close writes the modules.
func (x *tracer) close(buf *bufio.Writer) error {
	if x.opts.Compare {
		x.tail.Compared = &x.compared
	}
	err := x.out.close(func(yield func(Module) bool) {
		for _, m := range x.mods.All() {
			y := Module{Name: clean(m.Name), File: clean(m.Path), Bias: hex(m.Bias), Sections: len(m.Sections), Faults: m.Faults}
			if n := x.ways[placed{m.Name, m.Bias}]; n != nil {
				y.Frames = *n
			}
			if m.Err != nil {
				y.Error = escape.UTF8(escape.Cut(m.Err.Error(), escape.MaxMessage))
			}
			if !yield(y) {
				return
			}
		}
	}, &x.tail)
	return cmp.Or(err, buf.Flush())
}

// thread traces a thread, and returns the number of its frames. In a bounded one, the limit of
// frames is that of all threads.
func (x *tracer) thread(i, id int, c *unwind.Cursor, bounded bool) (n int64, err error) {
	if err := x.out.begin(i, id); err != nil {
		return 0, err
	}
	compare, agrees := x.opts.Compare, true
	for ; ; n++ {
		f := c.Frame()
		d := describe(&f, x.mods)
		spent := x.opts.Budget.Step(cost(&f) + x.mods.LookupCost(f.Lookup))
		var by callerByCFI
		if spent == nil && compare && !f.Signal() { // the kernel's registers need no rules
			by, spent = byCFI(c, x.mods, x.opts.Budget)
		}
		var took step
		if spent == nil {
			took, spent = x.step(c, &f)
		}
		if spent == nil {
			x.compared.Of++
			if by.known = by.known && took.lacks == nil; by.known {
				x.compared.Frames++
			}
			next := c.Frame()
			if x.opts.Visit != nil {
				m, _ := x.mods.At(f.Lookup)
				x.opts.Visit(i, id, &d, &Explained{Frame: f, Module: m, Next: next, Stop: took.stop, took: took})
			}
			if how := by.differs(&next, took.stop); how != "" {
				d.CFI, compare, agrees = how, false, false
				x.compared.Differ++
			}
		}
		d.By, d.Why = took.by, took.instead()
		x.count(&f, took.by)
		if err := x.out.frame(int(n), &d); err != nil {
			return n, err
		}
		if spent == nil && took.stop == nil {
			continue
		}
		end := &End{Reason: unwind.TooManyFrames}
		if spent != nil {
			end.Message, x.result.Err = spent.Error(), spent
		} else {
			*end = End{took.stop.Complete(), took.stop.Reason, took.message()}
			x.result.Cut = x.result.Cut || bounded && took.stop.Reason == unwind.TooManyFrames
		}
		if !end.Complete || !agrees {
			x.result.Incomplete++
		}
		return n + 1, x.out.end(end)
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

func hex(v uint64) string { return "0x" + strconv.FormatUint(v, 16) }

// describe names a frame's function by the address that its procedure was found
// by, and counts the offset up to its PC.
func describe(f *unwind.Frame, mods *corefile.Modules) Frame {
	d := Frame{PC: hex(f.PC), SP: hex(f.SP), Signal: f.Signal(), Least: f.SPLeast}
	if f.FPKnown {
		d.FP = hex(f.FP)
	}
	if f.Trampoline {
		if name, off, ok := mods.Trampoline(f.Lookup); ok {
			d.Function, d.Offset = clean(name), off
		}
	}
	m, ok := mods.At(f.Lookup)
	if !ok {
		return d
	}
	d.Module, d.Address = clean(m.Name), hex(f.PC-m.Bias)
	if name, off, ok := m.Symbol(f.Lookup); ok && d.Function == "" {
		d.Function, d.Offset = clean(name), off+f.PC-f.Lookup
	}
	return d
}
