package fuzzcmd

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/model"
)

// conformanceFlags are the flags of conformance.
type conformanceFlags struct {
	decoder, linker, as, pattern, format string
	write                                string
	timeout                              time.Duration
	list, shrink                         bool
	generate, maxSkipped                 int
	seed                                 uint64
}

const conformanceLong = `Asks a decoder of SFrame sections about the cases of the conformance suite: valid
sections with their contents, PCs to look up, and sections that a decoder must reject.
It reports the failed cases, and the clauses of the manual that the decoder violates.

A decoder reads one request per line from standard input, and writes one answer per
line. Both are JSON, which docs/conformance.md describes. With --as, it is a tool that
prints the section of an ELF file. In its command, @@ stands for the file, and {arch}
for x86_64, aarch64 or s390x.

With --generate, the cases are random. The reader of this program and an independent
decoder must agree on the expected answers.

With --linker, it links small objects and compares the output with what their FDEs
state. A fault of the output has a name, such as dropped, concatenated or stray. The
linker takes the options of GNU ld. In its command, {arch} is as above, and {endian} is
EL or EB.

A decoder also fails if it reports a failure on standard error, or if its exit status is
not 0.

--write keeps the section and the request of each case in a directory, to try one by
hand. --list --format json writes the cases like the files of a release.

Exit status 1 means that the decoder or the linker fails a case. Exit status 3 means
that no answer was compared, or that more than --max-skipped percent of the cases were
skipped. Versions, ABIs and look-ups that the decoder does not support at all do not
count.`

const conformanceExample = `  sframe-fuzz conformance --decoder ./my-decoder
  sframe-fuzz conformance --decoder ./my-decoder --case 'lookup/v3-*' --format junit
  sframe-fuzz conformance --decoder 'objdump --sframe @@' --as objdump
  sframe-fuzz conformance --decoder ./my-decoder --generate 100000 --shrink
  sframe-fuzz conformance --case lookup/v3-amd64/plain/fde0-last --write case
  sframe-fuzz conformance --linker ld.lld
  sframe-fuzz conformance --linker '{arch}-linux-gnu-ld -{endian}' --case 'link/v3-*/comdat'
  sframe-fuzz conformance --list`

func (a *app) conformanceCommand() *cobra.Command {
	var f conformanceFlags
	c := &cobra.Command{
		Use: "conformance {--decoder|--linker} CMD [flags]", Short: "Test a decoder of sections against the manual, or a linker", Long: conformanceLong,
		Example: conformanceExample, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.conformance(&f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.decoder, "decoder", "", "ask the decoder `COMMAND`")
	fl.StringVar(&f.linker, "linker", "", "test the linker `COMMAND`, which gets the arguments of GNU ld")
	fl.StringVar(&f.as, "as", "json", "ask the decoder as one for json, objdump (also readelf) or llvm-readobj")
	fl.StringVar(&f.pattern, "case", "", "run only the cases whose names match `GLOB`, and those below them")
	fl.StringVar(&f.format, "format", "text", "write the report as text, json or junit")
	fl.DurationVar(&f.timeout, "timeout", answerTime, "time limit of an answer, or of a run of the linker")
	fl.IntVar(&f.generate, "generate", 0, "use `N` random cases instead: valid sections, look-ups, known faults and damage")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first random case; each further case adds one")
	fl.BoolVar(&f.shrink, "shrink", false, "minimize the random cases that fail")
	fl.IntVar(&f.maxSkipped, "max-skipped", 10, "exit with status 3 if more than `N` percent of the cases are skipped")
	fl.StringVar(&f.write, "write", "", "write the sections and requests of the cases to `DIR`, and run none")
	fl.BoolVar(&f.list, "list", false, "list the cases: verdict, name and clauses")
	program.Values(c, "as", "json", "objdump", "llvm-readobj")
	program.Values(c, "format", "text", "json", "junit")
	return c
}

func (a *app) conformance(f *conformanceFlags) error {
	write, err := f.writer()
	if err != nil {
		return err
	}
	var args []string // of the program that is tested
	switch {
	case f.linker != "" && f.decoder != "":
		return errors.New("--linker and --decoder exclude each other")
	case f.list || f.write != "":
	case f.linker != "":
		args, err = f.command("linker", f.linker)
	default:
		args, err = f.command("decoder", f.decoder)
	}
	if err != nil {
		return err
	}
	decode, link, err := f.cases()
	if err != nil {
		return err
	}
	switch {
	case f.list:
		return program.Failed(a.listCases(f.format, decode, link))
	case f.write != "":
		return program.Failed(writeCases(f.write, decode))
	}
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err != nil {
		return program.Failed(err)
	}
	defer os.RemoveAll(dir)
	ctx, stop := program.UntilInterrupted()
	defer stop()
	if f.linker != "" {
		r, err := conformance.RunLinks(ctx, f.linker, &conformance.Linker{Command: args, Timeout: f.timeout, Dir: dir}, link)
		if err != nil {
			return program.Failed(err)
		}
		if skipped := r.Count("", conformance.Skipped); skipped == len(r.Results) {
			return program.Failed(fmt.Errorf("the linker links none of the inputs, even without SFrame data: %s", r.Results[0].Detail))
		}
		return a.writeReport(r, write, nil)
	}
	d, err := f.open(args, dir)
	if err != nil {
		return err
	}
	r, err := a.ask(ctx, f, d, decode)
	r.End(d.Close())
	if err == nil && r.Failed() == 0 {
		err = r.Incomplete(f.maxSkipped)
	}
	return a.writeReport(r, write, err)
}

// writeReport writes a report. Without an error, a case that fails makes the exit status 1.
func (a *app) writeReport(r *conformance.Report, write func(*conformance.Report, *app) error, err error) error {
	if r.Failed() > 0 {
		a.status = program.ExitFindings
	}
	return program.Failed(errors.Join(write(r, a), err))
}

// writeCases writes the section and the request of each case, and the expected answer.
func writeCases(dir string, cases []conformance.Case) error {
	o, err := newOutput(dir)
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	for i := range cases {
		c := &cases[i]
		section, err := hex.DecodeString(c.Section)
		if err != nil {
			return err
		}
		request, err := json.Marshal(conformance.Request{Section: c.Section, Address: c.Address, PC: c.PC})
		if err != nil {
			return err
		}
		for ext, data := range map[string][]byte{".sframe": section, ".request.json": request, ".expected.json": c.Expect} {
			if len(data) == 0 {
				continue
			}
			if err := o.write(c.Name+ext, append(data, map[bool]string{true: "\n"}[ext != ".sframe"]...)); err != nil {
				return err
			}
		}
	}
	return o.close()
}

// ask asks a decoder about cases, or random ones.
func (a *app) ask(ctx context.Context, f *conformanceFlags, d conformance.Decoder, cases []conformance.Case) (*conformance.Report, error) {
	line := newProgress(a.stderr, cmp.Or(f.generate, len(cases)))
	defer line.Clear()
	if f.generate > 0 {
		return conformance.RunRandom(ctx, f.decoder, d, f.seed, f.generate, f.shrink, line.done)
	}
	return conformance.Run(ctx, f.decoder, d, cases, line.done)
}

// cases returns the cases that match the pattern: those for decoders, or for a linker, or both to list them.
func (f *conformanceFlags) cases() (decode []conformance.Case, link []conformance.Link, err error) {
	if f.linker == "" && f.generate == 0 {
		decode, err = build.Cases(f.pattern)
	}
	if err == nil && (f.linker != "" || f.list && f.decoder == "") {
		if link, err = build.Links(); err == nil {
			link, err = conformance.Select(link, f.pattern, func(l *conformance.Link) string { return l.Name })
		}
	}
	switch {
	case errors.Is(err, path.ErrBadPattern):
		return nil, nil, fmt.Errorf("--case: %w", err)
	case err != nil:
		return nil, nil, program.Failed(err)
	case len(decode)+len(link) == 0 && f.generate == 0:
		return nil, nil, fmt.Errorf("--case: no case matches %q", f.pattern)
	}
	return decode, link, nil
}

// listCases writes a line for each case.
func (a *app) listCases(format string, decode []conformance.Case, link []conformance.Link) error {
	var b strings.Builder
	for i := range decode {
		c := &decode[i]
		if format == "json" {
			line, err := c.Line()
			if err != nil {
				return err
			}
			b.Write(line)
			continue
		}
		fmt.Fprintf(&b, "%s\t%s\t%v\n", c.Duty, c.Name, c.Clauses)
	}
	lines := json.NewEncoder(&b)
	for i := range link {
		if format == "json" {
			if err := lines.Encode(&link[i]); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\n", link[i].Verdict, link[i].Name, link[i].About)
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// writer returns the writer of the report.
func (f *conformanceFlags) writer() (func(*conformance.Report, *app) error, error) {
	write := map[string]func(*conformance.Report, *app) error{
		"text":  func(r *conformance.Report, a *app) error { return r.Text(a.stdout) },
		"json":  func(r *conformance.Report, a *app) error { return r.JSON(a.stdout) },
		"junit": func(r *conformance.Report, a *app) error { return r.JUnit(a.stdout) },
	}[f.format]
	switch {
	case write == nil:
		return nil, fmt.Errorf("--format: %q is not text, json or junit", f.format)
	case f.timeout <= 0:
		return nil, errors.New("--timeout: must be positive")
	case f.generate < 0 || f.maxSkipped < 0:
		return nil, errors.New("--generate and --max-skipped must be at least 0")
	case f.generate > 0 && (f.pattern != "" || f.linker != ""):
		return nil, errors.New("--generate: its cases are for a decoder, and have no names to select by --case")
	case f.shrink && f.generate == 0:
		return nil, errors.New("--shrink: applies only to random cases: --generate")
	}
	return write, nil
}

// command splits a command.
func (f *conformanceFlags) command(flag, line string) ([]string, error) {
	args, err := program.Parse(line)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", flag, err)
	case len(args) == 0:
		return nil, fmt.Errorf("--%s: no command given", flag)
	}
	for _, arch := range model.Arches() {
		if _, err := exec.LookPath(strings.ReplaceAll(args[0], "{arch}", arch)); err == nil {
			return args, nil
		}
	}
	return nil, wrong(fmt.Errorf("--%s: %s: %w", flag, args[0], program.ErrMissing))
}

// wrong marks an error about a program that does not exist, with which the usage does not help.
func wrong(err error) error {
	if errors.Is(err, program.ErrMissing) {
		return program.WrongUsage(err)
	}
	return err
}

// open returns the decoder.
func (f *conformanceFlags) open(args []string, dir string) (conformance.Decoder, error) {
	switch f.as {
	case "json":
		return &conformance.Process{Command: args, Timeout: f.timeout}, nil
	case "objdump", "llvm-readobj":
		return &conformance.Tool{Command: args, LLVM: f.as == "llvm-readobj", Timeout: f.timeout, Dir: dir}, nil
	}
	return nil, fmt.Errorf("--as: %q is not json, objdump or llvm-readobj", f.as)
}
