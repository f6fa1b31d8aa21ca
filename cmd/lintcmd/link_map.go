package lintcmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxMapLine is the most bytes of a line of a linker map.
const maxMapLine = 1 << 20

// linkerMap adds the inputs that a linker map names: of GNU ld, lld or mold. Only the
// members of archives that have a section in it were used.
func (l *linked) linkerMap(r io.Reader) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxMapLine)
	found := false
	var loads []int32 // each once
	for s.Scan() {
		line := bytes.TrimRight(s.Bytes(), "\r")
		name, load := bytes.CutPrefix(line, []byte("LOAD "))
		if !load {
			if name = gnuPart(line); name == nil {
				name = lldPart(line)
			}
			if archive, member, ok := inside(name); ok {
				found = true
				if err := l.addMember(archive, member); err != nil {
					return err
				}
				continue
			}
			if bytes.HasPrefix(name, []byte("<")) {
				continue
			}
		}
		if len(name) == 0 || string(name) == "linker stubs" {
			continue
		}
		i, err := l.entry(name)
		if err != nil {
			return err
		}
		if e := &l.inputs[i]; !e.loaded {
			e.loaded = true
			loads = append(loads, i)
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("a line of more than %d bytes: want a map of GNU ld, lld or mold", maxMapLine)
	case err != nil:
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

// gnuPart returns the input of an input section in a map of GNU ld, nil for none: after the
// section's name, or spaces, its address and its size.
func gnuPart(line []byte) []byte {
	if len(line) < 2 || line[0] != ' ' && line[0] != '\t' {
		return nil
	}
	if line[0] == ' ' && !isSpace(line[1]) {
		if name := gnuSizes(line[1+word(line[1:]):]); name != nil {
			return name
		}
	}
	return gnuSizes(line)
}

// gnuSizes returns what follows two numbers and a space.
func gnuSizes(b []byte) []byte {
	for range 2 {
		n := spaces(b)
		digits, ok := bytes.CutPrefix(b[n:], []byte("0x"))
		k := hexDigits(digits)
		if n == 0 || !ok || k == 0 {
			return nil
		}
		b = digits[k:]
	}
	if len(b) < 2 || b[0] != ' ' || isSpace(b[1]) {
		return nil
	}
	return b[1:]
}

// lldPart returns the input of an input section in a map of lld or mold, nil for none: after
// at least two numbers, as FILE:(SECTION).
func lldPart(line []byte) []byte {
	end := bytes.LastIndexByte(line, '(')
	if end < 2 || line[end-1] != ':' || bytes.IndexByte(line[end:], ')') != len(line)-1-end {
		return nil
	}
	b := bytes.TrimPrefix(line[spaces(line):end-1], []byte("0x"))
	n := 0
	for ; ; n++ {
		k := hexDigits(b)
		gap := spaces(b[k:])
		if k == 0 || gap == 0 || k+gap == len(b) {
			break
		}
		b = b[k+gap:]
	}
	if n < 2 || len(b) == 0 || isSpace(b[0]) {
		return nil
	}
	return b
}

// inside splits the name of a member, as ARCHIVE(MEMBER).
func inside(name []byte) (archive, member []byte, ok bool) {
	i := bytes.LastIndexByte(name, '(')
	if i < 1 || i+2 >= len(name) || bytes.IndexByte(name[i:], ')') != len(name)-1-i {
		return nil, nil, false
	}
	return name[:i], name[i+1 : len(name)-1], true
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

// spaces, word and hexDigits return how many bytes of b from its start on are spaces, are
// none, and are lower-case hexadecimal digits.
func spaces(b []byte) int {
	n := 0
	for n < len(b) && isSpace(b[n]) {
		n++
	}
	return n
}

func word(b []byte) int {
	n := 0
	for n < len(b) && !isSpace(b[n]) {
		n++
	}
	return n
}

func hexDigits(b []byte) int {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n] >= 'a' && b[n] <= 'f') {
		n++
	}
	return n
}
