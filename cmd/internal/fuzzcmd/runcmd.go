package fuzzcmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/campaign"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/reports"
)

// runFlags are the flags of a campaign.
type runFlags struct {
	targets []string
	library []string
	decoder []string
	limits  campaign.Limits
	env     []string
	memory  int64
	opts    campaign.Options
	jobs    jobs
	shard   string
	known   string
	format  string
	noGDB   bool
}

const runLong = `Runs programs that read SFrame sections on valid, broken and mutated sections in ELF files,
and keeps the inputs on which they crash, hang, use time or memory out of proportion,
reject a valid section, print other contents than its bytes state or than another target,
do not report a section that cannot be read or, for a linker, write a faulty section.
Failures are put into buckets by where the program fails. The first input of each bucket
is minimized and kept in a directory below DIR/finds, with a report that can be sent to
the program's project.

A target is COMMAND or NAME=COMMAND. In the command, @@ stands for the input file, @out
for the output file of a linker, and {arch} for x86_64, aarch64 or s390x, the machine of
the input. The command is split as by a shell but not run by one. A linker gets object
files, other programs executables. Each run has its own process group and limits.

The campaign's state is on the disk after each batch of inputs: --resume continues a
campaign that was interrupted or killed. Inputs depend on the seed, the targets and their
index: more of what has found something is drawn. Crashes that go by the same repair of
their files are counted as one fault.
With --library, a driver that the C compiler compiles reads the sections in process, many
thousands a second. What it decodes and what it finds for PCs is compared. The readers of
Linux and glibc are compiled for user space, from source trees. Several thousand inputs are
then a batch; beside programs, they read four inputs for each of a program.
With --decoder, a program that meets the protocol of docs/conformance.md is kept running and
asked about raw sections. Its answers are compared with what the reader of this program and
a second decoder, which shares no code with it, agree about.

--shard I/N works on every Nth batch, and merge joins the directories of the shards.

With files, the targets run on them, and what they do is printed; the exit status is 1 if
one fails or disagrees with a section or another target. This reproduces a find.

With --known, finds that an earlier finds.json lists do not count: the exit status is 1
if there are others.`

const runExample = `  sframe-fuzz run --target 'objdump --sframe @@' --time 10m --out campaign
  sframe-fuzz run --target 'ld -r -o @out @@' --target 'mold -r -o @out @@' --count 10000 --out links
  sframe-fuzz run --target 'objdump --sframe @@' campaign/finds/objdump-crash-57d030ab/input.elf
  sframe-fuzz run --decoder ./my-decoder --time 10m --out decoder
  sframe-fuzz run --target 'old=/opt/old/{arch}-objdump --sframe @@' --time 8h --resume --known old.json --out night`

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "run --target COMMAND --out DIR [flags] | run --target COMMAND FILE...", Short: "Fuzz programs that read SFrame sections", Long: runLong, Example: runExample,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) > 0 && f.opts.Dir != "" {
				return errors.New("--out: does not apply to files")
			}
			if err := f.check(len(files) > 0); err != nil {
				return err
			}
			if len(files) > 0 {
				return a.try(&f, files)
			}
			return a.campaign(&f)
		},
	}
	fl := c.Flags()
	fl.StringArrayVar(&f.targets, "target", nil, "`COMMAND` to run on the inputs, or NAME=COMMAND; any number (required)")
	fl.StringArrayVar(&f.library, "library", nil, "also read the sections in process with `KIND=PATH`: libsframe and a\nlibsframe.so or a source tree, linux, linux-arm64 or glibc and a\nsource tree, or own and a library that exports sframe_fuzz_lookup\nor LLVMFuzzerTestOneInput; any number")
	fl.StringArrayVar(&f.decoder, "decoder", nil, "also ask the decoder `COMMAND`, or NAME=COMMAND, which answers the\nrequests of the conformance suite; any number")
	fl.StringVarP(&f.opts.Dir, "out", "o", "", "directory for the campaign's state and finds (required)")
	fl.DurationVar(&f.opts.Time, "time", 0, "end after this time (default: after --count inputs)")
	fl.Int64VarP(&f.opts.Count, "count", "n", 0, "make `N` inputs (default: any number; 1000 without --time)")
	fl.StringVar((*string)(&f.opts.Only), "only", "", "only inputs of this class: valid, broken or mutated")
	fl.Uint64Var(&f.opts.Seed, "seed", 1, "seed of the inputs")
	f.jobs.flag(c)
	fl.BoolVar(&f.opts.Resume, "resume", false, "continue the campaign in DIR, if there is one")
	fl.StringVar(&f.shard, "shard", "", "work on part `I/N` of the inputs, I from 0 on")
	fl.StringVar(&f.known, "known", "", "do not count the finds that `FILE` lists, an earlier finds.json")
	fl.DurationVar(&f.limits.Timeout, "timeout", 5*time.Second, "time limit of a run")
	fl.Int64Var(&f.memory, "memory", 2048, "address space of a run in `MIB`; 0: no limit, as sanitizers need it")
	fl.StringArrayVar(&f.env, "env", nil, "environment of the targets: `NAME=VALUE`, any number, and no other variables")
	fl.IntVar(&f.opts.MaxShrink, "max-shrink", 3000, "try at most `N` smaller files for a find")
	fl.BoolVar(&f.noGDB, "no-gdb", false, "do not run gdb for backtraces")
	program.Values(c, "only", string(campaign.Valid), string(campaign.Broken), string(campaign.Mutated))
	program.Format(c, &f.format, "text", "json")
	return c
}

func (f *runFlags) check(files bool) error {
	switch {
	case len(f.targets)+len(f.library)+len(f.decoder) == 0:
		return errors.New("--target: no command given")
	case f.opts.Dir == "" && !files:
		return errors.New("--out: no directory given")
	case f.limits.Timeout <= 0:
		return errors.New("--timeout: must be above 0")
	case f.opts.Time < 0 || f.opts.Count < 0 || f.memory < 0 || f.opts.MaxShrink < 1:
		return errors.New("--time, --count and --memory must be at least 0, --max-shrink at least 1")
	case !slices.Contains([]campaign.Class{"", campaign.Valid, campaign.Broken, campaign.Mutated}, f.opts.Only):
		return fmt.Errorf("--only: unknown class %q: want valid, broken or mutated", f.opts.Only)
	}
	if f.opts.Time == 0 && f.opts.Count == 0 {
		f.opts.Count = 1000
	}
	if f.shard != "" {
		i, n, ok := strings.Cut(f.shard, "/")
		var err1, err2 error
		f.opts.Shard, err1 = strconv.Atoi(i)
		f.opts.Shards, err2 = strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || f.opts.Shard < 0 || f.opts.Shard >= f.opts.Shards {
			return fmt.Errorf("--shard: %q is not I/N with I from 0 to N-1", f.shard)
		}
	}
	f.limits.Memory, f.limits.Env = f.memory<<20, f.env
	if err := f.add("--target", f.targets, campaign.NewTarget); err != nil {
		return err
	}
	if err := f.add("--library", f.library, campaign.NewLibrary); err != nil {
		return err
	}
	decoder := func(line string, limits campaign.Limits) (*campaign.Target, error) {
		return campaign.NewDecoder(line, limits, func(args []string) campaign.Asker { return newAsker(args, limits) })
	}
	if err := f.add("--decoder", f.decoder, decoder); err != nil {
		return err
	}
	return f.jobs.check()
}

// add adds the targets that are given with a flag.
func (f *runFlags) add(flag string, lines []string, parse func(string, campaign.Limits) (*campaign.Target, error)) error {
	for _, line := range lines {
		t, err := parse(line, f.limits)
		if err != nil {
			return wrong(fmt.Errorf("%s: %w", flag, err))
		}
		for _, other := range f.opts.Targets {
			if other.Name == t.Name {
				return fmt.Errorf("%s: two targets are named %s; use --target NAME=COMMAND", flag, t.Name)
			}
		}
		f.opts.Targets = append(f.opts.Targets, t)
	}
	return nil
}

// try runs the targets on given files. A failure makes the exit status 1.
func (a *app) try(f *runFlags, files []string) error {
	ctx, stop := program.UntilInterrupted()
	defer stop()
	all, err := campaign.Try(ctx, f.opts.Targets, files)
	if err != nil {
		return program.Failed(err)
	}
	for _, t := range all {
		if t.Failed() {
			a.status = program.ExitFindings
		}
		line := fmt.Sprintf("%s: %s: %s", t.File, t.Target, t.Kind)
		why := cmp.Or(t.Key, t.Message)
		if t.With != "" {
			why = t.Message
		}
		if why != "" {
			line += ": " + why
		}
		if _, err := fmt.Fprintln(a.stdout, reports.Escape(line)); err != nil {
			return program.Failed(err)
		}
	}
	return nil
}

func (a *app) campaign(f *runFlags) error {
	if f.known != "" {
		b, err := regular.Read(f.known, 0)
		if err != nil {
			return program.Failed(err)
		}
		if f.opts.Known, err = campaign.ReadKnown(b); err != nil {
			return program.Failed(fmt.Errorf("%s: %w", f.known, err))
		}
	}
	f.opts.Jobs, f.opts.Program, f.opts.Backtraces = program.Jobs(int(f.jobs)), program.Version(), !f.noGDB
	line := &program.Progress{W: a.stderr}
	f.opts.Status = a.showStatus(f, line)
	ctx, stop := program.UntilInterrupted()
	defer stop()
	s, err := campaign.Run(ctx, f.opts)
	line.Clear()
	if err != nil {
		return program.Failed(err)
	}
	return a.summarize(s, f.format)
}

// summarize writes the summary of a campaign. New finds make the exit status 1.
func (a *app) summarize(s *campaign.Summary, format string) error {
	if s.New > 0 {
		a.status = program.ExitFindings
	}
	if format == "json" {
		b, err := indented(s)
		if err == nil {
			_, err = a.stdout.Write(b)
		}
		return program.Failed(err)
	}
	return program.Failed(s.WriteText(a.stdout))
}

// every is how often a status is written where there is no terminal.
const every = 30 * time.Second

// showStatus returns what shows the progress: a line on a terminal, JSON objects elsewhere.
func (a *app) showStatus(f *runFlags, line *program.Progress) func(campaign.Status) {
	if program.IsTerminal(a.stderr) {
		return func(s campaign.Status) { line.Show(func() string { return statusLine(s, f.opts.Time) }) }
	}
	last := time.Now()
	return func(s campaign.Status) {
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		if b, err := json.Marshal(s); err == nil {
			_, _ = io.WriteString(a.stderr, string(b)+"\n") // the campaign goes on
		}
	}
}

// statusLine returns the progress in a line.
func statusLine(s campaign.Status, limit time.Duration) string {
	line := fmt.Sprintf("%d runs, %.0f/s; %d finds, %d new; breaks x targets %d/%d", s.Runs, s.PerSecond, s.Finds, s.New, s.Pairs, s.AllPairs)
	if limit > 0 {
		line += fmt.Sprintf("; %s left", max(0, limit-time.Duration(s.Seconds*float64(time.Second))).Round(time.Second))
	}
	return line
}

const mergeLong = `Joins the directories of a campaign's shards: batches are counted once, and the smallest
find of each bucket is kept.`

func (a *app) mergeCommand() *cobra.Command {
	var out, format string
	c := &cobra.Command{
		Use: "merge --out DIR DIR...", Short: "Join the shards of a campaign", Long: mergeLong,
		Example: "  sframe-fuzz merge --out all shard0 shard1",
		Args:    program.AtLeastOne("DIR"),
		RunE: func(_ *cobra.Command, dirs []string) error {
			if out == "" {
				return errors.New("--out: no directory given")
			}
			if _, err := os.Stat(out); err == nil {
				return fmt.Errorf("--out: %s exists", out)
			}
			s, err := campaign.Merge(out, dirs)
			if err != nil {
				return program.Failed(err)
			}
			return a.summarize(s, format)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "directory for the result, which must not exist (required)")
	program.Format(c, &format, "text", "json")
	return c
}
