//go:build libfuzzer

package libfuzzer

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"
)

// name is the target that the program runs; the linker sets it.
var name string

// dir is the directory of the target's package below the module; the linker sets it.
var dir string

// filesDir is the directory beside the program that has what targets read when they
// begin, below the paths of the module.
const filesDir = "sframe-lint"

var targets = map[string]func(*testing.F){}

// Register makes a target known under its name.
func Register(name string, target func(*testing.F)) { targets[name] = target }

// engine is a fuzzing engine for package testing. As a coordinator, it records the
// seeds and the types of the target's arguments; as a worker, it runs the inputs that
// libFuzzer makes.
type engine struct {
	types []reflect.Type
	seeds []entry
	in    chan []byte
	out   chan error // of the target; one first when it is ready
}

// start runs the target until it waits for the first input. The target begins in the
// directory of its package, if that is beside the program.
func start() (*engine, error) {
	e := &engine{in: make(chan []byte), out: make(chan error)}
	was, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	_ = os.Chdir(filepath.Join(filepath.Dir(program), filesDir, dir)) // some targets need no files
	os.Args = []string{os.Args[0], "-test.run=^$", "-test.fuzz=^" + name + "$", "-test.fuzzcachedir=" + os.TempDir()}
	target := []testing.InternalFuzzTarget{{Name: name, Fn: targets[name]}}
	if testing.MainStart(e, nil, nil, target, nil).Run() != 0 || e.types == nil {
		return nil, errors.New("target " + name + " did not begin")
	}
	if err := flag.Set("test.fuzzworker", "true"); err != nil {
		return nil, err
	}
	go func() {
		testing.MainStart(e, nil, nil, target, nil).Run()
		e.out <- errors.New("target " + name + " has ended")
	}()
	return e, errors.Join(<-e.out, os.Chdir(was))
}

// run runs the target on an input of libFuzzer.
func (e *engine) run(b []byte) error {
	e.in <- b
	return <-e.out
}

// write writes the seeds that the target adds as inputs of libFuzzer.
func (e *engine) write(dir string) error {
	for i, s := range e.seeds {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), encode(s.Values), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) CoordinateFuzzing(_ time.Duration, _ int64, _ time.Duration, _ int64, _ int, seeds []entry, types []reflect.Type, _, _ string) error {
	e.seeds, e.types = append(e.seeds, seeds...), types
	return nil
}

func (e *engine) RunFuzzWorker(fn func(entry) error) error {
	e.out <- nil
	for b := range e.in {
		e.out <- fn(entry{Values: decode(e.types, b)})
	}
	return nil
}

// ReadCorpus adds what is stored to the seeds. It returns none, since a coordinator
// would drop their values.
func (e *engine) ReadCorpus(dir string, types []reflect.Type) ([]entry, error) {
	all, err := stored(dir, types)
	e.seeds = append(e.seeds, all...)
	return nil, err
}

// The other demands of package testing on the program that runs tests.

func (e *engine) ImportPath() string                          { return "" }
func (e *engine) ModulePath() string                          { return "" }
func (e *engine) MatchString(pat, s string) (bool, error)     { return pat == "^"+s+"$", nil }
func (e *engine) SetPanicOnExit0(bool)                        {}
func (e *engine) StartCPUProfile(io.Writer) error             { return errors.ErrUnsupported }
func (e *engine) StopCPUProfile()                             {}
func (e *engine) StartTestLog(io.Writer)                      {}
func (e *engine) StopTestLog() error                          { return nil }
func (e *engine) WriteProfileTo(string, io.Writer, int) error { return errors.ErrUnsupported }
func (e *engine) CheckCorpus([]any, []reflect.Type) error     { return nil }
func (e *engine) ResetCoverage()                              {}
func (e *engine) SnapshotCoverage()                           {}
func (e *engine) InitRuntimeCoverage() (string, func(string, string) (string, error), func() float64) {
	return "", nil, nil
}
