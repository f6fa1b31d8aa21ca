package fuzzcmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/conformance"
	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/command"
)

// conformanceFlags are the flags of conformance.
type conformanceFlags struct {
	decoder, as, pattern, format string
	timeout                      time.Duration
	list, shrink                 bool
	generate                     int
	seed                         uint64
}

const conformanceLong = `Asks a decoder of SFrame sections about the cases of the conformance suite: valid
sections with their content, PCs to look up, and sections that a decoder must refuse.
Reports the cases that it fails, and the clauses of the manual that it breaks.

A decoder reads a request a line from standard input and writes an answer a line, both in
JSON; docs/conformance.md describes them. With --as, it is a tool that prints the section
of an ELF file: @@ in its command is the file, {arch} is x86_64, aarch64 or s390x.

With --generate, the cases are random ones, beyond the fixed ones, with what the reader of
this program and a second decoder, which shares no code with it, agree about.

Exit status 1 means that the decoder fails a case.`

const conformanceExample = `  sframe-fuzz conformance --decoder ./my-decoder
  sframe-fuzz conformance --decoder ./my-decoder --case 'lookup/v3-*' --format junit
  sframe-fuzz conformance --decoder 'objdump --sframe @@' --as objdump
  sframe-fuzz conformance --decoder ./my-decoder --generate 100000 --shrink
  sframe-fuzz conformance --list`

func (a *app) conformanceCommand() *cobra.Command {
	var f conformanceFlags
	c := &cobra.Command{
		Use: "conformance --decoder CMD [flags]", Short: "Test a decoder of sections against the manual", Long: conformanceLong,
		Example: conformanceExample, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.conformance(&f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.decoder, "decoder", "", "the `COMMAND` of the decoder (required)")
	fl.StringVar(&f.as, "as", "json", "how to ask the decoder: json, objdump (also readelf) or llvm-readobj")
	fl.StringVar(&f.pattern, "case", "", "ask only about cases whose names match `GLOB`, and those below them")
	fl.StringVar(&f.format, "format", "text", "format of the report: text, json or junit")
	fl.DurationVar(&f.timeout, "timeout", 10*time.Second, "time for an answer")
	fl.IntVar(&f.generate, "generate", 0, "ask about `N` random cases instead: valid sections, look-ups, known faults and damage")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first random case; the others follow")
	fl.BoolVar(&f.shrink, "shrink", false, "make the random cases that fail smaller")
	fl.BoolVar(&f.list, "list", false, "list the cases: verdict, name and clauses")
	program.Values(c, "as", "json", "objdump", "llvm-readobj")
	program.Values(c, "format", "text", "json", "junit")
	return c
}

func (a *app) conformance(f *conformanceFlags) error {
	all, err := conformance.Cases()
	if err != nil {
		return program.Failed(err)
	}
	cases, err := conformance.Select(all, f.pattern)
	if err != nil {
		return fmt.Errorf("--case: %w", err)
	}
	if len(cases) == 0 {
		return fmt.Errorf("--case: no case matches %q", f.pattern)
	}
	if f.list {
		for i := range cases {
			if _, err := fmt.Fprintf(a.stdout, "%s\t%s\t%v\n", cases[i].Verdict, cases[i].Name, cases[i].Clauses); err != nil {
				return program.Failed(err)
			}
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err != nil {
		return program.Failed(err)
	}
	defer os.RemoveAll(dir)
	d, write, err := f.open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	ctx, stop := program.UntilInterrupted()
	defer stop()
	total := cmp.Or(f.generate, len(cases))
	line := newProgress(a.stderr, total)
	var r *conformance.Report
	if f.generate > 0 {
		r, err = conformance.RunRandom(ctx, f.decoder, d, f.seed, f.generate, f.shrink, line.at)
	} else {
		r, err = conformance.Run(ctx, f.decoder, d, cases, line.at)
	}
	line.Clear()
	if err != nil {
		return program.Failed(err)
	}
	if r.Failed() > 0 {
		a.status = program.ExitFindings
	}
	return program.Failed(write(r, a))
}

// open returns the decoder and the writer of the report.
func (f *conformanceFlags) open(dir string) (conformance.Decoder, func(*conformance.Report, *app) error, error) {
	writers := map[string]func(*conformance.Report, *app) error{
		"text":  func(r *conformance.Report, a *app) error { return r.Text(a.stdout) },
		"json":  func(r *conformance.Report, a *app) error { return r.JSON(a.stdout) },
		"junit": func(r *conformance.Report, a *app) error { return r.JUnit(a.stdout) },
	}
	write := writers[f.format]
	args, err := command.Parse(f.decoder)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("--decoder: %w", err)
	case len(args) == 0:
		return nil, nil, errors.New("--decoder: no command given")
	case write == nil:
		return nil, nil, fmt.Errorf("--format: %q is not text, json or junit", f.format)
	case f.timeout <= 0:
		return nil, nil, errors.New("--timeout: must be positive")
	case f.generate < 0:
		return nil, nil, errors.New("--generate: must be at least 0")
	case f.generate > 0 && f.pattern != "":
		return nil, nil, errors.New("--case: does not apply to random cases")
	case f.shrink && f.generate == 0:
		return nil, nil, errors.New("--shrink: applies to random cases alone: --generate")
	}
	if _, err := exec.LookPath(strings.ReplaceAll(args[0], "{arch}", "x86_64")); err != nil {
		return nil, nil, fmt.Errorf("--decoder: %w", err)
	}
	switch f.as {
	case "json":
		return &conformance.Process{Command: args, Timeout: f.timeout}, write, nil
	case "objdump", "llvm-readobj":
		return &conformance.Tool{Command: args, LLVM: f.as == "llvm-readobj", Timeout: f.timeout, Dir: dir}, write, nil
	}
	return nil, nil, fmt.Errorf("--as: %q is not json, objdump or llvm-readobj", f.as)
}
