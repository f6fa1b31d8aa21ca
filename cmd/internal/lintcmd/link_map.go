package lintcmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
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
		return fmt.Errorf("no input found: expected a map of GNU ld, lld or mold")
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
			p.name = sectionInput(line)
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
		return fmt.Errorf("a line of more than %d bytes: expected a map of GNU ld, lld or mold", maxMapLine)
	} else if err != nil {
		return err
	}
	return nil
}

// inputSections match the lines of maps that name the input of a section. That of GNU ld is after the section's name, or
// spaces, its address and its size. That of lld or mold is after at least two numbers, as FILE:(SECTION).
var inputSections = []func() *regexp.Regexp{
	lookup.Regexp(`^(?: [^ \t\f]+)?[ \t\f]+0x[0-9a-f]+[ \t\f]+0x[0-9a-f]+ ([^ \t\f].*)$`),
	lookup.Regexp(`^[ \t\f]*(?:0x)?[0-9a-f]+(?:[ \t\f]+[0-9a-f]+)+[ \t\f]+([^ \t\f].*):\([^)]*\)$`),
}

// sectionInput returns the input of a section that a line names, nil for none.
func sectionInput(line []byte) []byte {
	for _, re := range inputSections {
		if m := re().FindSubmatch(line); m != nil {
			return m[1]
		}
	}
	return nil
}

// inside splits the name of a member, as ARCHIVE(MEMBER).
func inside(name []byte) (archive, member []byte, ok bool) {
	i := bytes.LastIndexByte(name, '(')
	if i < 1 || i+2 >= len(name) || bytes.IndexByte(name[i:], ')') != len(name)-1-i {
		return nil, nil, false
	}
	return name[:i], name[i+1 : len(name)-1], true
}
