package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// External is a command that is run on files. It is started directly: no shell interprets the name
// of a file.
type External struct {
	// Args are the command and its arguments. Input and Output are replaced by file names.
	// Without Input, the file is the standard input.
	Args    []string
	Env     []string // of the command; nil means that of this process
	Dir     string   // "" means that of this process
	Timeout time.Duration
	// Memory bounds the address space and FileSize each file that is written, in bytes; 0 means
	// no limit. With a limit, a shell that sets it starts the command, and there is no core file.
	Memory, FileSize uint64
	// Split keeps standard error apart from standard output.
	Split bool
	// FixedAddresses puts the memory of the command at the same addresses in each run, where
	// the system allows it: what is read out of bounds does not vary. It has an effect only on Linux.
	FixedAddresses bool
}

// Input and Output stand for the names of files in a command.
const (
	Input  = "@@"
	Output = "@out"
)

// Parse splits a command as a shell does, with quotes. Variables, pipes, redirections and the
// like, which need a shell, are errors.
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
	Exit    int // status, -1 if there is none
	Signal  int // that ended the command, 0 for none
	Timeout bool
	Stdout  []byte // of the two streams unless they are split, or its beginning and end
	Stderr  []byte
	Time    time.Duration // of the processor
	RSS     int64         // most memory in use, in bytes; at least that of this process when it started the command
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

// Prepare returns the command for an input and an output file, not yet started. The caller closes
// what it reads.
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

// Start starts what Prepare has returned, and does not wait.
func (c *External) Start(cmd *exec.Cmd) error {
	if c.FixedAddresses {
		defer fixAddresses()()
	}
	return cmd.Start()
}

// Run runs the command on a file until the context ends. It returns an error for failed I/O, if the
// command could not be started, and the context's cause.
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
