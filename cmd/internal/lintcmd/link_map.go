package lintcmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxMapLine is the maximum number of bytes of a line of a linker map.
const maxMapLine = 1 << 20

// linkerMap adds the inputs that a linker map names: of GNU ld, lld or mold. Only the
// members of archives that have a section in it were used.
func (l *linked) linkerMap(r io.Reader) error {
	found := false
	var loads []int32 // each once
	err := readMap(r, func(p *mapPart) error {
		if archive, member, ok := inside(p.name); ok && !p.load {
			found = true
			return l.addMember(archive, member)
		}
		i, err := l.entry(p.name)
		if err != nil {
			return err
		}
		if e := &l.inputs[i]; !e.loaded {
			e.loaded = true
			loads = append(loads, i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, i := range loads {
		// An archive none of whose members was used has no section.
		if e := &l.inputs[i]; e.archive || !bytes.HasSuffix([]byte(e.path), []byte(".a")) {
			l.use(i)
		}
	}
	if len(l.order) == 0 && !found {
		return fmt.Errorf("no input found: want a map of GNU ld, lld or mold")
	}
	return nil
}

// mapPart is an input that a line of a linker map names.
type mapPart struct {
	name []byte
	load bool // without a section
}

// readMap calls each for the lines of a linker map that name inputs.
func readMap(r io.Reader, each func(p *mapPart) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxMapLine)
	for s.Scan() {
		line := bytes.TrimRight(s.Bytes(), "\r")
		var p mapPart
		if p.name, p.load = bytes.CutPrefix(line, []byte("LOAD ")); !p.load {
			if p.name = gnuPart(line); p.name == nil {
				p.name = lldPart(line)
			}
			if bytes.HasPrefix(p.name, []byte("<")) && !bytes.HasSuffix(p.name, []byte(")")) {
				continue
			}
		}
		if len(p.name) == 0 || string(p.name) == "linker stubs" {
			continue
		}
		if err := each(&p); err != nil {
			return err
		}
	}
	if err := s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line of more than %d bytes: want a map of GNU ld, lld or mold", maxMapLine)
	} else if err != nil {
		return err
	}
	return nil
}

// What the lines of maps consist of.
const (
	spaces    = " \t\n\f\r"
	hexDigits = "0123456789abcdef"
)

// gnuPart returns the input of an input section in a map of GNU ld, nil for none: after the
// section's name, or spaces, its address and its size.
func gnuPart(line []byte) []byte {
	if len(line) < 2 || line[0] != ' ' && line[0] != '\t' {
		return nil
	}
	if at := bytes.IndexAny(line[1:], spaces); line[0] == ' ' && at > 0 {
		if name := gnuSizes(line[1+at:]); name != nil {
			return name
		}
	}
	return gnuSizes(line)
}

// gnuSizes returns what follows two numbers and a space.
func gnuSizes(b []byte) []byte {
	for range 2 {
		number := bytes.TrimLeft(b, spaces)
		digits, ok := bytes.CutPrefix(number, []byte("0x"))
		rest := bytes.TrimLeft(digits, hexDigits)
		if len(number) == len(b) || !ok || len(rest) == len(digits) {
			return nil
		}
		b = rest
	}
	if name, ok := bytes.CutPrefix(b, []byte(" ")); ok && len(name) > 0 && !bytes.ContainsAny(name[:1], spaces) {
		return name
	}
	return nil
}

// lldPart returns the input of an input section in a map of lld or mold, nil for none: after
// at least two numbers, as FILE:(SECTION).
func lldPart(line []byte) []byte {
	end := bytes.LastIndexByte(line, '(')
	if end < 2 || line[end-1] != ':' || bytes.IndexByte(line[end:], ')') != len(line)-1-end {
		return nil
	}
	b := bytes.TrimPrefix(bytes.TrimLeft(line[:end-1], spaces), []byte("0x"))
	for n := 0; ; n++ {
		gap := bytes.TrimLeft(b, hexDigits)
		rest := bytes.TrimLeft(gap, spaces)
		if len(gap) == len(b) || len(rest) == len(gap) || len(rest) == 0 {
			if n < 2 || len(b) == 0 || bytes.ContainsAny(b[:1], spaces) {
				return nil
			}
			return b
		}
		b = rest
	}
}

// inside splits the name of a member, as ARCHIVE(MEMBER).
func inside(name []byte) (archive, member []byte, ok bool) {
	i := bytes.LastIndexByte(name, '(')
	if i < 1 || i+2 >= len(name) || bytes.IndexByte(name[i:], ')') != len(name)-1-i {
		return nil, nil, false
	}
	return name[:i], name[i+1 : len(name)-1], true
}
