package fuzzcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
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
	opts    campaign.Setup
	jobs    jobs
	shard   string
	known   string
	format  string
}

const runLong = `Runs programs that read SFrame sections on valid, broken and mutated sections in ELF
files, and keeps the inputs on which they fail. Failures are crashes, hangs, excessive
time or memory, a rejected valid section, wrong contents, contents that differ from
those of another target, an unreported fault and, for a linker, a faulty section in the
output. The first input of each failure is minimized. A directory below DIR/finds has
it, with a report for the program's project.

A target is COMMAND or NAME=COMMAND. In the command, @@ stands for the input file, @out
for the output file of a linker, and {arch} for x86_64, aarch64 or s390x, the machine of
the input. The command is split like a shell command, but no shell runs it. A linker
gets object files, other programs get executables. Each run has its own process group, 5
seconds, and the limits of --memory and of 64 MiB for each file.

--library reads raw sections in process, many thousands per second, and compares the
rows found for PCs. --decoder keeps a program running that answers the requests of
docs/conformance.md, and compares its answers.

The summary lists the versions and ABIs whose valid sections were compared, and why the
others were not. The exit status is 3 if a target reads no plain section.

The state is saved after each batch of inputs. The same command with the same --out
continues a campaign that has ended or was killed. Inputs depend only on the seed and
their index. --shard I/N works on every Nth batch, and merge joins the directories.

With files, the targets run only on them, and the results are printed. The exit status
is 1 if a target fails, or disagrees with a section or another target. This reproduces a
find.

With --known, finds that an earlier finds.json lists do not count. The exit status is 1
if there are others.`

const runExample = `  sframe-fuzz run --target 'objdump --sframe @@' --time 10m --out campaign
  sframe-fuzz run --target 'ld -r -o @out @@' --target 'mold -r -o @out @@' --count 10000 --out links
  sframe-fuzz run --target 'objdump --sframe @@' campaign/finds/objdump-crash-57d030ab/input.elf
  sframe-fuzz run --decoder ./my-decoder --library own=./my-reader.so --time 10m --out reader
  sframe-fuzz run --target 'old=/opt/old/{arch}-objdump --sframe @@' --time 8h --known old.json --out night`

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "run {--target|--library|--decoder} COMMAND [flags] [FILE...]", Short: "Fuzz programs that read SFrame sections", Long: runLong, Example: runExample,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) > 0 && f.opts.Dir != "" {
				return errors.New("--out: does not apply to files")
			}
			if err := f.check(); err != nil {
				return err
			}
			if len(files) > 0 {
				return a.try(&f, files)
			}
			return a.campaign(&f)
		},
	}
	f.flags(c)
	fl := c.Flags()
	fl.DurationVar(&f.opts.Time, "time", 0, "end after this time, minimizing included (default: after --count inputs)")
	fl.Int64VarP(&f.opts.Count, "count", "n", 0, "make `N` inputs (default: 1000, with --time no limit)")
	fl.StringVar(&f.shard, "shard", "", "make only part `I/N` of the inputs; I starts at 0")
	fl.StringVar(&f.known, "known", "", "do not count the finds in `FILE`, the finds.json of an earlier run")
	program.Format(c, &f.format, "text", "json")
	return c
}

// flags adds the flags that run and check have in common.
func (f *runFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.targets, "target", nil, "run `COMMAND`, or NAME=COMMAND, on the inputs; may be repeated")
	fl.StringArrayVar(&f.library, "library", nil, "also read the sections in this process with `KIND=PATH`: libsframe=\nits libsframe.so or source tree; linux=, linux-arm64= or glibc= its\nsource tree; own= a library that exports sframe_fuzz_lookup or\nLLVMFuzzerTestOneInput; may be repeated")
	fl.StringArrayVar(&f.decoder, "decoder", nil, "also ask the decoder `COMMAND`, or NAME=COMMAND, with the requests of\nthe conformance suite; may be repeated")
	fl.StringVarP(&f.opts.Dir, "out", "o", "", "keep the state and the finds in `DIR` (default: a new one, removed if there are no finds)")
	fl.Uint64Var(&f.opts.Seed, "seed", 1, "seed of the inputs")
	f.jobs.flag(c)
	fl.Int64Var(&f.memory, "memory", 2048, "limit the address space of a --target to `MIB`; 0: no limit, which sanitizers need")
	fl.StringArrayVar(&f.env, "env", nil, "set `NAME=VALUE` in the targets' environment, and no other variables; may be repeated")
}

// timeout bounds a run of a target, and the time for an answer of a decoder.
const timeout = 5 * time.Second

func (f *runFlags) check() error {
	switch {
	case len(f.targets)+len(f.library)+len(f.decoder) == 0:
		return errors.New("no command given: --target, --library or --decoder")
	case f.opts.Time < 0 || f.opts.Count < 0 || f.memory < 0:
		return errors.New("--time, --count and --memory must be at least 0")
	}
	if f.opts.Time == 0 && f.opts.Count == 0 {
		f.opts.Count = 1000
	}
	if f.shard != "" {
		part, err := shard.ParsePart(f.shard)
		if err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
		f.opts.Shard, f.opts.Shards = part.Index, part.Of
	}
	f.limits = campaign.Limits{Timeout: timeout, Memory: f.memory << 20, Env: f.env}
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
	f.opts.Jobs, f.opts.Program = program.Jobs(int(f.jobs)), program.Version()
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
			if other.Name == t.Name && other.Flag() != t.Flag() { // the same program in another way
				t.Name += "-" + t.Flag()
			}
		}
		for _, other := range f.opts.Targets {
			if other.Name == t.Name {
				return fmt.Errorf("%s: two targets are named %s; use NAME=COMMAND", flag, t.Name)
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
	ctx, stop := program.UntilInterrupted()
	defer stop()
	s, err := a.runCampaign(ctx, f.opts, f.format)
	if err != nil {
		return program.Failed(err)
	}
	return a.summarize(s, f.format)
}

// runCampaign runs a campaign. Without a directory, it makes one, which it removes if there are no finds.
func (a *app) runCampaign(ctx context.Context, opts campaign.Setup, format string) (s *campaign.Summary, err error) {
	own := opts.Dir == ""
	if own {
		if opts.Dir, err = os.MkdirTemp("", "sframe-fuzz-campaign-"); err != nil {
			return nil, err
		}
	}
	line := &program.Progress{W: a.stderr}
	text := func(s campaign.Status) string { return statusLine(s, opts.Time) }
	opts.Status = program.Status(line, text, func(s campaign.Status) {
		if b, err := json.Marshal(s); err == nil && format == "json" {
			fmt.Fprintln(a.stderr, string(b))
		} else {
			fmt.Fprintln(a.stderr, text(s))
		}
	})
	s, err = campaign.Run(ctx, opts)
	line.Clear()
	switch {
	case own && (err != nil || len(s.Finds) == 0):
		err = errors.Join(err, os.RemoveAll(opts.Dir))
	case own:
		fmt.Fprintln(a.stderr, "the finds are in", filepath.Join(opts.Dir, "finds"))
	}
	return s, err
}

// errNothing is the error of a run that has compared nothing.
var errNothing = errors.New("nothing was compared: a target reads no plain section")

// summarize writes the summary of a campaign. New finds make the exit status 1, a target of which nothing was compared makes
// it 3.
func (a *app) summarize(s *campaign.Summary, format string) error {
	var err error
	if format == "json" {
		var b []byte
		if b, err = campaign.Indent(s); err == nil {
			_, err = a.stdout.Write(b)
		}
	} else {
		err = s.WriteText(a.stdout)
	}
	switch {
	case s.New > 0:
		a.status = program.ExitFindings
	case err == nil && !s.Compared():
		err = errNothing
	}
	return program.Failed(err)
}

// statusLine returns the progress in a line.
func statusLine(s campaign.Status, limit time.Duration) string {
	line := fmt.Sprintf("%d inputs, %d runs, %.0f/s; %d finds, %d new", s.Inputs, s.Runs, s.PerSecond, s.Finds, s.New)
	if limit > 0 {
		line += fmt.Sprintf("; %s left", max(0, limit-time.Duration(s.Seconds*float64(time.Second))).Round(time.Second))
	}
	return line
}

const mergeLong = `Joins the directories of a campaign's shards. Each batch counts once, and the smallest
find of each bucket is kept.`

func (a *app) mergeCommand() *cobra.Command {
	var out, format string
	c := &cobra.Command{
		Use: "merge --out DIR DIR...", Short: "Join the shards of a campaign", Long: mergeLong,
		Example: "  sframe-fuzz merge --out all shard0 shard1",
		Args:    program.Arguments("DIR..."),
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
	c.Flags().StringVarP(&out, "out", "o", "", "write the result to `DIR`, which must not exist (required)")
	program.Format(c, &format, "text", "json")
	return c
}

// asker asks a decoder that meets the protocol of the conformance suite, for a campaign.
type asker struct{ conformance.Process }

func newAsker(args []string, limits campaign.Limits) *asker {
	return &asker{conformance.Process{Command: args, Env: limits.Env}}
}

// Ask implements [campaign.Asker].
func (d *asker) Ask(data []byte, addr uint64, limit time.Duration) campaign.Reply {
	d.Timeout = limit
	r, a := conformance.Examine(&d.Process, data, addr)
	switch r.Outcome {
	case conformance.Crash:
		if a.Silent {
			return campaign.Reply{Kind: campaign.Hang, Key: "timeout", Message: r.Detail}
		}
		return campaign.Reply{Kind: campaign.Crash, Key: r.Detail, Message: cmp.Or(a.Stderr, r.Detail)}
	case conformance.Refused:
		return campaign.Reply{Kind: campaign.RejectsValid, Key: r.Detail, Message: r.Detail}
	case conformance.Wrong:
		member, _, _ := strings.Cut(indexes.ReplaceAllString(r.Detail, ""), " ")
		return campaign.Reply{Kind: campaign.Misreads, Key: strings.TrimPrefix(member, "."), Message: r.Detail}
	case conformance.Taken:
		key := "no rule"
		if len(r.Case.Rules) > 0 {
			key = r.Case.Rules[0]
		}
		return campaign.Reply{Kind: campaign.Silent, Key: key, Message: r.Detail}
	}
	if a.Error != "" || a.Unsupported {
		return campaign.Reply{Kind: campaign.Rejects, Message: a.Error}
	}
	return campaign.Reply{Kind: campaign.Accepts}
}

// indexes matches those of lists in the path of a member of an answer.
var indexes = regexp.MustCompile(`\[\d+\]`)
