package fuzzcmd

import (
	"io"
	"os"
	"os/exec"
	"time"
)

// maxOutput is how many bytes of a program's output are looked at: half of
// them from its beginning and half from its end, where sanitizers report.
const maxOutput = 1 << 20

// listener takes what a program writes.
type listener struct {
	r, w *os.File
	done chan []byte
}

// listen takes both streams of a command that is to be started. The command's
// end does not wait for what its children go on to write.
func listen(cmd *exec.Cmd) (*listener, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = w, w
	l := &listener{r, w, make(chan []byte, 1)}
	go func() {
		var e edges
		_, _ = io.Copy(&e, r) // an error is the end of it
		l.done <- e.bytes()
	}()
	return l, nil
}

// patience is how long a process that the command has left behind, and that
// has got away from its group, may keep the streams open.
const patience = time.Second

// hear returns what was written, when all who could write have ended.
func (l *listener) hear() []byte {
	l.w.Close()
	_ = l.r.SetReadDeadline(time.Now().Add(patience))
	defer l.r.Close()
	return <-l.done
}

// edges keeps the first and the last bytes of what is written.
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
