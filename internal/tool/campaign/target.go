package campaign

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/model"
)

// Target is a program that reads sections.
type Target struct {
	Name    string `json:"name"`
	Command string `json:"command"`
	Version string `json:"version,omitempty"`
	Linker  bool   `json:"linker,omitempty"`

	args   []string
	flag   string       // that names the target on the command line
	lib    *Library     // nil for a program
	open   func() Asker // of a decoder
	limits Limits
	probed probe
}

// Limits bound a run of a target.
type Limits struct {
	Timeout time.Duration
	Memory  int64    // of the address space, in bytes; 0 for no limit, which sanitizers need
	Env     []string // of the target; nil means that of this process
}

// archMark is replaced by the architecture of an input in a target's command.
const archMark = "{arch}"

// linkers is how the names of linkers end.
var linkers = regexp.MustCompile(`(^|[-.])(ld|lld|mold|gold|wild|ld\.bfd|ld\.lld|ld\.gold)(-\d[\d.]*)?$`)

// NewTarget returns the target for a command line, NAME=COMMAND or COMMAND. The default name is that of the program.
func NewTarget(line string, limits Limits) (*Target, error) {
	name, text, ok := strings.Cut(line, "=")
	if !ok || strings.ContainsAny(name, " \t'\"/") || name == "" {
		name, text = "", line
	}
	args, err := program.Parse(text)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = strings.ReplaceAll(filepath.Base(args[0]), archMark+"-", "")
	}
	if !safeName.MatchString(name) {
		return nil, fmt.Errorf("%q is not a name of letters, digits, dots, dashes and underscores", name)
	}
	t := &Target{Name: name, Command: text, args: args, flag: "target", limits: limits}
	all := strings.Join(args, " ")
	t.Linker = strings.Contains(all, program.Output) || linkers.MatchString(filepath.Base(args[0]))
	if t.Linker && !strings.Contains(all, program.Output) {
		t.args = append(t.args, "-o", program.Output)
	}
	if len(t.arches()) == 0 {
		return nil, fmt.Errorf("%s: %w", args[0], program.ErrMissing)
	}
	for _, arch := range t.arches() {
		if t.Version = t.version(arch); t.Version != "" {
			break
		}
	}
	return t, nil
}

var safeName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.+-]*$`)

// Decoder returns the command of a decoder, or false for another target.
func (t *Target) Decoder() (args []string, ok bool) { return t.args, t.open != nil }

// Flag returns the name of the target's flag: target, library or decoder.
func (t *Target) Flag() string { return t.flag }

// InProcess reports whether one process of the target reads many sections.
func (t *Target) InProcess() bool { return t.lib != nil }

// arches returns the architectures for which the program exists.
func (t *Target) arches() (all []string) {
	if t.lib != nil {
		for _, abi := range t.lib.Kind.ABIs() {
			all = append(all, abi.Arch)
		}
		return all
	}
	for _, arch := range model.Arches() {
		if _, err := exec.LookPath(strings.ReplaceAll(t.args[0], archMark, arch)); err == nil {
			all = append(all, arch)
		}
	}
	return all
}

// kind returns the container that the target reads.
func (t *Target) kind() breaks.Container {
	switch {
	case t.lib != nil:
		return breaks.Raw
	case t.Linker:
		return breaks.Rel
	}
	return breaks.Exec
}

// command returns the command for an architecture, to be run in a directory.
func (t *Target) command(arch, dir string) (*program.External, error) {
	args := make([]string, len(t.args))
	for i, a := range t.args {
		args[i] = strings.ReplaceAll(a, archMark, arch)
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, err
	}
	if args[0], err = filepath.Abs(path); err != nil {
		return nil, err
	}
	return &program.External{Args: args, Env: t.limits.Env, Dir: dir, Timeout: t.limits.Timeout, Memory: uint64(t.limits.Memory),
		FileSize: maxFile, Split: true, FixedAddresses: true}, nil
}

// maxFile bounds the files that a target writes, in bytes.
const maxFile = 64 << 20

// version returns the first line that the program writes if it is asked for its version.
func (t *Target) version(arch string) string {
	c, err := t.command(arch, "")
	if err != nil {
		return ""
	}
	c.Args = []string{c.Args[0], "--version"}
	o, err := c.Run(context.Background(), os.DevNull, "")
	if err != nil || o.Exit != 0 {
		return ""
	}
	for line := range strings.Lines(string(o.Stdout)) {
		if line = strings.TrimSpace(line); strings.ContainsAny(line, "0123456789") {
			return line
		}
	}
	return ""
}

// run is a run of a target on a file.
type run struct {
	*program.Outcome
	dir string // in which it ran
	out []byte // the linker's output, nil if there is none
}

// scratch is the directory in which one worker runs targets.
type scratch struct {
	dir     string
	drivers map[*Target][]string // commands of drivers that are compiled
	servers map[*Target]*Server
	askers  map[*Target]Asker
}

func newScratch(dir string, drivers map[*Target][]string) scratch {
	return scratch{dir, drivers, map[*Target]*Server{}, map[*Target]Asker{}}
}

// server returns the driver of a target, which it starts if it does not run.
func (s scratch) server(t *Target) (*Server, error) {
	if v := s.servers[t]; v != nil {
		return v, nil
	}
	v, err := StartServer(s.drivers[t], t.limits.Env)
	if err == nil {
		s.servers[t] = v
	}
	return v, err
}

// temporary returns a scratch in a new directory, by its path without links, for targets, whose drivers it compiles and which
// it probes. The caller removes it, also after an error.
func temporary(ctx context.Context, targets []*Target) (s scratch, err error) {
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if s = newScratch(dir, map[*Target][]string{}); err != nil {
		return s, err
	}
	for i, t := range targets {
		if t.lib != nil && t.open == nil {
			s.drivers[t], err = t.lib.Compile(ctx, filepath.Join(dir, fmt.Sprint("driver", i)))
		}
		if err == nil {
			err = s.probe(ctx, t)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return s, nil
}

func (s scratch) remove() {
	s.close()
	_ = os.RemoveAll(s.dir) // a temporary one
}

func (s scratch) close() {
	for _, v := range s.servers {
		v.Close()
	}
	for _, d := range s.askers {
		_ = d.Close() // it is of no more use
	}
}

// inputName returns the name of the file of a container.
func inputName(kind breaks.Container) string {
	switch kind {
	case breaks.Rel:
		return "input.o"
	case breaks.Raw:
		return "input.sframe"
	}
	return "input.elf"
}

// runDir is the directory of one run, with the input.
type runDir struct{ dir, in, out string }

func (s scratch) runDir(t *Target, data []byte) (runDir, error) {
	in, err := program.Place(s.dir, inputName(t.kind()), data)
	dir := filepath.Dir(in)
	return runDir{dir, in, filepath.Join(dir, "output")}, err
}

// remove removes the directory. What a program keeps there goes with the directory of the campaign.
func (p runDir) remove() { _ = os.RemoveAll(p.dir) }

// run runs the target on a file for an architecture.
func (s scratch) run(ctx context.Context, t *Target, arch string, data []byte) (*run, error) {
	return s.runFor(ctx, t, arch, data, t.limits.Timeout)
}

// runFor is run with another limit of time.
func (s scratch) runFor(ctx context.Context, t *Target, arch string, data []byte, limit time.Duration) (*run, error) {
	p, err := s.runDir(t, data)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	c, err := t.command(arch, p.dir)
	if err != nil {
		return nil, err
	}
	c.Timeout = limit
	o, err := c.Run(ctx, p.in, p.out)
	if err != nil {
		return nil, err
	}
	r := &run{Outcome: o, dir: p.dir}
	if t.Linker {
		r.out = p.readOutput()
	}
	return r, nil
}

// readOutput returns what a linker has written, nil if that is not a regular file of at most maxFile bytes.
func (p runDir) readOutput() []byte {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	f, _, err := regular.OpenIn(root, filepath.Base(p.out))
	if err != nil {
		return nil
	}
	defer f.Close()
	out, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil || len(out) > maxFile {
		return nil
	}
	return out
}
