package lintcmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/reports/sarif"
	"github.com/sframe-lint/sframe-lint/rules"
)

// address is a flag's value: a number with the usual prefixes.
type address struct{ value uint64 }

func (a *address) Type() string { return "ADDR" }

// String returns "0" without a prefix, so that the help shows no default.
func (a *address) String() string {
	if a.value == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", a.value)
}

func (a *address) Set(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return errors.New("expected a 64-bit number like 0x401000")
	}
	a.value = v
	return nil
}

// check reports combinations of flags that make no sense.
func (f *lintFlags) check(paths []string) error {
	if f.sarifAnchor != "" {
		var err error
		if f.anchor, err = sarif.ParseAnchor(f.sarifAnchor); err != nil {
			return fmt.Errorf("--sarif-anchor: %w", err)
		}
		if !f.writes("sarif") {
			return errors.New("--sarif-anchor needs --format sarif")
		}
	}
	if f.verify != "" && !f.writes("patch") {
		return errors.New("--verify-patch needs --format patch")
	}
	if f.statistics && !slices.Contains(f.formats, "text") {
		return errors.New("--statistics needs --format text")
	}
	if err := f.fixes.check(paths, f.formats); err != nil {
		return err
	}
	if f.raw {
		if err := besideInputs(f.formats, paths); err != nil {
			return err
		}
	}
	if f.known.reason != "" && f.known.write == "" {
		return errors.New("--baseline-reason needs --write-baseline")
	}
	if f.known.strict && f.known.path == "" {
		return errors.New("--baseline-strict needs --baseline")
	}
	return stdinOnce(paths)
}

// writes reports whether a report has a format.
func (f *lintFlags) writes(format string) bool {
	return slices.ContainsFunc(f.formats, func(s string) bool { return s == format || strings.HasPrefix(s, format+"=") })
}

// stdinOnce reports an error if standard input, which can be read once, is named
// twice.
func stdinOnce(paths []string) error {
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return errors.New("standard input is named twice")
	}
	return nil
}

// showAll is the value of --show that lists all findings, with the reason why one is not shown.
const showAll = "all"

// parseFailOn parses --fail-on.
func (f *lintFlags) parseFailOn() error {
	if f.failOn == "never" {
		return nil
	}
	v, err := rules.ParseSeverity(f.failOn)
	if err != nil || v == rules.Off {
		return fmt.Errorf("--fail-on: %w", lookup.Unknown("level", f.failOn, []string{"error", "warning", "note", "never"}, ""))
	}
	f.fails = v
	return nil
}

// lowestListed returns the lowest severity that reports list: what fails is shown.
func (f *lintFlags) lowestListed(show rules.Severity) rules.Severity {
	if f.fails == rules.Off {
		return show
	}
	return min(show, f.fails)
}

// fixFlags say whether the fixes of findings are applied or shown.
type fixFlags struct {
	write  bool
	unsafe bool
	diff   bool
}

func (f *fixFlags) flags(fl *pflag.FlagSet) {
	fl.BoolVar(&f.write, "fix", false, "apply safe fixes to the files, then check them again")
	fl.BoolVar(&f.unsafe, "fix-unsafe", false, "with --fix or --diff: also apply fixes that may be wrong")
	fl.BoolVar(&f.diff, "diff", false, "print the bytes that --fix would change, and change nothing")
}

func (f *fixFlags) check(paths, formats []string) error {
	switch {
	case f.unsafe && !f.write && !f.diff:
		return errors.New("--fix-unsafe needs --fix or --diff")
	case (f.write || f.diff) && slices.Contains(paths, "-"):
		return errors.New("standard input can't be fixed")
	case !f.diff:
		return nil
	}
	for _, x := range formats {
		if !strings.Contains(x, "=") {
			return fmt.Errorf("--diff writes to standard output, so the report needs a file: --format %s=FILE", x)
		}
	}
	return nil
}
