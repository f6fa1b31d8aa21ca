package lintcmd

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/compare"
	"github.com/sframe-lint/sframe-lint/reader"
)

// linked are the inputs of a link, each once, in their order. Of archives whose members are
// known, only these were used.
type linked struct {
	paths   []string
	seen    map[string]bool
	named   map[string]bool // by the user, not by a list that a linker has written
	members map[string]map[string]bool
}

func (l *linked) add(path string) {
	if path == "" || l.seen[path] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[path] = true
	l.paths = append(l.paths, path)
}

func (l *linked) addMember(path, member string) {
	l.add(path)
	if l.members == nil {
		l.members = map[string]map[string]bool{}
	}
	if l.members[path] == nil {
		l.members[path] = map[string]bool{}
	}
	l.members[path][member] = true
}

// has reports whether a member may have been used.
func (l *linked) has(path, member string) bool {
	all := l.members[path]
	return member == "" || all == nil || all[member]
}

// passes reports whether a listed input has no functions that are linked: it is a shared
// library or a linker script.
func (l *linked) passes(u *compare.Unit) bool {
	return !l.named[u.Path] && (u.Linked || u.Status == reader.StatusNotELF && u.Member == "")
}

// maxListing is the most bytes of a file that lists inputs.
const maxListing = 1 << 30

// readListing opens a file that lists inputs.
func readListing(path string, read func(r io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return program.Failed(err)
	}
	defer f.Close()
	if err := read(io.LimitReader(f, maxListing)); err != nil {
		return program.Failed(fmt.Errorf("%s: %w", path, err))
	}
	return nil
}

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
			l.add(word)
		}
	}
	return nil
}

// words splits the text of a response file.
func words(s string) (all []string) {
	var word strings.Builder
	in, quote := false, rune(0)
	escaped := false
	for _, c := range s {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, in = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, in = c, true
		case strings.ContainsRune(" \t\r\n\v\f", c):
			if in {
				all = append(all, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if in {
		all = append(all, word.String())
	}
	return all
}

var (
	// GNU ld: an input, and an input section with its address and size.
	gnuLoad = lazy(`^LOAD (.+)$`)
	gnuPart = lazy(`^ \S+\s+0x[0-9a-f]+\s+0x[0-9a-f]+ (\S.*)$|^\s+0x[0-9a-f]+\s+0x[0-9a-f]+ (\S.*)$`)
	// lld and mold: addresses, and an input section as FILE:(SECTION).
	lldPart = lazy(`^\s*(?:0x)?[0-9a-f]+\s+(?:[0-9a-f]+\s+)+(\S.*):\([^()]*\)$`)
	inside  = lazy(`^(.+)\(([^()]+)\)$`)
)

// lazy compiles a regular expression when it is first used: most commands use none.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// linkerMap adds the inputs that a linker map names: of GNU ld, lld or mold. Only the
// members of archives that have a section in it were used.
func (l *linked) linkerMap(r io.Reader) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	var archives, loads []string
	for s.Scan() {
		line := strings.TrimRight(s.Text(), "\r")
		var name string
		if m := gnuLoad().FindStringSubmatch(line); m != nil {
			if m[1] != "linker stubs" {
				loads = append(loads, m[1])
			}
			continue
		} else if m := gnuPart().FindStringSubmatch(line); m != nil {
			name = m[1] + m[2]
		} else if m := lldPart().FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		switch m := inside().FindStringSubmatch(name); {
		case m != nil:
			l.addMember(m[1], m[2])
			archives = append(archives, m[1])
		case name != "" && name != "linker stubs" && !strings.HasPrefix(name, "<"):
			loads = append(loads, name)
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	for _, path := range slices.Compact(loads) {
		// An archive none of whose members was used has no section.
		if l.members[path] != nil || !strings.HasSuffix(path, ".a") {
			l.add(path)
		}
	}
	if len(l.paths) == 0 && len(archives) == 0 {
		return fmt.Errorf("no input found: want a map of GNU ld, lld or mold")
	}
	return nil
}

// dependencies adds the inputs in a dependency file: the prerequisites of its first rule.
func (l *linked) dependencies(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(strings.ReplaceAll(string(b), "\r\n", "\n"), "\\\n", " ")
	rule, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	at := strings.Index(rule, ": ")
	if at < 0 {
		return fmt.Errorf("no rule found: want a file that --dependency-file of a linker has written")
	}
	for _, word := range words(strings.ReplaceAll(rule[at+2:], "$$", "$")) {
		l.add(word)
	}
	return nil
}
