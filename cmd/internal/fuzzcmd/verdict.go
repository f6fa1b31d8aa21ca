package fuzzcmd

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// failure defines the failure to keep. By default, the command must end as it
// did for the original file.
type failure struct {
	exit   int    // -1: any
	signal string // "": any
	output string // "": any

	sig      int
	pattern  *regexp.Regexp
	original *program.Outcome
}

func (v *failure) flags(fl *pflag.FlagSet) {
	fl.IntVar(&v.exit, "keep-exit", -1, "require that the command ends with this `STATUS`")
	fl.StringVar(&v.signal, "keep-signal", "", "require that this `SIGNAL`, a name or number, kills the command")
	fl.StringVar(&v.output, "keep-output", "", "require that the command's output matches this `REGEXP`")
}

func (v *failure) check() (err error) {
	if v.exit < -1 || v.exit > 255 {
		return fmt.Errorf("--keep-exit: %d is not from 0 to 255", v.exit)
	}
	if v.signal != "" {
		if v.sig, err = parseSignal(v.signal); err != nil {
			return err
		}
	}
	if v.output != "" {
		if v.pattern, err = regexp.Compile(v.output); err != nil {
			return fmt.Errorf("--keep-output: %w", err)
		}
	}
	if v.exit >= 0 && v.sig != 0 {
		return errors.New("--keep-exit and --keep-signal exclude each other")
	}
	return nil
}

func parseSignal(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		n = program.SignalNamed(s)
	}
	if n < 1 || n > 64 {
		return 0, fmt.Errorf("--keep-signal: unknown signal %q", s)
	}
	return n, nil
}

// holds reports whether a run has the failure.
func (v *failure) holds(o *program.Outcome) bool {
	switch {
	case v.exit >= 0 && o.Exit != v.exit,
		v.sig != 0 && o.Signal != v.sig,
		v.pattern != nil && !v.pattern.Match(o.Stdout):
		return false
	}
	return v.exit >= 0 || v.sig != 0 || v.pattern != nil || o.Same(v.original)
}
