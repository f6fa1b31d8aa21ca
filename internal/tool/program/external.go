package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// External is a command that runs on files. It is started directly, so no shell interprets the name of a file.
type External struct {
	// Args are the command and its arguments. Input and Output are replaced by file names. If no argument has Input,
	// the input file is the standard input.
	Args    []string
	Env     []string // of the command; nil means that of this process
	Dir     string   // "" means that of this process
	Timeout time.Duration
	// Memory is the maximum size of the address space, and FileSize that of each written file, in bytes; 0 means no
	// limit. With a limit, a shell sets it and starts the command, and there is no core file.
	Memory, FileSize uint64
	// Split keeps standard error separate from standard output.
	Split bool
	// FixedAddresses puts the memory of the command at the same addresses in each run if possible, so reads out of
	// bounds give the same values. It has an effect only on Linux.
	FixedAddresses bool
}

// Input and Output stand for the names of files in a command.
const (
	Input  = "@@"
	Output = "@out"
)

// Parse splits a command like a shell, with quotes. Anything that needs a shell, such as variables, pipes and
// redirections, is an error.
func Parse(line string) (args []string, err error) {
	var word []byte
	started, quote := false, byte(0) // started: even an empty quoted word is a word
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != quote, quote == '"' && !strings.ContainsRune("\"\\$`", rune(c)):
			word = append(word, c)
		case c == quote:
			quote = 0
		case c == '\\' && i+1 < len(line):
			i++
			if quote == '"' && !strings.ContainsRune("\"\\$`", rune(line[i])) {
				word = append(word, c)
			}
			word, started = append(word, line[i]), true
		case c == '\'' || c == '"':
			quote, started = c, true
		case strings.ContainsRune("|&;<>()`$\\", rune(c)):
			return nil, fmt.Errorf("%q needs a shell; put it in single quotes to pass it unchanged", line[i:])
		case strings.ContainsRune(" \t\n", rune(c)):
			if started {
				args = append(args, string(word))
			}
			word, started = nil, false
		default:
			word, started = append(word, c), true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("%q has a quote that is not closed", line)
	case started:
		args = append(args, string(word))
	}
	if len(args) == 0 {
		return nil, errors.New("no command given")
	}
	return args, nil
}

// ErrMissing is the cause of an error about a command whose program does not exist.
var ErrMissing = errors.New("no such program")

// Outcome is the result of a run.
type Outcome struct {
	Exit    int // status, -1 if the command has none
	Signal  int // the signal that ended the command, 0 for none
	Timeout bool
	Stdout  []byte // with standard error unless split; if long, only its beginning and end
	Stderr  []byte
	Time    time.Duration // processor time
	RSS     int64         // maximum memory in use, in bytes; at least that of this process when it started the command
}

func (o *Outcome) String() string {
	switch {
	case o.Timeout:
		return "timeout"
	case o.Signal != 0:
		return fmt.Sprintf("signal %d", o.Signal)
	}
	return fmt.Sprintf("exit status %d", o.Exit)
}

// Same reports whether both runs ended in the same way.
func (o *Outcome) Same(p *Outcome) bool {
	return o.Exit == p.Exit && o.Signal == p.Signal && o.Timeout == p.Timeout
}

// Prepare returns the command for an input and an output file, without starting it. The caller closes its standard
// input.
func (c *External) Prepare(in, out string) (cmd *exec.Cmd, stdin *os.File, err error) {
	named := false
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		named = named || strings.Contains(a, Input)
		args[i] = strings.ReplaceAll(strings.ReplaceAll(a, Input, in), Output, out)
	}
	args = c.shellArgs(args)
	cmd = exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	if !named {
		if stdin, err = os.Open(in); err != nil {
			return nil, nil, err
		}
		cmd.Stdin = stdin
	}
	isolate(cmd)
	return cmd, stdin, nil
}

// shellArgs returns the arguments of a shell that sets the limits and becomes the command: the command has them from its
// first instruction on, and no sanitizer sees them change.
func (c *External) shellArgs(args []string) []string {
	if c.Memory == 0 && c.FileSize == 0 {
		return args
	}
	script := "ulimit -c 0; "
	if c.Memory > 0 {
		script += fmt.Sprintf("ulimit -v %d; ", c.Memory>>10) // KiB
	}
	if c.FileSize > 0 {
		script += fmt.Sprintf("ulimit -f %d; ", (c.FileSize+511)/512) // POSIX counts blocks of 512 bytes
	}
	return append([]string{"/bin/sh", "-c", script + `exec "$0" "$@"`}, args...)
}

// Start starts the command from Prepare, and does not wait.
func (c *External) Start(cmd *exec.Cmd) error {
	if c.FixedAddresses {
		defer fixAddresses()()
	}
	return cmd.Start()
}

// Run runs the command on a file until the context ends. It returns an error if I/O fails or the command cannot be
// started, or else the context's cause.
func (c *External) Run(ctx context.Context, in, out string) (*Outcome, error) {
	cmd, stdin, err := c.Prepare(in, out)
	if err != nil {
		return nil, err
	}
	if stdin != nil {
		defer stdin.Close()
	}
	streams, err := listen(cmd, c.Split)
	if err != nil {
		return nil, err
	}
	if err := c.Start(cmd); err != nil {
		streams.wait()
		return nil, err
	}
	late := time.AfterFunc(c.Timeout, func() { Kill(cmd) })
	stop := context.AfterFunc(ctx, func() { Kill(cmd) })
	err = cmd.Wait()
	o := &Outcome{Timeout: !late.Stop(), Exit: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd.ProcessState)}
	Kill(cmd) // processes that the command has left
	o.Stdout, o.Stderr = streams.wait()
	o.Time = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	o.RSS = rss(cmd.ProcessState)
	var ended *exec.ExitError
	switch {
	case !stop():
		return nil, context.Cause(ctx)
	case o.Timeout:
		o.Exit, o.Signal = -1, 0
	case err != nil && !errors.As(err, &ended):
		return nil, err
	}
	return o, nil
}

// maxOutput bounds the bytes kept of a stream: half of them from its beginning and half from its
// end, where sanitizers report.
const maxOutput = 1 << 20

// streams are the streams of a command that are read.
type streams []*listener

// listener reads a stream.
type listener struct {
	r, w *os.File
	done chan []byte
}

// listen prepares to read both streams of a command before it starts, together or apart. Waiting
// for the command does not wait for its children.
func listen(cmd *exec.Cmd, split bool) (streams, error) {
	out, err := newListener()
	if err != nil {
		return nil, err
	}
	all := streams{out}
	cmd.Stdout, cmd.Stderr = out.w, out.w
	if split {
		errs, err := newListener()
		if err != nil {
			out.wait()
			return nil, err
		}
		cmd.Stderr = errs.w
		all = append(all, errs)
	}
	return all, nil
}

func newListener() (*listener, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	l := &listener{r, w, make(chan []byte, 1)}
	go func() {
		var e edges
		_, _ = io.Copy(&e, r) // an error ends the output
		l.done <- e.bytes()
	}()
	return l, nil
}

// patience is how long a process that has left the command's process group may
// keep the streams open.
const patience = time.Second

// wait returns the streams when all writers have ended.
func (s streams) wait() (out, errs []byte) {
	out = s[0].wait()
	if len(s) > 1 {
		errs = s[1].wait()
	}
	return out, errs
}

func (l *listener) wait() []byte {
	l.w.Close()
	_ = l.r.SetReadDeadline(time.Now().Add(patience))
	defer l.r.Close()
	return <-l.done
}

// edges keeps the first and the last bytes written.
type edges struct{ head, tail []byte }

func (e *edges) Write(p []byte) (int, error) {
	n := min(len(p), maxOutput/2-len(e.head))
	e.head = append(e.head, p[:n]...)
	e.tail = append(e.tail, p[n:]...)
	if len(e.tail) > maxOutput { // not for every write
		e.tail = append(e.tail[:0], e.tail[len(e.tail)-maxOutput/2:]...)
	}
	return len(p), nil
}

func (e *edges) bytes() []byte {
	return append(e.head, e.tail[max(0, len(e.tail)-maxOutput/2):]...)
}

// Place makes a directory below dir for one run, and in it a file with a name, and returns the path of the file. No
// program can foresee the name of the directory, so the file cannot exist already. The caller removes the directory.
func Place(dir, name string, data []byte) (path string, err error) {
	own := filepath.Join(dir, fmt.Sprintf("%016x", rand.Uint64())) // of one length: it is on the stack of the program
	if err := os.Mkdir(own, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(own, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // O_EXCL does not follow a link
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(own))
	}
	return path, nil
}
