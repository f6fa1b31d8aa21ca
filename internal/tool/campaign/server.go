package campaign

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// Request is a section and PCs to look up in it.
type Request struct {
	Data    []byte // the first MaxSection bytes are read
	Addr    uint64 // of the section
	Text    [2]uint64
	Lookups []Lookup
}

// Lookup is a PC to look up. FDEType is the type of its function's FDE; libsframe's functions need it to read an FRE.
type Lookup struct {
	PC      uint64
	FDEType uint64
}

// AnyText means that all addresses contain code.
var AnyText = [2]uint64{0, math.MaxUint64}

// MaxSection and maxLookups are the maximum number of bytes of a section and of PCs that a driver reads.
const (
	MaxSection = 1 << 22
	maxLookups = 1 << 16
)

// MaxText is the maximum size of an answer in bytes; longer answers are cut.
const MaxText = 1<<16 - 1

// Answer is the output of a driver for a section.
type Answer struct {
	Crashed bool // the text has the signal and its places, or the report of a sanitizer
	Text    string
}

// Server is a running driver.
type Server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// StartServer starts a driver with the command that [Library.Compile] returned. A nil environment means that of this
// process.
func StartServer(run, env []string) (*Server, error) {
	c := program.External{Args: run, Env: env, FixedAddresses: true}
	cmd, stdin, err := c.Prepare(os.DevNull, "")
	if err != nil {
		return nil, err
	}
	stdin.Close()
	cmd.Stdin = nil
	s := &Server{cmd: cmd}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<16)
	return s, c.Start(cmd)
}

// Close ends the driver.
func (s *Server) Close() {
	s.in.Close()
	program.Kill(s.cmd)
	_ = s.cmd.Wait() // it was killed
}

// Read reads sections and returns one answer for each. After an error the driver cannot be used.
func (s *Server) Read(ctx context.Context, requests []Request) ([]Answer, error) {
	stop := context.AfterFunc(ctx, func() { program.Kill(s.cmd) })
	defer stop()
	go func() { // what the driver writes must be read meanwhile
		w := bufio.NewWriterSize(s.in, 1<<16)
		put := func(v any) { _ = binary.Write(w, binary.NativeEndian, v) }
		put(uint32(len(requests)))
		for _, r := range requests {
			data, lookups := r.Data[:min(len(r.Data), MaxSection)], r.Lookups[:min(len(r.Lookups), maxLookups)]
			put([]uint64{r.Addr, r.Text[0], r.Text[1]})
			put([]uint32{uint32(len(data)), uint32(len(lookups))})
			put(lookups)
			_, _ = w.Write(data)
		}
		_ = w.Flush() // an error ends the driver's output
	}()
	all := make([]Answer, len(requests))
	for i := range all {
		var head [2]uint32
		if err := binary.Read(s.out, binary.NativeEndian, &head); err != nil {
			return nil, cmp.Or(context.Cause(ctx), fmt.Errorf("the driver has ended: %w", err))
		}
		text := make([]byte, head[1])
		if _, err := io.ReadFull(s.out, text); err != nil {
			return nil, cmp.Or(context.Cause(ctx), err)
		}
		all[i] = Answer{head[0] != 0, string(text)}
	}
	return all, nil
}
