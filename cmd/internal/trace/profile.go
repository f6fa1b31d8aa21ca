package trace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/cmd/internal/profile"
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Verdict is how a profiler's stack and SFrame data agree.
type Verdict string

// Verdicts. The last three are of samples without registers and stack, whose rows are looked up
// and not used.
const (
	Agrees  Verdict = "agrees" // up to the end of both
	Cut     Verdict = "cut"    // up to the end of the part of the stack that the sample has
	Differs Verdict = "differs"
	Stops   Verdict = "stops"  // the SFrame data end, the profiler's stack does not
	Longer  Verdict = "longer" // the profiler's stack ends, the SFrame data do not
	HasRows Verdict = "rows"   // there is one for each frame
	NoRow   Verdict = "no-row"
	Unknown Verdict = "unknown" // the code of no frame could be found
)

// Faulty reports whether SFrame data may be at fault.
func (v Verdict) Faulty() bool { return v == Differs || v == Stops || v == NoRow }

// ProfileSample is what is said of a sample. It is described by
// docs/schema/profile.schema.json.
type ProfileSample struct {
	Line     int           `json:"line"`
	Title    string        `json:"title,omitempty"`
	Count    int64         `json:"count"`
	Verdict  Verdict       `json:"verdict"`
	Frame    int           `json:"frame"`  // of the profiler's stack, after which they part; of the last one if they do not
	Frames   int           `json:"frames"` // of the profiler's stack
	At       *Frame        `json:"at,omitempty"`
	Reason   unwind.Reason `json:"reason,omitempty"`
	Message  string        `json:"message,omitempty"`
	Profiler string        `json:"profiler,omitempty"` // the caller by the profiler, as it prints it
	SFrame   *Frame        `json:"sframe,omitempty"`   // the caller by SFrame data
}

// profiler compares the samples of a profile with SFrame data.
type profiler struct {
	opts  Options
	files corefile.Options
	all   *corefile.Modules // whose files the others use
	procs map[int]*mapped
	wrong map[string]error                     // by file, why it is not used
	named map[*corefile.File]map[string]uint64 // functions
}

// mapped is what a process has mapped.
type mapped struct {
	changes int
	mods    *corefile.Modules
	builds  map[string]string // build IDs by path
	spent   int64             // bytes of the budget's memory
}

// maxMapped bounds the processes whose modules are kept.
const maxMapped = 64

func newProfiler(files corefile.Options, opts Options) (*profiler, error) {
	if exe := files.Exe; exe != "" {
		files.Resolve = func(path string) string {
			if filepath.Base(path) == filepath.Base(exe) {
				return exe
			}
			return ""
		}
	}
	core, err := corefile.NewCore(corefile.Image{Budget: opts.Budget})
	if err != nil {
		return nil, err
	}
	return &profiler{
		opts: opts, files: files, all: corefile.NewModules(core, files), procs: map[int]*mapped{}, wrong: map[string]error{},
		named: map[*corefile.File]map[string]uint64{},
	}, nil
}

// modules returns the files that the process of a sample has mapped.
func (p *profiler) modules(s *profile.Sample) (*mapped, error) {
	if s.Process == nil {
		return &mapped{mods: p.all}, nil
	}
	m := p.procs[s.Process.ID]
	if m != nil && m.changes == s.Process.Changes {
		return m, nil
	}
	if m != nil {
		p.forget(s.Process.ID)
	} else if len(p.procs) == maxMapped {
		for id := range p.procs {
			p.forget(id)
		}
	}
	before := p.opts.Budget.Used(budget.Memory)
	im := corefile.Image{ABI: model.LookupABI(s.ABI), Memory: bytes.NewReader(nil), Budget: p.opts.Budget}
	m = &mapped{changes: s.Process.Changes, builds: map[string]string{}}
	for _, x := range s.Process.Maps {
		im.Regions = append(im.Regions, corefile.Region{Mapping: x.Mapping, Permissions: "r-xp"})
		if x.BuildID != "" {
			m.builds[x.Path] = x.BuildID
		}
	}
	core, err := corefile.NewCore(im)
	if err != nil {
		return nil, err
	}
	m.mods = corefile.NewModules(core, p.files)
	m.mods.Reuse(p.all)
	m.spent = p.opts.Budget.Used(budget.Memory) - before
	p.procs[s.Process.ID] = m
	return m, p.opts.Budget.Step(int64(len(s.Process.Maps)))
}

// forget forgets the modules of a process. Its files are kept.
func (p *profiler) forget(id int) {
	p.opts.Budget.Release(budget.Memory, p.procs[id].spent)
	delete(p.procs, id)
}

// usable returns why a file is not used: it cannot be read, or is not the one that ran.
func (m *mapped) usable(name string, f *corefile.File) error {
	if f.Err != nil {
		return f.Err
	}
	if want := m.builds[name]; want != "" && want != buildID(f) {
		return fmt.Errorf("not used: the build ID of the file that ran is %s", escape.Printable(want))
	}
	return nil
}

// buildID returns the build ID of a file as profilers print it.
func buildID(f *corefile.File) string { return fmt.Sprintf("%x", f.BuildID()) }

// copied is the part of a stack that a sample has.
type copied struct {
	at uint64
	b  []byte
}

func (c copied) ReadMemory(addr uint64, b []byte) error {
	if off := addr - c.at; addr < c.at || off > uint64(len(c.b)) || uint64(len(b)) > uint64(len(c.b))-off {
		return errNotCopied
	}
	copy(b, c.b[addr-c.at:])
	return nil
}

var errNotCopied = errors.New("not in the sample")

// judge compares a sample. Its error is that of the budget.
func (p *profiler) judge(s *profile.Sample) (ProfileSample, error) {
	v := ProfileSample{Line: s.Line, Title: clean(s.Title), Count: s.Count, Frames: len(s.Frames)}
	m, err := p.modules(s)
	if err != nil {
		return v, err
	}
	abi := model.LookupABI(s.ABI)
	sp, ok := s.Regs.Register(abi.SP)
	if !ok || !s.HasRegs || !s.HasStack || s.Process == nil || len(s.Frames) == 0 {
		return v, p.lookUp(&v, s, m)
	}
	mem := copied{sp, s.Stack}
	walk := &walked{}
	opts := p.opts
	opts.Visit = walk.visit
	x := tracer{out: walk, abi: abi, mods: m.mods, opts: opts, ways: map[placed]*Ways{}}
	c := unwind.New(abi, &s.Regs, mem, m.mods, unwind.Options{
		MaxFrames: min(opts.MaxFrames, len(s.Frames)+1), Trampoline: m.mods.IsTrampoline,
		Interrupted: func(f unwind.Frame) (unwind.Registers, bool) { return corefile.Interrupted(abi, mem, f.SP) },
	})
	if _, err := x.thread(0, s.Thread, c, false); err != nil || x.result.Err != nil {
		return v, cmp.Or(err, x.result.Err)
	}
	p.compare(&v, s, m, walk)
	return v, nil
}

// walked collects the frames of a stack by SFrame data.
type walked struct {
	frames []Frame
	seen   []*Explained
	ended  End
}

func (w *walked) visit(_, _ int, _ *Frame, x *Explained) { w.seen = append(w.seen, x) }
func (w *walked) begin(int, int) error                   { return nil }
func (w *walked) frame(_ int, f *Frame) error            { w.frames = append(w.frames, *f); return nil }
func (w *walked) end(e *End) error                       { w.ended = *e; return nil }
func (w *walked) close(iter.Seq[Module], *tail) error    { return nil }

// compare finds the frame after which a profiler's stack and that by SFrame data part.
func (p *profiler) compare(v *ProfileSample, s *profile.Sample, m *mapped, w *walked) {
	stop := w.seen[len(w.seen)-1].Stop
	i, spare := 0, 0 // spare counts the frames of this IP that may have none of their own
	for j := range len(w.frames) + 1 {
		for ; i < len(s.Frames); i++ {
			f := &s.Frames[i]
			if i == 0 || f.IP != s.Frames[i-1].IP {
				spare = 0
			}
			if f.Inlined {
				spare++
			}
			if i == 0 || spare == 0 || f.IP != s.Frames[i-1].IP || j < len(w.frames) && same(f, w.seen[j]) {
				break
			}
			spare--
		}
		v.Frame = max(i-1, 0)
		if j > 0 {
			v.At = &w.frames[j-1]
		}
		if j < len(w.seen) && w.seen[j].Module != nil && i < len(s.Frames) {
			if x := w.seen[j].Module; m.builds[x.Name] != "" && x.Err == nil && p.blame(v, m, x.Name, x.File) {
				v.Frame, v.At = i, &w.frames[j]
				return
			}
		}
		switch {
		case i == len(s.Frames) && j == len(w.frames):
			v.Verdict, v.At = Agrees, nil
			return
		case i == len(s.Frames):
			v.Verdict, v.SFrame = Longer, &w.frames[j]
			return
		case j == len(w.frames):
			p.ended(v, m, w.seen[j-1], stop, &w.ended)
			v.Profiler = printed(&s.Frames[i])
			return
		case !same(&s.Frames[i], w.seen[j]):
			v.Verdict, v.Profiler, v.SFrame = Differs, printed(&s.Frames[i]), &w.frames[j]
			v.Message = w.cfi(j - 1)
			return
		}
		i++
	}
}

// cfi returns how CFI disagrees with a step, where it is compared.
func (w *walked) cfi(i int) string {
	if i < 0 {
		return ""
	}
	return w.frames[i].CFI
}

// ended says why there is no caller by SFrame data where the profiler has one.
func (p *profiler) ended(v *ProfileSample, m *mapped, last *Explained, stop *unwind.Stop, end *End) {
	v.Verdict, v.Reason, v.Message = Stops, end.Reason, escape.UTF8(end.Message)
	switch {
	case errors.Is(stop, errNotCopied):
		v.Verdict, v.Reason, v.Message = Cut, "", ""
	case stop.Reason == unwind.TooManyFrames:
		v.Verdict = Cut
	case last.Module != nil:
		p.blame(v, m, last.Module.Name, last.Module.File)
	}
}

// blame says of a frame without a row that its file is not used, if it is not.
func (p *profiler) blame(v *ProfileSample, m *mapped, name string, f *corefile.File) bool {
	err := m.usable(name, f)
	if err == nil {
		return false
	}
	if len(p.wrong) < maxPlaced {
		p.wrong[name] = err
	}
	v.Verdict, v.Message = Unknown, escape.UTF8(escape.Cut(err.Error(), escape.MaxMessage))
	return true
}

// same reports whether a frame of a profiler is that of a backtrace. Profilers print
// addresses or offsets in the file, and for callers perhaps those of the byte before.
func same(f *profile.Frame, x *Explained) bool {
	at := []uint64{x.Frame.PC, x.Frame.Lookup}
	if x.Module != nil && x.Module.File != nil {
		for _, pc := range at[:2] {
			if off, ok := x.Module.Offset(pc - x.Module.Bias); ok {
				at = append(at, off)
			}
		}
	}
	return f.HasIP && slices.Contains(at, f.IP)
}

// printed returns a frame as the profiler prints it.
func printed(f *profile.Frame) string {
	s := ""
	if f.HasIP {
		s = fmt.Sprintf("0x%x", f.IP)
	}
	if f.Symbol != "" {
		s += " " + f.Symbol
	}
	if f.HasOffset {
		s += fmt.Sprintf("+0x%x", f.Offset)
	}
	if f.File != "" {
		s += " (" + f.File + ")"
	} else if f.BuildID != "" {
		s += " (" + f.BuildID + ")"
	}
	return clean(strings.TrimSpace(s))
}
