package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/command"
)

// Answer is a decoder's answer to a request.
type Answer struct {
	Error       string          // why the decoder refuses the section; "" if it does not
	Unsupported bool            // the decoder does not answer such requests
	Content     json.RawMessage // the section, or the result of a look-up
	Crashed     string          // the decoder ended, or did not answer in time
	Silent      bool            // it did not answer in time
	Stderr      string          // the beginning of what a decoder that crashed has written to standard error
}

// Decoder answers requests.
type Decoder interface {
	Ask(Request) *Answer
	Close() error
}

// Process is a program that implements the protocol: one request a line on standard
// input, one answer a line on standard output. It is started again after a crash.
type Process struct {
	Command []string
	Timeout time.Duration // for an answer
	Env     []string      // nil means that of this process

	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	stop  context.CancelFunc

	stderr head
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
var repeatable = command.Command{FixedAddresses: true}

// maxAnswer is the most bytes of an answer.
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
	go p.in.Write(append(b, '\n')) // a decoder that ends early must not block
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.in.Close()
			return &Answer{Crashed: p.end(), Stderr: p.stderr.String()}
		}
		return parse(line)
	case <-time.After(p.Timeout):
		p.stop()
		p.end()
		return &Answer{Crashed: fmt.Sprintf("no answer in %v", p.Timeout), Silent: true}
	}
}

// end waits for the end of the process, which it kills after a second, and returns how it
// ended.
func (p *Process) end() string {
	kill := time.AfterFunc(time.Second, p.stop)
	err := p.cmd.Wait()
	kill.Stop()
	p.stop()
	p.in.Close()
	p.cmd = nil
	if err == nil {
		return "the decoder ended"
	}
	return err.Error()
}

// Close implements [Decoder].
func (p *Process) Close() error {
	if p.cmd == nil {
		return nil
	}
	p.in.Close()
	p.end()
	return nil
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
