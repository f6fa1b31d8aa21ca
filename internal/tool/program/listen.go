package program

import (
	"io"
	"os"
	"os/exec"
	"time"
)

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
