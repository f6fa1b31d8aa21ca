//go:build linux

// Package hostile runs sframe-lint on inputs that claim, share, nest or repeat more than any real file does. Runs that take
// more memory, CPU time or output than they may, that crash, or whose output is not what it should be fail the test.
//
//	go test -C scripts -v -timeout 0 ./hostile -inputs .
//	go test -C scripts -v -timeout 0 ./hostile -inputs . -every 1
//	go test -C scripts -v ./hostile -inputs 'thin archive' -modes text,fix
//	go test -C scripts -v ./hostile -smoke
//	go test -C scripts -v ./hostile -healthy
//	go test -C scripts -v ./hostile -work
//
// Without -inputs, -smoke, -healthy and -work nothing runs. The test requires 2 GB of disk space below TMPDIR, on a file system with
// holes.
package hostile

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

var (
	inputName = flag.String("make", "", "make the input of this `NAME` in -dir, print its path and exit")
	dir       = flag.String("dir", "", "`DIRECTORY` for inputs (default: a temporary one)")
	only      = flag.String("inputs", "", "run the inputs whose names match this `REGEXP`")
	some      = flag.String("modes", "", "run these `MODES`, separated by commas")
	program   = flag.String("program", "", "run this `FILE` (default: built from the module)")
	names     = flag.Bool("names", false, "list inputs and modes")
	well      = flag.Bool("healthy", false, "run large files without a fault, whose status must be 0")
	few       = flag.Bool("smoke", false, "run a few inputs of each class, in some modes")
	every     = flag.Int("every", 4, "of the modes of an input, run each `N`-th, from another one on for each input; 1 runs all")
	rowEach   = flag.Bool("rows", false, "print a row for each run")
	memory    = flag.Int64("most-memory", budget.PromiseMemory>>20, "`MIB` of memory for a run, apart from what its sections are allowed")
	cpu       = flag.Int("most-cpu", 150, "CPU time for a run, in `LOOPS` that sort the keys of a map of 2^18")
	output    = flag.Int64("most-output", 64, "`MIB` of output for a run")
)

// TestMain makes an input instead if a test asks for that in a process of its own.
func TestMain(m *testing.M) {
	flag.Parse()
	root.Enter()
	if *inputName == "" {
		os.Exit(m.Run())
	}
	if err := makeOne(*inputName, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func makeOne(name, dir string) error {
	for _, in := range inputs() {
		if in.name == name {
			path, err := in.build(dir)
			fmt.Println(path)
			return err
		}
	}
	return fmt.Errorf("no input %q", name)
}

// TestHostile runs the modes on the inputs, healthy or not, and prints the table.
func TestHostile(t *testing.T) {
	if *names {
		listAll()
	}
	if *only == "" && !*few && !*well {
		t.Skip("runs for long: use -smoke, -healthy or -inputs REGEXP")
	}
	s := &suite{program: *program, dir: *dir, limits: limits{memory: *memory << 20, loops: *cpu, output: *output << 20, hard: 3 << 30}}
	require.NoError(t, s.main(*only, *some, *few, *well, *rowEach || *well))
}

func listAll() {
	for _, in := range inputs() {
		fmt.Println(in.name)
	}
	for _, m := range modes() {
		fmt.Println("mode", m.name)
	}
}

// main runs the modes on the inputs, healthy or not, and prints the table.
func (s *suite) main(only, some string, few, well, verbose bool) error {
	which, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if err := s.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	var todo []task
	ran := map[string]bool{} // of smoke
	for i, in := range inputs() {
		all := modes()
		if !few && !well && some == "" {
			all = slices.DeleteFunc(all, func(m mode) bool {
				if m.takes(&in) {
					i++
				}
				return !m.takes(&in) || len(in.modes) == 0 && i%*every > 0
			})
		}
		if few {
			all = slices.DeleteFunc(all, func(m mode) bool { return !inSmoke(&in, &m, ran) })
		}
		if some != "" {
			names := strings.Split(some, ",")
			all = slices.DeleteFunc(all, func(m mode) bool { return !slices.Contains(names, m.name) })
		}
		if in.healthy != well || !which.MatchString(in.name) || len(all) == 0 {
			continue
		}
		todo = append(todo, task{in, all})
	}
	for _, x := range smoke {
		for _, m := range x.modes {
			if few && only == "" && some == "" && !ran[x.inputs+m] {
				return fmt.Errorf("no input %s in mode %s", x.inputs, m)
			}
		}
	}
	return s.all(todo, verbose)
}

// task is an input and the modes to run on it.
type task struct {
	in    input
	modes []mode
}

// all runs the modes on the inputs, as many inputs at a time as there are processors.
func (s *suite) all(todo []task, verbose bool) error {
	var t table
	t.head()
	var group sync.WaitGroup
	var row sync.Mutex
	next := make(chan task)
	errs := make([]error, runtime.NumCPU())
	for k := range errs {
		group.Go(func() {
			own := *s
			own.dir = filepath.Join(s.dir, fmt.Sprint(k))
			errs[k] = os.Mkdir(own.dir, 0o777)
			for w := range next {
				results, err := own.input(&w.in, w.modes)
				row.Lock()
				t.row(&w.in, results, verbose)
				if err != nil {
					errs[k] = errors.Join(errs[k], fmt.Errorf("%s: %w", w.in.name, err))
				}
				row.Unlock()
			}
		})
	}
	for _, w := range todo {
		next <- w
	}
	close(next)
	group.Wait()
	return errors.Join(append(errs, t.foot())...)
}

// inSmoke reports whether a mode is one of the few for an input, and notes the entry that says so.
func inSmoke(in *input, m *mode, ran map[string]bool) bool {
	for _, x := range smoke {
		if regexp.MustCompile(x.inputs).MatchString(in.name) && slices.Contains(x.modes, m.name) {
			ran[x.inputs+m.name] = m.takes(in)
			return ran[x.inputs+m.name]
		}
	}
	return false
}

// prepare makes the working directory and builds the program.
func (s *suite) prepare() (err error) {
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp(s.dir, "hostile"); err != nil || s.program != "" {
		return err
	}
	s.program = filepath.Join(s.dir, "sframe-lint")
	cmd := exec.Command("go", "build", "-o", s.program, "github.com/sframe-lint/sframe-lint/cmd/sframe-lint")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// input runs the modes on an input.
func (s *suite) input(in *input, all []mode) ([]result, error) {
	dir := filepath.Join(s.dir, "input")
	defer os.RemoveAll(dir)
	s.limits.cpu = time.Duration(s.limits.loops) * loop()
	path, err := s.build(in, dir)
	if err != nil {
		return nil, err
	}
	var results []result
	for i := range all {
		m := &all[i]
		if !m.takes(in) {
			continue
		}
		var res result
		for try := range 2 {
			if res, err = s.run(in, m, path); err != nil {
				return nil, err
			}
			if m.change {
				if path, err = s.build(in, dir); err != nil {
					return nil, err
				}
			}
			if try > 0 || res.memory <= s.limits.memoryFor(in, path) { // on a busy machine the collector may lag behind
				break
			}
		}
		results = append(results, res)
	}
	return results, nil
}
