package lintcmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/cmd/internal/trace"
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/process"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// traceFlags are the flags of the command.
type traceFlags struct {
	core, exe, sysroot string
	format             string
	perf               string
	compare            string
	fallback           []string
	pid                int
	frames             int
	explain, thread    int
	run                runFlags
}

var traceCommand = command{
	name: "trace", args: "{--core CORE | --pid PID | --perf TEXT | --run -- PROG [ARG...]}", files: true,
	formats: []string{"text", "json", "html"}, single: true,
	short: "Write the backtraces of a core dump or process, or check SFrame data by execution",
	long: `Writes the backtraces of all threads of a Linux core dump or process, using only SFrame data.
The core names the program's files. Their SFrame sections give the frames, and
their symbols the names. Debug information, .eh_frame and frame pointers are not
used for it, except with --fallback, which marks each frame that needs them and ends
with a table of the frames by file. --compare eh_frame applies the CFI of each frame as
well, marks the first frame of a thread for which it gives another caller, and counts
the frames that were compared. --explain N shows why frame
N has its row, which words of the stack the row reads, and the function's instructions with
the row in force, the CFI's and what the code itself says, as dump --code --cfi prints them.

With --pid, it traces a running process: it stops all threads for as long as it reads
their stacks, and says for how long. The process gets no signal, and goes on also if
the command is killed.

With --perf, it compares the stacks that perf script or bpftrace has printed with SFrame data.
Of each sample with registers and stack ("perf script -D"), it follows the stack by SFrame data,
and says at which frame they part. Without them, it looks up the row of each frame.

With --run, the command executes a program instead, one instruction at a time, and
follows its calls and returns. At each step in a file with SFrame data, it recovers
the caller from only these data, and compares it with the true one. Each mistake is
reported with the verdict of the CFI on the same PC. The program's standard output
is written to standard error, unless the report goes to a file. --record adds what always
held at each instruction to a truth file; the main command compares the SFrame data of
files with the same code with it (--truth).`,
	status: [3]string{"all backtraces reach the outermost frame; with --run, no row is wrong; with\n--perf, SFrame data lead as far as each stack",
		"a backtrace stops before it, or CFI disagrees; with --run, a row is wrong; with\n--perf, SFrame data end before a stack or lead to another caller",
		"the core could not be read or is traced in part; the text has no stack or none that\ncan be compared; the program could not be executed, the run was interrupted, or no step was checked"},
	example: `  sframe-lint trace --core core.1234
  sframe-lint trace --core core.1234 --explain 2
  sframe-lint trace --core core.1234 --exe build/server --sysroot /srv/arm64
  sframe-lint trace --pid 1234 --fallback eh_frame
  sframe-lint trace --run --for 30s -- ./program --self-test
  sframe-lint trace --run --record truth.json -- ./program
  perf script -D | sframe-lint trace --perf -
  sframe-lint trace --run --format html=run.html -- ./program`,
	start: startTrace,
}

func startTrace(a *app, c *cobra.Command) func([]string) error {
	var f traceFlags
	fl := c.Flags()
	fl.StringVar(&f.core, "core", "", "the core dump, `FILE`; - reads standard input once")
	fl.IntVar(&f.pid, "pid", 0, "trace all threads of the process with this `ID` (Linux on AMD64 and AArch64)")
	fl.StringVar(&f.perf, "perf", "", "compare with the stacks that perf script or bpftrace has printed, `TEXT`; -\nreads standard input")
	fl.StringVar(&f.exe, "exe", "", "`FILE` of the executable, if it is not where the core says")
	fl.StringVar(&f.sysroot, "sysroot", "", "`DIR` below which the program's other files are")
	program.Choice(c, fl, &f.compare, "compare", "source", "compare with another `SOURCE`: eh_frame, or .debug_frame where there is none", "eh_frame")
	program.Names(c, &f.fallback, "fallback", "where there are no SFrame data, find callers by other `WAYS`, in this\norder: eh_frame, or .debug_frame where there is none, and fp, the frame\npointer")
	program.Values(c, "fallback", "eh_frame", "fp", "eh_frame,fp")
	fl.IntVar(&f.frames, "max-frames", 1000, "`N` frames of a thread at most; 0: no limit")
	fl.IntVar(&f.explain, "explain", 0, "also explain frame `N`: its row, what it reads, and the code around")
	fl.IntVar(&f.thread, "thread", 0, "the thread with this `ID` has the frame that is explained (default: the first one)")
	f.run.add(c)
	return func(args []string) error {
		f.format, _, _ = strings.Cut(a.formats[0], "=")
		switch {
		case f.format == "html" && !f.run.run:
			return errors.New("--format html needs --run")
		case f.run.run:
			return a.traceRun(&f.run, args)
		case len(args) > 0:
			return fmt.Errorf("unexpected argument %q: a program needs --run", args[0])
		}
		if err := f.check(fl); err != nil {
			return err
		}
		return a.trace(&f, fl.Changed("explain"))
	}
}

// check checks the flags of backtraces.
func (f *traceFlags) check(fl *pflag.FlagSet) error {
	switch {
	case f.pid < 0 || fl.Changed("pid") && f.pid == 0:
		return fmt.Errorf("--pid: %d is no process", f.pid)
	case f.pid > 0 && f.core != "":
		return errors.New("--core and --pid: only one of them")
	case f.perf != "" && (f.core != "" || f.pid > 0):
		return errors.New("--perf: only without --core and --pid")
	case f.perf != "" && fl.Changed("explain"):
		return errors.New("--explain: a frame of a core or process")
	case f.core == "" && f.pid == 0 && f.perf == "":
		return errors.New("--core: no file named")
	case fl.Changed("explain") && (f.explain < 0 || f.format != "text"):
		return errors.New("--explain: the number of a frame of a backtrace in text")
	case f.frames < 0:
		return fmt.Errorf("--max-frames: %d is negative", f.frames)
	}
	_, err := f.ways()
	return err
}

func (a *app) trace(f *traceFlags, explain bool) error {
	b, end := a.account()
	defer end()
	ways, _ := f.ways()
	most := f.frames
	if most == 0 {
		most = math.MaxInt
	}
	read := reader.Options{NoSurvey: true, Budget: b, MaxSection: a.limits[budget.Section]}
	files := corefile.Options{Exe: f.exe, Sysroot: f.sysroot, CFI: f.compare != "" || slices.Contains(f.fallback, string(trace.ByCFI)), Read: read}
	opts := trace.Options{Name: f.core, JSON: f.format == "json", MaxFrames: most, Compare: f.compare != "", Fallback: ways, Budget: b}
	if f.pid > 0 {
		return a.traceProcess(f, explain, files, opts)
	}
	if f.perf != "" {
		return a.traceProfile(f, files, opts)
	}
	if f.core == "-" {
		core, err := corefile.OpenStream(a.stdin, read)
		if err != nil {
			return a.untraced(f, err)
		}
		return a.traceCore(f, explain, core, corefile.NewModules(core, files), opts)
	}
	in, fi, err := regular.Open(f.core)
	if err != nil {
		return a.untraced(f, err)
	}
	defer in.Close()
	core, err := corefile.Open(in, fi.Size(), read)
	if err != nil {
		return a.untraced(f, err)
	}
	return a.traceCore(f, explain, core, corefile.NewModules(core, files), opts)
}

// traceProfile compares the stacks of a profiler with SFrame data.
func (a *app) traceProfile(f *traceFlags, files corefile.Options, opts trace.Options) error {
	f.core, opts.Name = f.perf, f.perf
	in := io.Reader(a.stdin)
	if f.perf != "-" {
		file, _, err := regular.Open(f.perf)
		if err != nil {
			return a.untraced(f, err)
		}
		defer file.Close()
		in = file
	}
	var r trace.ProfileResult
	err := a.write(func(w io.Writer, _ string) (err error) {
		r, err = trace.WriteProfile(w, in, files, opts)
		return err
	})
	switch {
	case err != nil:
		return a.untraced(f, err)
	case r.Err != nil:
		return a.untraced(f, r.Err)
	case r.Samples == 0:
		return a.untraced(f, errors.New("it has no stack of perf script or bpftrace"))
	case r.Compared == 0:
		return a.untraced(f, errors.New("no stack could be compared"))
	case r.Faulty > 0:
		a.status = program.ExitFindings
	}
	return nil
}

// traceProcess traces a process. While it is stopped, its stacks are walked without output; what
// the walk has read is then traced once more.
func (a *app) traceProcess(f *traceFlags, explain bool, files corefile.Options, opts trace.Options) error {
	f.core = fmt.Sprintf("process %d", f.pid)
	p, err := process.Read(f.pid, files, func(core *corefile.Core, mods *corefile.Modules) error {
		_, err := trace.Write(io.Discard, core, mods, opts)
		return err
	})
	if err != nil {
		return a.untraced(f, err)
	}
	opts.Name, opts.Process = f.core, &trace.Process{ID: f.pid, Stopped: p.Stopped.Microseconds()}
	for _, m := range p.Missed {
		opts.Process.Missed = append(opts.Process.Missed, trace.Missed{ID: m.ID, Message: m.Why})
		a.status = program.ExitFindings
	}
	return a.traceCore(f, explain, p.Core, p.Mods, opts)
}

// traceCore writes the backtraces of a core.
func (a *app) traceCore(f *traceFlags, explain bool, core *corefile.Core, mods *corefile.Modules, opts trace.Options) error {
	if slices.Contains(opts.Fallback, trace.ByFP) && !trace.ChainsFP(core.ABI) {
		return a.untraced(f, fmt.Errorf("--fallback fp: functions of %s keep no chain of frame pointers", core.ABI.Name))
	}
	var r trace.Result
	var explained *trace.Explained
	if explain {
		opts.Visit = func(thread, id int, _ *trace.Frame, x *trace.Explained) {
			if x.Frame.Index == f.explain && explained == nil && (thread == 0 && f.thread == 0 || id == f.thread) {
				explained = x
			}
		}
	}
	err := a.write(func(w io.Writer, _ string) (err error) {
		r, err = trace.Write(w, core, mods, opts)
		if err == nil && explain && r.Err == nil {
			err = a.explainFrame(w, f, core.ABI, explained)
		}
		return err
	})
	if err != nil {
		return err
	}
	if r.Incomplete > 0 {
		a.status = program.ExitFindings
	}
	if r.Err != nil {
		return a.untraced(f, r.Err)
	}
	if core.Truncated {
		return a.untraced(f, errors.New("the core is truncated: it has not all notes, and perhaps more threads"))
	}
	if r.Cut {
		return a.untraced(f, errors.New("the threads have more frames than the limit for all of them"))
	}
	if err := over(opts.Budget); err != nil { // something that a module has was not read
		return a.untraced(f, err)
	}
	return nil
}

// ways returns the ways that --fallback names.
func (f *traceFlags) ways() (all []trace.Way, err error) {
	for _, name := range f.fallback {
		way := trace.Way(name)
		if way != trace.ByCFI && way != trace.ByFP {
			return nil, fmt.Errorf("--fallback: unknown way %q: want eh_frame or fp", name)
		}
		all = append(all, way)
	}
	return all, nil
}

// untraced says why a core was not traced, or not as a whole.
func (a *app) untraced(f *traceFlags, err error) error {
	in := lint.File{Path: f.core, Err: err}
	a.fail("%s: %s", reports.Escape(f.core), reports.Escape(in.Reason()))
	return nil
}
