package profile

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
)

// Sample is a stack that a profiler has printed, of a moment or of equal ones.
type Sample struct {
	Line    int    // the number of its first line, from 1 on
	Title   string // what the text says of it: command, thread and time
	Thread  int    // 0 if the text does not say
	Count   int64  // of equal stacks
	Frames  []Frame
	Process *Process // what is known of the process; nil for nothing

	ABI      model.ABI // of Regs; AArch64 is taken to be little-endian
	Regs     corefile.Regs
	HasRegs  bool
	Stack    []byte // from SP on
	HasStack bool

	named map[string]uint64 // registers by their names
}

// Frame is a frame of user space as a profiler has printed it. The first one is the topmost.
type Frame struct {
	// IP is an address of the program or, as perf prints it for a file that it knows, the offset
	// of the code in the file. The callers' may be that of the byte before.
	IP     uint64
	HasIP  bool
	Symbol string
	Offset uint64 // from Symbol
	// HasOffset says that Symbol and Offset are known.
	HasOffset bool
	File      string
	BuildID   string // hexadecimal; IP is then an offset in the file
	// Inlined says that the profiler shows a call that was inlined into a later frame with the
	// same IP. If there is no such frame, this is a frame itself.
	Inlined bool
}

// Process is what the text has said of a process so far.
type Process struct {
	ID      int
	Maps    []Mapping // of code, by address; they do not overlap
	Changes int       // another number after each change of Maps, and for each process

	spent int64 // bytes of the budget's memory
}

// Mapping is code of a file in the memory of a process.
type Mapping struct {
	corefile.Mapping
	BuildID string // hexadecimal, "" for an unknown one
}

// Limits of what a sample and a text may have.
const (
	maxLine    = 1 << 16
	maxFrames  = 1 << 12
	maxHeld    = 1 << 22 // bytes of their lines
	maxRaw     = 1 << 16 // the size of a record has 16 bits
	maxMaps    = 1 << 16 // of all processes
	maxProcess = 1 << 12 // of one
	maxKnown   = 1 << 16 // processes, and threads
	maxCount   = 1 << 40 // equal stacks
	mapBytes   = 128     // about what a mapping takes, besides its path
	knownBytes = 256     // about what a process takes, or a thread
)

// Reader reads samples.
type Reader struct {
	in      *bufio.Reader
	budget  *budget.Budget
	line    int
	procs   map[int]*Process
	threads map[int]int // the process of a thread
	maps    int
	changes int // of the maps of all processes
	known   []registers

	sample *Sample // that is being read; nil for none
	headed bool    // it has its title
	counts bool    // it is one of a map of bpftrace
	held   int     // bytes of the lines of its frames
	user   bool    // registers follow, of user space
	raw    []byte  // of the last record
	inRaw  bool
}

// NewReader returns a reader of a text. It spends of the budget what it keeps.
func NewReader(r io.Reader, b *budget.Budget) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, maxLine), budget: b, procs: map[int]*Process{}, threads: map[int]int{}, known: knownRegisters()}
}

// Next returns the next sample, which is valid until the next call. Its error is [io.EOF] after the
// last one, that of the text, or that of the budget.
func (r *Reader) Next() (*Sample, error) {
	for {
		line, err := r.read()
		if err != nil {
			if errors.Is(err, io.EOF) {
				if s := r.take(); s != nil {
					return s, nil
				}
			}
			return nil, err
		}
		s, err := r.next(line)
		if s != nil || err != nil {
			return s, err
		}
	}
}

// read returns a line without its end. Of one that is too long it returns the start.
func (r *Reader) read() (string, error) {
	r.line++
	b, err := r.in.ReadSlice('\n')
	text := string(b)
	for n := len(b); errors.Is(err, bufio.ErrBufferFull); n += len(b) {
		b, err = r.in.ReadSlice('\n')
	}
	if err != nil && (!errors.Is(err, io.EOF) || text == "") {
		return "", err
	}
	r.budget.File(int64(len(text)))
	return strings.TrimRight(text, "\r\n"), r.budget.Err()
}

// take returns the sample that was read, nil if there is none.
func (r *Reader) take() *Sample {
	s := r.sample
	r.sample, r.headed, r.counts, r.user = nil, false, false, false
	if s == nil {
		return nil
	}
	if s.number(r.known); len(s.Frames) == 0 && !s.HasRegs {
		return nil
	}
	if r.procs[s.Thread] != nil { // the text may name a process
		s.Process = r.procs[s.Thread]
	} else if pid, ok := r.threads[s.Thread]; ok {
		s.Process = r.procs[pid]
	}
	return s
}

func (r *Reader) begin(title string, headed bool) {
	r.sample, r.headed, r.held = &Sample{Line: r.line, Title: title, Count: 1}, headed, 0
}

// next takes a line, and returns the sample that ends before it or with it.
func (r *Reader) next(line string) (done *Sample, err error) {
	switch {
	case strings.HasPrefix(line, "."):
		r.dumped(line)
	case strings.Contains(line, "PERF_RECORD_"):
		return r.record(line)
	case strings.TrimSpace(line) == "":
		if !r.counts {
			done = r.take()
		}
	case r.counts && strings.HasPrefix(line, "]"), r.counts && strings.HasPrefix(line, ", "):
		if n, ok := strings.CutPrefix(line[strings.LastIndex(line, "]")+1:], ": "); ok {
			r.sample.Count = min(max(parse(n, 10), 1), maxCount)
			done = r.take()
		}
	case strings.HasPrefix(line, "@") && (strings.HasSuffix(line, "[") || strings.HasSuffix(line, ",")):
		done = r.take()
		r.begin(strings.TrimRight(line, "[,"), true)
		r.counts = true
	case line[0] == ' ' && strings.HasPrefix(strings.TrimLeft(line, " "), "."):
		// what perf script -D says besides
	case strings.HasPrefix(strings.TrimLeft(line, " "), "ABI:"):
		r.uregs(line)
	case line[0] == '\t' || line[0] == ' ' && strings.HasPrefix(line, "    ") && !isHeader(line):
		if f, user, ok := parseFrame(line); ok {
			if r.sample == nil {
				r.begin("", true)
			}
			r.frame(f, user, line)
		}
	default:
		if title, thread, rest, ok := parseHeader(line); ok {
			if r.headed {
				done = r.take()
			}
			if r.sample == nil {
				r.begin(title, true)
			}
			r.sample.Title, r.sample.Thread, r.headed = title, thread, true
			if f, user, ok := parseFrame(rest); ok {
				r.frame(f, user, line)
			}
		}
	}
	return done, nil
}

// frame adds a frame, which refers to its line.
func (r *Reader) frame(f Frame, user bool, line string) {
	if r.held += len(line); user && len(r.sample.Frames) < maxFrames && r.held <= maxHeld {
		r.sample.Frames = append(r.sample.Frames, f)
	}
}
