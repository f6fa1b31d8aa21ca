package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// Tools are an assembler with its arguments, and a linker.
type Tools struct {
	As []string
	Ld string
}

// GNU returns the tools of a release of binutils in a directory of tools, such as "sid", for a machine.
func GNU(dir, release, machine string) Tools {
	bin := filepath.Join(dir, "bin", release+"-"+machine)
	return Tools{As: []string{bin + "-as", "--gsframe"}, Ld: bin + "-ld"}
}

// Refused says that an assembler has made no object.
type Refused struct {
	Crashed string // how, "" for an ordinary error
	Message string
	Lines   []int // with errors, from 0
}

func (r *Refused) Error() string { return "the assembler: " + cmp.Or(r.Crashed, r.Message) }

var (
	internalError = regexp.MustCompile(`(?i)internal error[^\n]*|assertion [^\n]*|PLEASE submit|BFD_ASSERT[^\n]*`)
	lineError     = regexp.MustCompile(`(?m)^[^:]+:(\d+): (?:Error|Fatal error): `)
)

// Assemble makes the object of a source, and returns what the assembler says. The error is a *Refused where there is none.
func (t *Tools) Assemble(source, object string) (string, error) {
	in := strings.TrimSuffix(object, ".o") + ".s"
	if err := os.WriteFile(in, []byte(source), 0o666); err != nil {
		return "", err
	}
	o, err := run(t.As, in, object)
	if err != nil {
		return "", err
	}
	said := strings.ReplaceAll(string(o.Stdout), in, "a.s")
	if o.Exit == 0 {
		return said, nil
	}
	r := &Refused{}
	if internal := internalError.FindString(said); internal != "" || o.Exit < 0 || o.Exit > 128 {
		r.Crashed = fmt.Sprintf("%s: %s", o, internal)
	}
	_, r.Message, _ = strings.Cut(said, "rror: ")
	r.Message, _, _ = strings.Cut(r.Message, "\n")
	for _, m := range lineError.FindAllStringSubmatch(said, -1) {
		n, _ := strconv.Atoi(m[1])
		r.Lines = append(r.Lines, n-1)
	}
	return "", r
}

// Library makes a shared library of a source, and returns its contents.
func (t *Tools) Library(source, object string) ([]byte, error) {
	if _, err := t.Assemble(source, object); err != nil {
		return nil, err
	}
	out := strings.TrimSuffix(object, ".o") + ".so"
	o, err := run([]string{t.Ld, "-shared", "-z", "notext", "--eh-frame-hdr"}, object, out)
	if err == nil && o.Exit != 0 {
		err = fmt.Errorf("%s: %s: %s", t.Ld, o, o.Stdout)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// run runs a tool, which has the arguments of an assembler and a linker in common.
func run(args []string, in, out string) (*program.Outcome, error) {
	c := program.External{Args: append(slices.Clone(args), "-o", program.Output, program.Input), Timeout: time.Minute}
	return c.Run(context.Background(), in, out)
}
