package lintcmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
)

// linked are the inputs of a link, each once, in their order. Of archives whose members are
// known, only these were used. What it holds is spent from a budget.
type linked struct {
	budget  *budget.Budget
	roots   []string // where relative inputs of a list may be, too
	dir     string   // of the list that is read, "" for arguments
	inputs  []listedInput
	index   map[string]int32 // of the inputs, by path
	order   []int32          // of those that are used
	members map[listedMember]struct{}
}

// listedInput is an input that was named.
type listedInput struct {
	path    string
	used    bool
	named   bool // by the user, not by a list that a linker has written
	archive bool // whose members are known
	loaded  bool // by a map
}

// listedMember is a member of an archive that a link has used.
type listedMember struct {
	archive int32
	name    string
}

// inputBytes and memberBytes are about what an input and a member take besides their names, and searchSteps what it costs to
// look for an input in a directory.
const inputBytes, memberBytes, searchSteps = 80, 36, 100

// entry returns the index of an input. Its error is that of the budget.
func (l *linked) entry(path []byte) (int32, error) {
	if i, ok := l.index[string(path)]; ok {
		return i, nil
	}
	if err := l.budget.Step(searchSteps * int64(2+len(l.roots))); err != nil {
		return 0, err
	}
	file := l.find(string(path))
	if err := l.budget.Spend(budget.Memory, int64(len(path)+len(file))+inputBytes); err != nil {
		return 0, err
	}
	if l.index == nil {
		l.index = map[string]int32{}
	}
	i, ok := l.index[file]
	if !ok {
		i = int32(len(l.inputs))
		l.inputs = append(l.inputs, listedInput{path: file})
		l.index[file] = i
	}
	l.index[string(path)] = i
	return i, nil
}

// find returns where an input is that a list names: in the working directory, in that of the list, or below a root.
// Linkers write names relative to their own working directory.
func (l *linked) find(path string) string {
	if l.dir == "" || filepath.IsAbs(path) {
		return path
	}
	for _, dir := range slices.Concat([]string{"", l.dir}, l.roots) {
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			if dir == "" {
				return path
			}
			return filepath.Join(dir, path)
		}
	}
	return path
}

// listing reads a file that lists inputs.
func (l *linked) listing(flag, path string, read func(r io.Reader) error) error {
	l.dir = filepath.Dir(path)
	defer func() { l.dir = "" }()
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		err = read(&stepReader{io.LimitReader(f, maxListing), l.budget})
	}
	if file := (*fs.PathError)(nil); err != nil && !errors.As(err, &file) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		err = fmt.Errorf("%s%w", flag, err)
	}
	return program.Failed(err)
}

// stepReader spends a step for each byte that it reads.
type stepReader struct {
	io.Reader
	budget *budget.Budget
}

func (r *stepReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if over := r.budget.Step(int64(n)); over != nil {
		err = over
	}
	return n, err
}

// use makes an input one of those that are read.
func (l *linked) use(i int32) {
	if e := &l.inputs[i]; !e.used {
		e.used = true
		l.order = append(l.order, i)
	}
}

// add adds an input that a list names. The name is not one of standard input.
func (l *linked) add(path string) error {
	if path == "" {
		return nil
	}
	i, err := l.entry([]byte(path))
	if err == nil {
		l.use(i)
	}
	return err
}

func (l *linked) addMember(path, member []byte) error {
	i, err := l.entry(path)
	if err != nil {
		return err
	}
	l.use(i)
	l.inputs[i].archive = true
	if _, ok := l.members[listedMember{i, string(member)}]; ok {
		return nil
	}
	if err := l.budget.Spend(budget.Memory, int64(len(member))+memberBytes); err != nil {
		return err
	}
	if l.members == nil {
		l.members = map[listedMember]struct{}{}
	}
	l.members[listedMember{i, string(member)}] = struct{}{}
	return nil
}

// paths returns the inputs that are read.
func (l *linked) paths() []string {
	all := make([]string, len(l.order))
	for k, i := range l.order {
		all[k] = l.inputs[i].path
		if all[k] == "-" && !l.inputs[i].named {
			all[k] = "./-"
		}
	}
	return all
}

// has reports whether a member may have been used.
func (l *linked) has(path, member string) bool {
	i, ok := l.index[path]
	if member == "" || !ok || !l.inputs[i].archive {
		return true
	}
	_, ok = l.members[listedMember{i, member}]
	return ok
}

// passes reports whether a listed input has no functions that are linked: it is a shared
// library or a linker script.
func (l *linked) passes(u *compare.Unit) bool {
	i, ok := l.index[u.Path]
	return !(ok && l.inputs[i].named) && (u.Linked || u.Status == reader.StatusNotELF && u.Member == "")
}

// maxListing is the maximum number of bytes of a file that lists inputs.
const maxListing = 1 << 30

// valued are options of linkers whose value is the next argument.
var valued = []string{"-o", "--output", "-L", "-T", "--script", "-m", "-z", "-e", "--entry", "-h", "-soname", "--soname", "-rpath",
	"--rpath", "-rpath-link", "-I", "-dynamic-linker", "--dynamic-linker", "-Map", "--Map", "-y", "-u", "--undefined", "-l", "-plugin",
	"-a", "-A", "-F", "-f", "-G", "-O", "-R", "-Y", "--version-script", "--dynamic-list", "--defsym", "--dependency-file", "-plugin-opt"}

// response adds the inputs in a response file, which may have the other arguments of the
// linker: words between spaces, with quotes and backslashes as in a shell.
func (l *linked) response(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	skip := false
	for _, word := range words(string(b)) {
		switch {
		case skip:
			skip = false
		case slices.Contains(valued, word):
			skip = true
		case !strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "@"):
			if err := l.add(word); err != nil {
				return err
			}
		}
	}
	return nil
}

// Words of a response file, their parts with quotes or a backslash, and characters after a backslash.
var (
	responseWord = lookup.Regexp(`(?s)(?:[^\s\v"'\\]|\\.|"(?:[^"\\]|\\.)*"?|'[^']*'?)+`)
	responsePart = lookup.Regexp(`(?s)\\.|"((?:[^"\\]|\\.)*)"?|'[^']*'?`)
	escapedRune  = lookup.Regexp(`(?s)\\(.)`)
)

// words splits the text of a response file.
func words(s string) []string {
	all := responseWord().FindAllString(s, -1)
	for i, word := range all {
		all[i] = responsePart().ReplaceAllStringFunc(word, func(part string) string {
			switch part[0] {
			case '\'':
				return strings.Trim(part, "'")
			case '"':
				part = responsePart().FindStringSubmatch(part)[1]
			}
			return escapedRune().ReplaceAllString(part, "$1")
		})
	}
	return all
}

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
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line of more than %d bytes: expected a map of GNU ld, lld or mold", maxMapLine)
	}
	return s.Err()
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
