package fuzzcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
)

// target is the command that decides which files are kept. It is started
// directly: no shell interprets the name of a file.
type target struct {
	args    []string
	timeout time.Duration
	path    string // of the candidate
}

// placeholder is replaced by the file's name in a command.
const placeholder = "@@"

// parseCommand splits a command as a shell does, with quotes. Variables, pipes,
// redirections and the like, which need a shell, are errors.
func parseCommand(line string) (args []string, err error) {
	var words []*syntax.Word
	for w, err := range syntax.NewParser().WordsSeq(strings.NewReader(line)) {
		if err != nil {
			return nil, fmt.Errorf("--keep: %q needs a shell: %w", line, err)
		}
		words = append(words, w)
	}
	for _, w := range words {
		syntax.Walk(w, func(n syntax.Node) bool {
			switch n.(type) {
			case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
				return true
			}
			err = fmt.Errorf("--keep: %q needs a shell; put it in single quotes to pass it unchanged", line[n.Pos().Offset():n.End().Offset()])
			return false
		})
		if err != nil {
			return nil, err
		}
	}
	if args, err = expand.Fields(&expand.Config{Env: expand.ListEnviron()}, words...); err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	if len(args) == 0 {
		return nil, errors.New("--keep: no command given")
	}
	return args, nil
}

// newTarget prepares a command for files in dir with the extension of the given
// one.
func newTarget(line, file, dir string, timeout time.Duration) (*target, error) {
	args, err := parseCommand(line)
	if err != nil {
		return nil, err
	}
	if args[0], err = exec.LookPath(args[0]); err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	return &target{args: args, timeout: timeout, path: filepath.Join(dir, "candidate"+filepath.Ext(file))}, nil
}

// outcome is the result of a run.
type outcome struct {
	exit    int // status, -1 where there is none
	signal  int // that ended it, 0 for none
	timeout bool
	output  []byte // of both streams, or its beginning and end
}

func (o *outcome) String() string {
	switch {
	case o.timeout:
		return "timeout"
	case o.signal != 0:
		return fmt.Sprintf("signal %d", o.signal)
	}
	return fmt.Sprintf("exit status %d", o.exit)
}

// same reports whether both runs ended in the same way.
func (o *outcome) same(p *outcome) bool {
	return o.exit == p.exit && o.signal == p.signal && o.timeout == p.timeout
}

// run runs the command on data until the context ends. It returns an error for
// failed I/O, if the command could not be started, and program.ErrInterrupted.
func (t *target) run(ctx context.Context, data []byte) (*outcome, error) {
	if err := os.WriteFile(t.path, data, 0o600); err != nil {
		return nil, err
	}
	named := false
	args := make([]string, len(t.args))
	for i, a := range t.args {
		named = named || strings.Contains(a, placeholder)
		args[i] = strings.ReplaceAll(a, placeholder, t.path)
	}
	cmd := exec.Command(args[0], args[1:]...)
	if !named {
		in, err := os.Open(t.path)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	isolate(cmd)
	out, err := listen(cmd)
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		out.hear()
		return nil, err
	}
	late := time.AfterFunc(t.timeout, func() { kill(cmd) })
	stop := context.AfterFunc(ctx, func() { kill(cmd) })
	err = cmd.Wait()
	o := &outcome{timeout: !late.Stop(), exit: cmd.ProcessState.ExitCode(), signal: signalOf(cmd.ProcessState)}
	kill(cmd) // processes that the command has left
	o.output = out.hear()
	var ended *exec.ExitError
	switch {
	case !stop():
		return nil, program.ErrInterrupted
	case o.timeout:
		o.exit, o.signal = -1, 0
	case err != nil && !errors.As(err, &ended):
		return nil, err
	}
	return o, nil
}
