package conformance

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	suite "github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Linker is a linker with the command line of GNU ld. In its command, {arch} is x86_64, aarch64 or s390x, and
// {endian} is EL or EB.
type Linker struct {
	Command []string
	Timeout time.Duration // for a run
	Dir     string        // for the files
}

// RunLinks links the inputs of all cases.
func RunLinks(ctx context.Context, name string, l *Linker, cases []Link) (*Report, error) {
	r := &Report{Linker: name}
	for i := range cases {
		x, err := l.try(ctx, &cases[i])
		if err != nil {
			return r, err
		}
		r.Results = append(r.Results, x)
	}
	return r, nil
}

// try links the inputs of a case. Where that fails, it links them without their SFrame data: a linker
// that fails at that as well does not support the case.
func (l *Linker) try(ctx context.Context, c *Link) (Result, error) {
	if err := l.place(c, func(b []byte) []byte { return b }); err != nil {
		return Result{}, err
	}
	failed, why, said, err := l.link(ctx, c)
	if err != nil {
		return Result{}, err
	}
	if failed == Pass {
		linked, err := os.ReadFile(filepath.Join(l.Dir, "out"))
		if err != nil {
			return c.result(Refused, "no output, though the exit status is 0"), nil
		}
		partial, _ := os.ReadFile(filepath.Join(l.Dir, "partial.o")) // of -r only
		fault, detail := JudgeLink(c, linked, partial)
		if fault.Failed() && said != "" {
			detail += "; it said: " + said
		}
		return c.result(fault, detail), nil
	}
	if err := l.place(c, withoutSFrame); err != nil {
		return Result{}, err
	}
	plain, other, _, err := l.link(ctx, c)
	switch {
	case err != nil:
		return Result{}, err
	case plain != Pass:
		return c.result(Skipped, "the linker does not link the inputs without SFrame data either: "+other), nil
	case failed == Refused && c.Verdict == Either:
		return c.result(Pass, ""), nil
	}
	return c.result(failed, why), nil
}

// place writes the inputs, and removes what an earlier run has left.
func (l *Linker) place(c *Link, change func([]byte) []byte) error {
	for _, name := range []string{"out", "partial.o"} {
		if err := os.RemoveAll(filepath.Join(l.Dir, name)); err != nil {
			return err
		}
	}
	for _, name := range c.Inputs {
		b, err := linkInput(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".o") {
			b = change(b)
		}
		if err := os.WriteFile(filepath.Join(l.Dir, path.Base(name)), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// linkInput returns a file below links, or an object such as v3-amd64/a.o.
func linkInput(name string) ([]byte, error) {
	target, object, ok := strings.Cut(name, "/")
	if !ok {
		return suite.Links.ReadFile("links/" + name)
	}
	text, err := suite.Links.ReadFile("links/" + target + ".txt")
	if err != nil {
		return nil, err
	}
	objects, err := shrink.ParseFiles(text)
	if err == nil && objects[object] == nil {
		err = fmt.Errorf("links/%s.txt has no object %q", target, object)
	}
	return objects[object], err
}

// link makes the steps of a case: Pass, Refused or Crash, why, and what the linker said about SFrame data.
func (l *Linker) link(ctx context.Context, c *Link) (o Outcome, why, said string, err error) {
	for _, step := range c.Steps {
		run := program.External{Dir: l.Dir, Timeout: l.Timeout}
		for _, a := range l.Command {
			run.Args = append(run.Args, strings.NewReplacer("{arch}", c.Arch, "{endian}", c.Endian).Replace(a))
		}
		run.Args = append(run.Args, step...)
		x, err := run.Run(ctx, os.DevNull, "")
		if err != nil {
			return "", "", "", err
		}
		text := strings.TrimSpace(string(x.Stdout))
		switch {
		case x.Timeout || x.Signal != 0:
			return Crash, x.String(), "", nil
		case x.Exit != 0:
			return Refused, fmt.Sprintf("%s (%v)", message(text, "error", "sframe"), x), "", nil
		case strings.Contains(strings.ToLower(text), "sframe"):
			said = message(text, "sframe")
		}
	}
	return Pass, "", said, nil
}

// message returns the first line with one of the words, the first word that there is, else the last line.
func message(text string, words ...string) string {
	lines := strings.Split(text, "\n")
	for _, word := range words {
		for _, line := range lines {
			if strings.Contains(strings.ToLower(line), word) {
				return line
			}
		}
	}
	return lines[len(lines)-1]
}

// withoutSFrame returns an object without its sections .sframe and their relocations: the headers become
// empty ones.
func withoutSFrame(b []byte) []byte {
	b = bytes.Clone(b)
	scan(b, func(o *reader.Object) {
		for _, s := range o.ELF.Sections {
			if strings.TrimPrefix(s.Name, ".rela") == ".sframe" {
				clear(b[s.Header.Off:s.Header.End()])
			}
		}
	})
	return b
}
