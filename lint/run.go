package lint

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Linter checks files. It is safe for concurrent use unless its options have a baseline.
type Linter struct {
	opts   Options
	driver *rules.Driver
	judge  func() *rules.Driver // of fixes: says which of them do harm
	off    map[string]bool      // rules that the options turn off by name
}

// errNoRule is the error of options that leave nothing to run: every input would
// look clean.
var errNoRule = errors.New("no rule is active: select, ignore and severity turn all of them off")

// New returns a linter with these options. It returns an [*OptionError] for a wrong option.
func New(o Options) (*Linter, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	driver, err := o.driver()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(driver.Rules, func(r *rules.Rule) bool { return driver.SeverityOf(r) != rules.Off }) {
		return nil, &OptionError{"rules", errNoRule}
	}
	return &Linter{o, driver, sync.OnceValue(o.judge), o.off()}, nil
}

// Rules returns the rules that the linter runs.
func (l *Linter) Rules() []*rules.Rule { return slices.Clone(l.driver.Rules) }

// Run is a run over paths. [Linter.Run] makes it.
type Run struct {
	ctx        context.Context
	paths      []string
	opts       *Options
	reader     reader.Options
	driver     *rules.Driver
	judge      func() *rules.Driver
	off        map[string]bool
	runners    sync.Pool // of the driver
	exceptions exceptions
	known      known
	sources    *sources
	pool       *budget.Pool    // of the files that are not the next to be reported
	results    iter.Seq[*File] // of earlier runs, instead of paths
	started    bool            // Files was iterated over
	done       bool            // to the end
	sum        Summary
	seen       atomic.Bool    // a section with the name in the options
	first      *Input         // relocatable, with SFrame data
	named      int            // arguments that can have no SFrame data, which count as failed
	within     map[string]int // inputs that can have SFrame data, by the directory among the arguments
	err        error
}

// Run prepares a run over paths (see [Paths]); iterating over [Run.Files] checks them. When the context is done, the
// search for files stops, and so does the check of a file.
func (l *Linter) Run(ctx context.Context, paths ...string) *Run {
	d := *l.driver
	r := &Run{
		ctx: ctx, paths: paths, opts: &l.opts, reader: l.opts.reader(), driver: &d, judge: l.judge, off: l.off,
		exceptions: newExceptions(&l.opts), known: newKnown(&l.opts, &d), within: map[string]int{},
		sources: newSources(&l.opts.Sources), pool: budget.NewPool(poolMemory),
	}
	r.sources.given = paths
	r.runners.New = func() any { return d.Runner() }
	return r
}

// CheckFile checks a file with the rules that are on by default. Errors: those of [File.Err].
func CheckFile(ctx context.Context, path string) (*File, error) {
	l, err := New(Options{})
	if err != nil {
		return nil, err
	}
	r := l.Run(ctx, path)
	for f := range r.Files() {
		return f, f.Err
	}
	return nil, r.Err()
}

// Check runs the rules over one object, without baseline and fixes. Call it only while a scan visits the object.
func (l *Linter) Check(o *reader.Object) *Object {
	opts := l.opts
	opts.Baseline, opts.Record = nil, false
	r := &Run{opts: &opts, driver: l.driver, exceptions: newExceptions(&opts), known: newKnown(&opts, l.driver)}
	out := r.objectOf(o, l.driver.Run(o))
	r.disposeObject(&out)
	return &out
}

// objectOf returns what the rules have found in an object, before the run disposes of it.
func (r *Run) objectOf(o *reader.Object, res *rules.Result) Object {
	if r.opts.quirks {
		r.opts.noteQuirks(o, res.Findings)
	}
	if o.HasSection(r.opts.Section) {
		r.seen.Store(true)
	}
	out := Object{Input: InputOf(o), Findings: res.Findings, Failures: res.Failures, Cut: res.Cut, HeldBack: res.HeldBack, Judged: res.Judged, Gaps: gapsOf(o), off: r.off, mixed: r.versionFinding(o)}
	out.Tally[ByRule], out.Tally[ByDoubt] = res.Withheld[rules.Elsewhere], res.Withheld[rules.Excused]
	return out
}

// versionFinding returns the finding for an object if another input has another version, nil if that is no fault.
func (r *Run) versionFinding(o *reader.Object) *rules.Finding {
	if !r.opts.RequireSFrame || o.ELF == nil || !o.ELF.Relocatable() {
		return nil
	}
	at := slices.IndexFunc(o.SFrames, func(sf *reader.SFrame) bool { return sf.Section != nil })
	rule := slices.IndexFunc(r.driver.Rules, func(x *rules.Rule) bool { return x.ID == RequireRule })
	if at < 0 || rule < 0 {
		return nil
	}
	f := &rules.Finding{Rule: r.driver.Rules[rule], InSection: true, Help: "assemble all inputs with one version of the assembler",
		Path: o.Path, Member: o.Member, Section: o.SFrames[at].Name, SectionIndex: o.SFrames[at].Index, Span: model.HdrVersion.Span(), Base: o.Base, FDE: -1, FRE: -1}
	f.FileOffset, f.Severity = o.Base+o.SFrames[at].Offset+f.Span.Off, r.driver.SeverityOf(f.Rule)
	return f
}

// mixes adds a finding to an input whose version is not that of the first one.
func (r *Run) mixes(o *Object) {
	switch in := &o.Input; {
	case o.mixed == nil:
	case r.first == nil:
		r.first = in
	case r.first.Version != in.Version:
		name := r.first.Path
		if r.first.Member != "" {
			name += "(" + r.first.Member + ")"
		}
		o.mixed.Message = fmt.Sprintf("this input has version %d of the format, but %s has version %d: a linker merges inputs of one version and drops the data of the others",
			uint8(in.Version), escape.Name(name), uint8(r.first.Version))
		o.Findings = append(o.Findings, *o.mixed)
	}
}

// mostJobs is the number of files that are checked at once at most.
const mostJobs = 1024

// ahead is the number of files that may be done or under way ahead of the one that comes
// next, for each worker. It bounds the findings in memory.
const ahead = 8

// poolMemory is what the results and sections of all files but the one that is reported
// next may need, in bytes. The larger ones wait until it is their turn.
const poolMemory = 8 << 20

// task is a path to check.
type task struct {
	Path
	share *budget.Share
	done  chan *File // of the path, or of each file in a package; nil at the end
}

// end passes on the last result, unless it is nil, and that there are no more.
func (t *task) end(f *File) {
	if f != nil {
		t.done <- f
	}
	t.done <- nil
}

// Files checks the files and yields the results in the order of the input. It skips files in directories that are not
// supported inputs. It stops when the context is done: see [Run.Err]. A second iteration yields nothing.
func (r *Run) Files() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		if r.started {
			return
		}
		r.started = true
		if r.results != nil {
			r.replay(yield)
			return
		}
		ctx, cancel := context.WithCancel(r.ctx)
		defer cancel()
		jobs := r.opts.Jobs
		if jobs <= 0 {
			jobs = runtime.GOMAXPROCS(0)
		}
		jobs = min(jobs, mostJobs)
		work, ordered := make(chan *task, ahead*jobs), make(chan *task, ahead*jobs)
		var wg sync.WaitGroup
		worker := func() {
			for t := range work {
				r.check(ctx, t)
			}
			wg.Done()
		}
		go r.feed(ctx, work, ordered, func() {
			if jobs > 0 { // a worker is started when there is work for it
				jobs--
				wg.Add(1)
				go worker()
			}
		})
		wait, stop := r.waiter()
		defer stop()
		more := true
		for t := range ordered {
			t.share.First()
			for f := wait(t); f != nil; f = wait(t) {
				// A file that was changed is reported also after the end of the run.
				if !more || ctx.Err() != nil && len(f.Fixed) == 0 {
					continue
				}
				r.finish(f)
				r.within[t.Root] += f.inputs()
				if more = yield(f); !more {
					cancel()
				}
			}
			if t.skipped != "" && more && ctx.Err() == nil {
				r.skip(&t.Path)
			}
		}
		wg.Wait()
		r.err = context.Cause(r.ctx)
		r.done = ctx.Err() == nil
	}
}

// skip counts and passes on an entry of a directory that was not searched.
func (r *Run) skip(p *Path) {
	switch {
	case p.excluded:
		r.sum.Excluded++
		return
	case p.link && !p.isElsewhere():
		return
	}
	r.sum.Skipped++
	if r.opts.Skipped != nil {
		r.opts.Skipped(p.Name, p.skipped)
	}
}

// feed hands the tasks to the workers and, in order, to the iteration. It calls more before each.
func (r *Run) feed(ctx context.Context, work, ordered chan<- *task, more func()) {
	defer close(work)
	defer close(ordered)
	paths := entries(r.paths, r.opts.Exclude.matcher())
	if r.opts.Fix == ApplyFixes {
		// The walk must not meet the copies that are made of files to change them.
		var all []Path
		for p := range paths {
			if all = append(all, p); ctx.Err() != nil {
				return
			}
		}
		paths = slices.Values(all)
	}
	for p := range paths {
		t := &task{p, r.pool.Join(), make(chan *File, 2)} // room for the only result and the end
		select {
		case ordered <- t:
		case <-ctx.Done():
			return
		}
		more()
		work <- t
	}
}

// waiter returns a function that waits for a task and reports progress
// meanwhile, and one that ends it.
func (r *Run) waiter() (wait func(*task) *File, stop func()) {
	if r.opts.Progress == nil {
		return func(t *task) *File { return <-t.done }, func() {}
	}
	ticker, done := time.NewTicker(time.Second), 0
	return func(t *task) *File {
		for {
			select {
			case f := <-t.done:
				if f == nil {
					done++
				}
				return f
			case <-ticker.C:
				r.opts.Progress(done, t.Name)
			}
		}
	}, ticker.Stop
}

// finish completes what has come of a path, in the order of the input.
func (r *Run) finish(f *File) {
	r.known.note(f)
	for i := range f.Objects {
		r.mixes(&f.Objects[i])
	}
	r.splitFindings(f)
	for i := range f.Objects {
		o := &f.Objects[i]
		for id := range o.Cut {
			r.sum.GravestCut = max(r.sum.GravestCut, active(r.driver)[id])
		}
		if !r.opts.AllowEmpty && f.Named && o.Input.Member == "" && !o.Input.CanHaveSFrame() {
			r.sum.Failed++
			r.named++
		}
	}
	r.sum.Add(f)
}

// inputs counts the objects that can have SFrame data.
func (f *File) inputs() (n int) {
	for i := range f.Objects {
		if f.Objects[i].Input.CanHaveSFrame() {
			n++
		}
	}
	return n
}

// Err returns the context's cause if the end of the context stopped the iteration over the files, otherwise nil.
func (r *Run) Err() error { return r.err }

// Summary returns the counts of the results so far.
func (r *Run) Summary() Summary {
	s := r.sum
	s.Configuration = r.opts.Configuration
	s.NoData = r.done && s.Checked > 0 && s.Without == s.Checked && s.Failed == r.named
	if r.done && !r.opts.AllowEmpty && r.results == nil && s.Checked > 0 {
		for _, arg := range r.paths {
			if info, err := os.Stat(arg); err == nil && info.IsDir() && r.within[arg] == 0 {
				s.Barren = append(s.Barren, arg)
			}
		}
		s.Failed += len(s.Barren)
	}
	if s.NoSection = r.done && r.opts.Section != "" && r.results == nil && s.Checked > 0 && !r.seen.Load(); s.NoSection {
		s.Failed++
	}
	s.Empty = r.done && s.Checked == 0 && s.Failed == r.named && !r.opts.AllowEmpty
	return s
}

// Stale returns the baseline entries that the run checked and did not find again.
func (r *Run) Stale() []Stale { return r.known.staleEntries() }

// Recorded returns all findings of the run, for [Options.Record]. If the rules did not check all data, it keeps
// entries of the old baseline. It returns [ErrIncomplete] if the run missed something.
func (r *Run) Recorded() (*Recorder, error) {
	if r.err != nil || r.sum.Failed > 0 || r.sum.Damaged > 0 || r.known.cut {
		return nil, ErrIncomplete
	}
	return r.known.newBaseline(), nil
}

// UnusedExceptions returns the exceptions that covered no finding.
func (r *Run) UnusedExceptions() []*Exception { return r.exceptions.unusedExceptions() }

// InternalError is a panic outside the rules, which is a bug in the linter.
type InternalError struct {
	Value any
	Stack string
}

func (e *InternalError) Error() string { return fmt.Sprint("internal error: ", e.Value) }
