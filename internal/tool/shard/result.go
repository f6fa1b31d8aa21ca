package shard

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// Schema is the name of the format of result files, which docs/distribution.md describes.
const Schema = "sframe-lint/unit/1"

// Header is the first line of a result file: {"unit": ...}.
type Header struct {
	Schema string `json:"schema"`
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"` // of the bytes; "" if they do not determine the result
	Setup  string `json:"setup"`            // digest of the program and its configuration

	gone bool // the unit is not there
}

// End is the last line of a result file: {"end": ...}.
type End struct {
	Seconds float64 `json:"seconds"`          // of the worker
	CPU     float64 `json:"cpu_seconds"`      // of the worker
	Memory  int64   `json:"memory_bytes"`     // most that the worker had in use
	Failed  string  `json:"failed,omitempty"` // why there is no result
	Times   int     `json:"times,omitempty"`  // number of failures
	Limits  string  `json:"limits,omitempty"` // under which it failed
	Sum     Sum     `json:"before"`
}

// Sum states what precedes the end of a result file: a file from which lines were lost is no result.
type Sum struct {
	Lines  int    `json:"lines"`
	SHA256 string `json:"sha256"`
}

// sumOf reads the lines of a result file up to an offset.
func sumOf(f *os.File, end int64) (s Sum, err error) {
	h, lines := sha256.New(), bufio.NewReaderSize(io.NewSectionReader(f, 0, end), 64<<10)
	for {
		b, err := lines.ReadSlice('\n')
		h.Write(b)
		switch {
		case err == nil:
			s.Lines++
		case errors.Is(err, io.EOF):
			s.SHA256 = hex.EncodeToString(h.Sum(nil))
			return s, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return s, err
		}
	}
}

// write writes the last line, after what the file has.
func (e *End) write(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if e.Sum, err = sumOf(f, info.Size()); err != nil {
		return err
	}
	return (&line{End: e}).write(f)
}

// line is the first or the last line.
type line struct {
	Unit *Header `json:"unit,omitempty"`
	End  *End    `json:"end,omitempty"`
}

func (l *line) write(w io.Writer) error {
	b, err := json.Marshal(l)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// Result is an open result file.
type Result struct {
	Header
	End
	f *os.File
}

// maxEdge bounds the first and the last line of a result file, in bytes.
const maxEdge = 64 << 10

// path returns the name of a file of a unit.
func (u *Unit) path(dir, ext string) string {
	id := u.ID()
	return filepath.Join(dir, "units", id[:2], id+ext)
}

// Open opens the result of a unit. Errors: [os.ErrNotExist] if there is none that is whole, or if it is that of another unit.
func Open(dir string, u *Unit) (*Result, error) {
	f, _, err := regular.Open(u.path(dir, ".jsonl"))
	if err != nil {
		return nil, err
	}
	r := &Result{f: f}
	if err = r.edges(); err == nil && r.Path != escape.UTF8(u.Path) {
		err = fmt.Errorf("it is the result of %q", r.Path)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%w: %w", os.ErrNotExist, err)
	}
	return r, nil
}

// edges reads the first and the last line.
func (r *Result) edges() error {
	first, err := bufio.NewReader(io.NewSectionReader(r.f, 0, maxEdge)).ReadBytes('\n')
	if err != nil {
		return err
	}
	last, whole, err := lastLine(r.f)
	if err != nil {
		return err
	}
	if !whole {
		return io.ErrUnexpectedEOF
	}
	var a, z line
	if err := errors.Join(json.Unmarshal(first, &a), json.Unmarshal(last, &z)); err != nil {
		return err
	}
	if a.Unit == nil || z.End == nil || a.Unit.Schema != Schema {
		return errors.New("not a result")
	}
	info, err := r.f.Stat()
	if err != nil {
		return err
	}
	sum, err := sumOf(r.f, info.Size()-int64(len(last))-1)
	if err != nil {
		return err
	}
	if sum != z.End.Sum {
		return errors.New("its end does not fit the lines before it")
	}
	r.Header, r.End = *a.Unit, *z.End
	return nil
}

// lastLine returns the last line of a file, or its end, and whether the line has an end.
func lastLine(f *os.File) (line []byte, whole bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	from := max(0, info.Size()-maxEdge)
	tail, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	if err != nil {
		return nil, false, err
	}
	tail, whole = bytes.CutSuffix(tail, []byte("\n"))
	return tail[bytes.LastIndexByte(tail, '\n')+1:], whole, nil
}

// Read returns all lines of the file.
func (r *Result) Read() io.Reader {
	_, _ = r.f.Seek(0, io.SeekStart) // a read fails then
	return r.f
}

// Close closes the file.
func (r *Result) Close() error { return r.f.Close() }

// Seen reports whether a unit has a result that was made when the unit was there.
func Seen(dir string, u *Unit) bool {
	r, err := Open(dir, u)
	if err != nil {
		return false
	}
	defer r.Close()
	return r.SHA256 != ""
}

// fits reports whether the result is that of some bytes by a setup. Those of a unit that is gone cannot be compared. A unit that
// failed is tried again under other limits.
func (r *Result) fits(h *Header, limits string) bool {
	same := r.SHA256 == h.SHA256 && r.Bytes == h.Bytes || h.gone
	return same && r.SHA256 != "" && r.Setup == h.Setup && (r.Failed == "" || r.Limits == limits)
}

func headerOf(u *Unit, setup string) Header {
	h := Header{Schema: Schema, Path: escape.UTF8(u.Path), Setup: setup}
	h.SHA256, h.Bytes = Digest(u.Path)
	_, err := os.Stat(u.Path)
	h.gone = errors.Is(err, os.ErrNotExist)
	return h
}

// write makes the file of a unit whole, or leaves it as it was.
func (u *Unit) write(dir string, fill func(f *os.File) error) error {
	name := u.path(dir, ".jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), u.ID()+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // where it was not renamed
	err = fill(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err == nil {
		u.removeLeftovers(dir)
	}
	return err
}

// removeLeftovers removes what other runs have left of a unit that has its result. One of them may still be at work: it finds the
// result in place of its file.
func (u *Unit) removeLeftovers(dir string) {
	folder, id := filepath.Dir(u.path(dir, "")), u.ID()
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if of, ok := leftover(e.Name()); ok && of == id {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// leftover returns the ID of the unit of a file that is not a result.
func leftover(name string) (id string, ok bool) {
	id, rest, _ := strings.Cut(name, ".")
	return id, rest == "tries" || strings.HasSuffix(rest, ".tmp")
}

// leftovers returns the IDs of the units of which runs have left something. What a run that was killed leaves beside a
// result is not found otherwise: no run makes that result again.
func leftovers(dir string) map[string]bool {
	ids := map[string]bool{}
	folders, _ := os.ReadDir(filepath.Join(dir, "units"))
	for _, folder := range folders {
		entries, _ := os.ReadDir(filepath.Join(dir, "units", folder.Name()))
		for _, e := range entries {
			if id, ok := leftover(e.Name()); ok {
				ids[id] = true
			}
		}
	}
	return ids
}

// The files of a directory of results besides those of the units.
const (
	manifestFile = "manifest"
	setupFile    = "setup.json"
)

// maxSetup bounds the setup, in bytes: it has a configuration.
const maxSetup = 4 << 20

// Save writes the list and the setup of a run to its directory. All shards write the same.
func Save(dir string, manifest []byte, setup any) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	b, err := json.MarshalIndent(setup, "", "  ")
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{manifestFile: manifest, setupFile: append(b, '\n')} {
		if old, err := regular.Read(filepath.Join(dir, name), int64(len(data))); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := edit.Write(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}

// Load reads the list of a directory and its setup.
func Load(dir string, setup any) ([]Unit, error) {
	b, err := regular.Read(filepath.Join(dir, setupFile), maxSetup)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, setup); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, setupFile), err)
	}
	f, _, err := regular.Open(filepath.Join(dir, manifestFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadManifest(f)
}

// A unit whose worker failed mostFailures times is given up. One that mostLost starts of a worker were made for, and
// no end of which was seen, is given up too: perhaps it ends the whole shard each time.
const (
	mostFailures = 3
	mostLost     = 10
)

// try is a line of the file that counts the tries of a unit without a result.
type try struct {
	SHA256 string `json:"sha256,omitempty"`
	Setup  string `json:"setup"`
	Limits string `json:"limits"`
	Failed string `json:"failed,omitempty"` // "" for a start
}

// tries counts those of a unit that are alike.
func (u *Unit) tries(dir string, like try) (starts, failures int, last string) {
	f, _, err := regular.Open(u.path(dir, ".tries"))
	if err != nil {
		return 0, 0, ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var t try
		if json.Unmarshal(lines.Bytes(), &t) != nil {
			continue // a line that was cut by the end of a machine
		}
		why := t.Failed
		t.Failed = ""
		switch {
		case t != like:
		case why == "":
			starts++
		default:
			failures, last = failures+1, why
		}
	}
	return starts, failures, last
}

// note adds a line.
func (u *Unit) note(dir string, t try) error {
	name := u.path(dir, ".tries")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	b, err := json.Marshal(t)
	if err == nil {
		_, err = f.Write(append(b, '\n'))
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
