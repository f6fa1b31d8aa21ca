// Package spool keeps compressed lines that a report can only write at its end.
package spool

import (
	"bufio"
	"bytes"
	"compress/flate"
	"io"
)

// Spool is a list of lines.
type Spool struct {
	n     int
	plain bytes.Buffer // the first lines
	z     *flate.Writer
	rest  bytes.Buffer // the others, compressed
}

const (
	// mostPlain is the number of bytes that are held as they are: a small report needs no more.
	mostPlain = 256 << 10
	// mostPacked bounds the compressed bytes. Lines of reports become a tenth or less.
	mostPacked = 6 << 20
)

// Len returns the number of lines.
func (s *Spool) Len() int { return s.n }

// Add adds a line without line feeds. It reports false if there is no room for the line.
func (s *Spool) Add(line []byte) bool {
	to := io.Writer(&s.plain)
	switch {
	case s.z != nil:
		to = s.z
	case s.plain.Len()+len(line) >= mostPlain:
		s.z, _ = flate.NewWriter(&s.rest, flate.BestSpeed) // the level is a valid one
		to = s.z
	}
	if s.rest.Len() > mostPacked {
		return false
	}
	s.n++
	_, _ = to.Write(line) // a Buffer has no errors
	_, _ = to.Write([]byte{'\n'})
	return true
}

// Each passes on the lines in order, without their line feeds. Nothing can be added afterwards.
func (s *Spool) Each(f func(line []byte)) error {
	if err := each(&s.plain, f); err != nil || s.z == nil {
		return err
	}
	if err := s.z.Close(); err != nil {
		return err
	}
	return each(flate.NewReader(&s.rest), f)
}

func each(from io.Reader, f func(line []byte)) error {
	r := bufio.NewReader(from)
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			f(line[:len(line)-1])
			line = line[:0]
		case err == io.EOF:
			return nil
		case err != bufio.ErrBufferFull:
			return err
		}
	}
}
