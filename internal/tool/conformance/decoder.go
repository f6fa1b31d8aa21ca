package conformance

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// Answer is a decoder's answer to a request.
type Answer struct {
	Error       string          // why the decoder rejects the section; "" if it accepts it
	Unsupported bool            // the decoder does not answer such requests
	Content     json.RawMessage // the section, or the result of a look-up
	Crashed     string          // the decoder ended, or did not answer in time
	Silent      bool            // it did not answer in time
	Stderr      string          // the beginning of a crashed decoder's standard error
}

// Decoder answers requests.
type Decoder interface {
	Ask(Request) *Answer
	// Close ends the input of the decoder. It returns an error if the decoder then fails.
	Close() error
}

// Process is a program that implements the protocol: one request a line on standard input, one answer a line on
// standard output. It restarts after a crash.
type Process struct {
	Command []string
	Timeout time.Duration // for an answer
	Env     []string      // nil means that of this process

	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	stop  context.CancelFunc

	stderr  head
	silent  bool          // it has not answered once
	longest time.Duration // that an answer took
}

// When a decoder has not answered once, it gets so many times the time of its longest answer, and at least hungTimeout.
const (
	timesHung   = 50
	hungTimeout = time.Second / 2
)

// timeout returns how long the decoder may take for an answer.
func (p *Process) timeout() time.Duration {
	if !p.silent {
		return p.Timeout
	}
	return min(p.Timeout, hungTimeout+timesHung*p.longest)
}

// head is the beginning of what is written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(b []byte) (int, error) {
	if room := maxStderr - h.Len(); room > 0 {
		h.Buffer.Write(b[:min(len(b), room)])
	}
	return len(b), nil
}

// maxStderr bounds what is kept of standard error, in bytes.
const maxStderr = 1 << 16

// repeatable starts decoders with their memory at the same addresses: what is read out of bounds, and the
// outcome, does not vary.
var repeatable = program.External{FixedAddresses: true}

// maxAnswer is the maximum number of bytes of an answer.
const maxAnswer = 16 << 20

func (p *Process) start() error {
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	p.cmd = exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	p.cmd.WaitDelay, p.cmd.Env = time.Second, p.Env
	p.stderr = head{}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := repeatable.Start(p.cmd); err != nil {
		return err
	}
	lines := make(chan string)
	p.lines = lines
	go func() {
		defer close(lines)
		s := bufio.NewScanner(out)
		s.Buffer(nil, maxAnswer)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return nil
}

// Ask implements [Decoder].
func (p *Process) Ask(r Request) *Answer {
	if p.cmd == nil {
		if err := p.start(); err != nil {
			p.cmd = nil
			return &Answer{Crashed: err.Error()}
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		return &Answer{Crashed: err.Error()}
	}
	begun, patience := time.Now(), p.timeout()
	go p.in.Write(append(b, '\n')) // a decoder that ends early must not block
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.in.Close()
			return &Answer{Crashed: cmp.Or(p.end(time.Second), "the decoder ended"), Stderr: p.stderr.String()}
		}
		p.longest = max(p.longest, time.Since(begun))
		return parse(line)
	case <-time.After(patience):
		p.silent = true
		p.stop()
		p.end(time.Second)
		return &Answer{Crashed: fmt.Sprintf("no answer in %v", patience), Silent: true}
	}
}

// end waits for the end of the process, which it kills after a time, and returns how it ended, "" for a status of 0.
func (p *Process) end(patience time.Duration) string {
	kill := time.AfterFunc(patience, p.stop)
	err := p.cmd.Wait()
	killed := !kill.Stop()
	p.stop()
	p.in.Close()
	p.cmd = nil
	switch {
	case killed:
		return fmt.Sprintf("no end in %v", patience)
	case err != nil:
		return err.Error()
	}
	return ""
}

// EndError describes a failure of a decoder at the end of its input.
type EndError struct{ How, Stderr string }

func (e *EndError) Error() string { return e.How + " at the end of the input" }

// Close implements [Decoder]. A nonzero status is a failure, and so is a report on standard error, for example of a
// memory leak.
func (p *Process) Close() error {
	if p.cmd == nil {
		return nil
	}
	p.in.Close()
	how := p.end(p.Timeout)
	if report := campaign.LastWords(p.stderr.String()); report != "" {
		how = strings.TrimPrefix(how+": "+report, ": ")
	}
	if how == "" {
		return nil
	}
	return &EndError{how, p.stderr.String()}
}

// parse reads a line of a decoder.
func parse(line string) *Answer {
	var head struct {
		Error       *string `json:"error"`
		Unsupported bool    `json:"unsupported"`
	}
	line = strings.TrimSpace(line)
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return &Answer{Crashed: fmt.Sprintf("the answer is no JSON object: %.80q", line)}
	}
	a := &Answer{Unsupported: head.Unsupported, Content: json.RawMessage(line)}
	if head.Error != nil {
		if a.Error = *head.Error; a.Error == "" {
			a.Error = "an error"
		}
	}
	return a
}
