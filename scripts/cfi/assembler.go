package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/internal/command"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// assembler is a program for an ABI.
type assembler struct {
	name string // "gas 2.47 AMD64"
	abi  model.ABI
	path string
	args []string // besides "-o OUT"
	dir  string   // for files
}

// releases are the suites of the tools, and the ABIs that each release has.
var releases = []struct {
	suite, release string
	archs          []string
}{
	{"bookworm", "2.40", []string{"x86_64", "aarch64"}},
	{"trixie", "2.44", []string{"x86_64", "aarch64"}},
	{"sid", "2.47", []string{"x86_64", "aarch64", "s390x"}},
}

var abis = map[string]model.ABI{
	"x86_64": model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "aarch64": model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "s390x": model.SFRAME_ABI_S390X_ENDIAN_BIG,
}

// assemblers returns the ones in a directory of tools. dir is for their files.
func assemblers(tools, dir string) (all []*assembler) {
	add := func(name, arch, binary string, args ...string) {
		path := filepath.Join(tools, "bin", binary)
		if _, err := os.Stat(path); err == nil {
			abi := abis[arch]
			all = append(all, &assembler{name + " " + model.LookupABI(abi).Name, abi, path, args, dir})
		}
	}
	for _, x := range releases {
		for _, arch := range x.archs {
			add("gas "+x.release, arch, x.suite+"-"+arch+"-as", "--gsframe")
		}
	}
	for _, arch := range []string{"x86_64", "aarch64"} {
		add("llvm-mc", arch, "sid-llvm-mc", "--triple", arch+"-linux-gnu", "--filetype=obj", "--gsframe")
	}
	return all
}

// result is what an assembler made of a program.
type result struct {
	crashed, rejected string // the message
	faults            []fault
}

func (r *result) outcome() string {
	switch {
	case r.crashed != "":
		return "crashed"
	case r.rejected != "":
		return "rejected: " + r.rejected
	case len(r.faults) > 0:
		return "disagrees with .eh_frame"
	}
	return "agrees with .eh_frame"
}

// fault is a difference between the two sections, a crash, or damage of .sframe.
type fault struct {
	kind string
	d    ehframe.Difference // unless there is a message

	message string
}

func (f fault) String() string {
	if f.message != "" {
		return f.message
	}
	sframe, cfi := f.d.Of(f.d.Kind)
	return fmt.Sprintf("at %#x to %#x, .sframe: %+v, .eh_frame: %+v, says %t", f.d.Start, f.d.End, sframe, cfi, f.d.Says)
}

// alike returns a name that faults of the same cause probably share.
func (f fault) alike() string {
	shape := func(r model.Recovery) string { return fmt.Sprint(r.Kind, r.Deref, r.Reg > 64) }
	sframe, cfi := f.d.Of(f.d.Kind)
	return fmt.Sprint(f.kind, f.message, shape(sframe), shape(cfi), f.d.Says)
}

var internalError = regexp.MustCompile(`(?i)internal error[^\n]*|assertion [^\n]*|PLEASE submit|BFD_ASSERT[^\n]*`)

// assemble assembles a program and compares the two sections of the object.
func (a *assembler) assemble(program string) (*result, error) {
	dir, err := os.MkdirTemp(a.dir, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(in, []byte(program), 0o666); err != nil {
		return nil, err
	}
	c := command.Command{Args: slices.Concat([]string{a.path}, a.args, []string{"-o", command.Output, command.Input}), Timeout: 20 * time.Second}
	o, err := c.Run(context.Background(), in, out)
	if err != nil {
		return nil, err
	}
	r := &result{}
	said := strings.ReplaceAll(string(o.Stdout), in, "a.s")
	failed := o.Exit != 0 // -1 after a signal
	switch message := internalError.FindString(said); {
	case failed && (message != "" || o.Exit < 0 || o.Exit > 128):
		r.crashed = fmt.Sprintf("%s: %s", o, message)
		r.faults = []fault{{kind: "crash", message: r.crashed}}
	case failed:
		line, _, _ := strings.Cut(said[strings.Index(said, "rror:")+1:], "\n")
		r.rejected = strings.TrimPrefix(line, "ror: ")
	default:
		r.faults, err = differences(out)
	}
	return r, err
}

// differences returns what the sections of an object disagree on.
func differences(path string) (all []fault, err error) {
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames, err := ehframe.Load(o, 0)
		if err != nil {
			return err
		}
		for _, s := range o.SFrames {
			if s.Section == nil {
				all = append(all, fault{kind: "damaged", message: fmt.Sprint(s.Faults)})
				continue
			}
			for _, f := range s.Faults {
				all = append(all, fault{kind: "damaged", message: fmt.Sprint(f)})
			}
			ehframe.Compare(s.Section, frames, func(d ehframe.Difference) {
				if d.Kind == ehframe.NoFDE {
					return
				}
				kind := d.Kind.String()
				if d.Inexpressible {
					kind += ", inexpressible"
				}
				all = append(all, fault{kind: kind, d: d})
			})
		}
		return nil
	})
	return all, err
}
