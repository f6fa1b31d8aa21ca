// Package shard divides a list of inputs among independent runs, and keeps the result of each input in its own file.
// The result files are also the cache: an input with the same bytes and the same setup is not checked again.
package shard

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// Unit is an input: a file, mostly a package, or a directory.
type Unit struct {
	Path string
	Size int64 // in bytes, as the list states it; 0 if it does not
}

// ID returns the name of the unit in file names.
func (u *Unit) ID() string {
	sum := sha256.Sum256([]byte(u.Path))
	return hex.EncodeToString(sum[:16])
}

// weight is what a unit counts for besides its bytes: a start of the program.
const weight = 64 << 10

func (u *Unit) weight() int64 { return u.Size + weight }

// maxLine is the maximum length of a line of a list, in bytes.
const maxLine = 64 << 10

// ReadManifest reads a list of units: a path on a line, and perhaps its size in bytes after a tab. A path that
// comes twice, also once relative and once from the root on, is one unit. Relative paths are relative to the working
// directory.
func ReadManifest(r io.Reader) ([]Unit, error) {
	var all []Unit
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if why := noPath(lines.Bytes()); why != "" {
			return nil, fmt.Errorf("line %d: %s", n, why)
		}
		path, size, found := cutSize(lines.Text())
		if path == "" {
			continue
		}
		u := Unit{Path: filepath.Clean(path)}
		if found {
			var err error
			if u.Size, err = strconv.ParseInt(size, 10, 64); err != nil || u.Size < 0 || u.Size > 1<<50 {
				return nil, fmt.Errorf("line %d: %q is not a size in bytes", n, size)
			}
		}
		abs, err := filepath.Abs(u.Path)
		if err != nil {
			return nil, err
		}
		if !seen[abs] {
			seen[abs] = true
			all = append(all, u)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: it has more than %d bytes: not a list of paths", n, maxLine)
	case err != nil:
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("the list is empty")
	}
	return all, nil
}

// noPath returns why a line is of no list, "" if it may be.
func noPath(line []byte) string {
	switch {
	case bytes.HasPrefix(line, []byte("\x7fELF")) || bytes.HasPrefix(line, []byte("!<arch>")):
		return "it is an ELF file or archive: expected a list of paths"
	case bytes.HasPrefix(line, []byte("\ufeff")):
		return "it begins with a byte order mark: write the list as UTF-8 without one"
	case bytes.IndexByte(line, 0) >= 0:
		return "it has a NUL byte: expected a path on each line"
	}
	return ""
}

// cutSize divides a line at its last tab.
func cutSize(line string) (path, size string, found bool) {
	i := strings.LastIndexByte(line, '\t')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}

// mostParts bounds the parts of a list. It is far above what a list has units for.
const mostParts = 1 << 20

// Part is one of several parts of a list, from 0 on.
type Part struct{ Index, Of int }

// ParsePart reads "I/N".
func ParsePart(s string) (p Part, err error) {
	i, n, ok := strings.Cut(s, "/")
	var err1, err2 error
	p.Index, err1 = strconv.Atoi(i)
	p.Of, err2 = strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || p.Index < 0 || p.Index >= p.Of || p.Of > mostParts {
		return p, fmt.Errorf("%q is not I/N with I from 0 to N-1 and N up to %d", s, mostParts)
	}
	return p, nil
}

// Slice returns the units of a part, the largest first. Only the units matter, not the order of
// the list: each unit, from the largest on, goes to the part that has the least so far.
func (p Part) Slice(units []Unit) []Unit {
	all := slices.Clone(units)
	slices.SortFunc(all, func(a, b Unit) int { return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path)) })
	load := make([]int64, p.Of)
	var out []Unit
	for _, u := range all {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += u.weight()
		if least == p.Index {
			out = append(out, u)
		}
	}
	return out
}

// thin begins a thin archive, whose members are in other files.
const thin = "!<thin>\n"

// Digest returns a digest of the bytes of a unit, and their number. It is "" for a unit whose bytes do not determine
// its result: one that cannot be read, and thin archives.
func Digest(path string) (digest string, bytes int64) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0
	}
	h := sha256.New()
	if !info.IsDir() {
		if bytes, err = add(h, path); err != nil {
			return "", 0
		}
		return hex.EncodeToString(h.Sum(nil)), bytes
	}
	// A unit that is a symbolic link is followed, as where it is checked: the trailing separator does it.
	err = filepath.WalkDir(path+string(filepath.Separator), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%d:%s%v", len(rel), rel, d.Type())
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(name)
			fmt.Fprintf(h, "%d:%s", len(to), to)
			return err
		}
		if !d.Type().IsRegular() {
			return nil
		}
		own := sha256.New()
		n, err := add(own, name)
		bytes += n
		h.Write(own.Sum(nil))
		return err
	})
	if err != nil {
		return "", 0
	}
	return hex.EncodeToString(h.Sum(nil)), bytes
}

// errThin is the error of thin archives.
var errThin = fmt.Errorf("a thin archive")

func add(w io.Writer, path string) (int64, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	head := make([]byte, len(thin))
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	if string(head[:n]) == thin {
		return 0, errThin
	}
	if _, err := w.Write(head[:n]); err != nil {
		return 0, err
	}
	rest, err := io.Copy(w, f)
	return int64(n) + rest, err
}

// state is what changes when a file is written.
type state struct {
	size, time int64
	err        bool
}

func stateOf(path string) state {
	info, err := os.Stat(path)
	if err != nil {
		return state{err: true}
	}
	return state{size: info.Size(), time: info.ModTime().UnixNano()}
}
