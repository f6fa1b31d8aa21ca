package shard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// workerEnv is the environment variable that makes a process the worker of its parent: the ID of the
// parent, its digest of the configuration, and the path of the unit.
const workerEnv = "SFRAME_LINT_UNIT"

// Working returns the path of the unit that this process is the worker of, and the [Worker.Agrees] of its parent.
func Working() (path, agrees string, ok bool) {
	parent, rest, _ := strings.Cut(os.Getenv(workerEnv), " ")
	agrees, path, ok = strings.Cut(rest, " ")
	return path, agrees, ok && parent == strconv.Itoa(os.Getppid())
}

// Worker is a program that writes the result of a unit to standard output.
type Worker struct {
	Path string   // of the program
	Args []string // with its name
	// Whole reports whether the last line of a result ends it.
	Whole func(last []byte) bool
	// Usage is the exit status that says that no unit can be checked; 0 and those in Done are others' of a result.
	Usage int
	Done  []int
	// Agrees is a word that the worker gets and must compare with the data that it reads, for example a digest.
	Agrees string
}

// run runs the worker on a unit. It returns why it failed, "" if it did not. Errors: the context's cause, and a worker
// that could not be started or says that it cannot check any unit.
func (w *Worker) run(ctx context.Context, path string, out *os.File, timeout time.Duration, memory int64) (end *End, why string, err error) {
	runtime.LockOSThread() // the system ends the worker with the thread that starts it
	defer runtime.UnlockOSThread()
	said := &head{}
	cmd := exec.Command(w.Path)
	cmd.Args, cmd.Stdout, cmd.Stderr = w.Args, out, said
	cmd.Env = append(os.Environ(), workerEnv+"="+strconv.Itoa(os.Getpid())+" "+w.Agrees+" "+path)
	cmd.WaitDelay = time.Second
	isolate(cmd)
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	limitMemory(cmd, memory)
	late := time.AfterFunc(timeout, func() { kill(cmd) })
	stop := context.AfterFunc(ctx, func() { kill(cmd) })
	err = cmd.Wait()
	inTime, onItsOwn := late.Stop(), stop()
	var ended *exec.ExitError
	switch status := cmd.ProcessState.ExitCode(); {
	case !onItsOwn:
		return nil, "", context.Cause(ctx)
	case !inTime:
		return nil, fmt.Sprintf("it took longer than %v", timeout), nil
	case err != nil && !errors.As(err, &ended) && !errors.Is(err, exec.ErrWaitDelay): // what it still says is of no use
		return nil, "", err
	case status == w.Usage:
		return nil, "", errors.New(said.first())
	case status == 0 || slices.Contains(w.Done, status):
		if last, _, err := lastLine(out); err != nil || !w.Whole(last) {
			return nil, "the worker ended without a result: " + said.first(), nil
		}
	default:
		return nil, strings.TrimSuffix(cmd.ProcessState.String()+": "+said.first(), ": "), nil
	}
	p := cmd.ProcessState
	return &End{Seconds: time.Since(begun).Seconds(), CPU: (p.UserTime() + p.SystemTime()).Seconds(), Memory: peakMemory(p)}, "", nil
}

// head keeps the first bytes that are written.
type head struct{ b []byte }

// maxSaid is the number of bytes that are kept of what a worker writes to standard error.
const maxSaid = 2 << 10

func (h *head) Write(b []byte) (int, error) {
	h.b = append(h.b, b[:min(len(b), maxSaid-len(h.b))]...)
	return len(b), nil
}

// first returns the first line.
func (h *head) first() string {
	line, _, _ := strings.Cut(string(h.b), "\n")
	return line
}
