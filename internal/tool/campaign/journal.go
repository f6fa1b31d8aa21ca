package campaign

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// journalName is the file of a campaign's state: one JSON object in each line, the header first, then
// a batch each. It is only appended to. A line is written at once and is on the disk before the
// next batch counts, so that at most the batches in flight are lost when the process is killed.
const journalName = "journal.jsonl"

// header is what the inputs of a campaign depend on.
type header struct {
	Schema  string    `json:"schema"`
	Program string    `json:"program"` // version of the program that makes the inputs
	Inputs  string    `json:"inputs"`  // fingerprint of the first ones
	Seed    uint64    `json:"seed"`
	Batch   int       `json:"batch"` // inputs
	Targets []*Target `json:"targets"`
	Shard   int       `json:"shard"`
	Shards  int       `json:"shards"`
}

const journalSchema = "sframe-fuzz-campaign/3"

// tally counts outcomes.
type tally map[Outcome]int

// hit is a bucket in a batch.
type hit struct {
	Bucket
	Count   int    `json:"count"`
	Input   int64  `json:"input"` // the first one
	Message string `json:"message,omitempty"`
}

// batch is the line of a finished batch.
type batch struct {
	Number int64                       `json:"batch"` // plainBatch for the plain sections
	Inputs map[Class]int               `json:"inputs"`
	Runs   map[string]tally            `json:"runs"`             // by target
	Breaks map[string]map[string]tally `json:"breaks,omitempty"` // by break and target
	Hits   []*hit                      `json:"hits,omitempty"`
	Millis int64                       `json:"ms"` // of the processor, by targets
}

// journal is the state of a campaign.
type journal struct {
	file    *os.File
	header  header
	done    map[int64]bool
	total   batch
	buckets map[Bucket]*hit

	keep    bool // the batches, for a merge
	batches []*batch
}

func newJournal(h header) *journal {
	return &journal{header: h, done: map[int64]bool{}, buckets: map[Bucket]*hit{},
		total: batch{Inputs: map[Class]int{}, Runs: map[string]tally{}, Breaks: map[string]map[string]tally{}}}
}

// openJournal begins a journal in a directory, or continues the one that is there.
func openJournal(dir *os.Root, h header) (*journal, error) {
	f, err := dir.OpenFile(journalName, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j := newJournal(h)
	j.file = f
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: regular.ErrNotRegular}
	}
	if err = cmp.Or(err, lock(f)); err == nil {
		err = j.restore()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// read reads what is there and returns where the last complete line ends, in bytes.
func (j *journal) read(from io.Reader, path string) (end int64, err error) {
	r := bufio.NewReader(from)
	for first := true; ; first = false {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return end, nil // without the line that is not complete
		} else if err != nil {
			return end, err
		}
		if err := j.line(line, first); err != nil {
			return end, fmt.Errorf("%s: at byte %d: %w", path, end, err)
		}
		end += int64(len(line))
	}
}

// restore reads the journal's file, and cuts a last line that was not written completely.
func (j *journal) restore() error {
	end, err := j.read(j.file, j.file.Name())
	if err != nil {
		return err
	}
	if err := j.file.Truncate(end); err != nil {
		return err
	}
	if _, err := j.file.Seek(end, io.SeekStart); err != nil || end > 0 {
		return err
	}
	return j.append(j.header)
}

func (j *journal) line(line []byte, first bool) error {
	if first {
		var h header
		if err := json.Unmarshal(line, &h); err != nil {
			return err
		}
		return h.same(j.header)
	}
	var b batch
	if err := json.Unmarshal(line, &b); err != nil {
		return err
	}
	j.count(&b)
	if j.keep {
		j.batches = append(j.batches, &b)
	}
	return nil
}

// readFile reads a regular file.
func readFile(dir *os.Root, name string) ([]byte, error) {
	f, _, err := regular.OpenIn(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// loadJournal reads the journal of a directory, without changing it.
func loadJournal(dir *os.Root) (*journal, error) {
	path := filepath.Join(dir.Name(), journalName)
	data, err := readFile(dir, journalName)
	if err != nil {
		return nil, err
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	var h header
	if err := json.Unmarshal(first, &h); err != nil || h.Schema != journalSchema {
		return nil, fmt.Errorf("%s: not the journal of a campaign", path)
	}
	j := newJournal(h)
	j.keep = true
	_, err = j.read(bytes.NewReader(data), path)
	return j, err
}

// same returns an error if the journal is of another campaign.
func (h header) same(k header) error {
	a, b := h.plain(), k.plain()
	if a.Inputs != b.Inputs && a.Program == b.Program && a.Seed == b.Seed {
		return errors.New("the generator has changed: it does not make the inputs of this campaign; begin another one")
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the directory has another campaign: %s, not %s", must(json.Marshal(a)), must(json.Marshal(b)))
	}
	return nil
}

// plain returns the header with what is written of targets.
func (h header) plain() header {
	all := make([]*Target, len(h.Targets))
	for i, t := range h.Targets {
		all[i] = &Target{Name: t.Name, Command: t.Command, Version: t.Version, Linker: t.Linker}
	}
	h.Targets = all
	return h
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err) // plain structures have a JSON form
	}
	return b
}

func (j *journal) append(v any) error {
	b := must(json.Marshal(v))
	if _, err := j.file.Write(append(b, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

// add writes a batch and counts it.
func (j *journal) add(b *batch) error {
	if err := j.append(b); err != nil {
		return err
	}
	j.count(b)
	return nil
}

// count adds a batch to the totals. A batch that has been counted is ignored.
func (j *journal) count(b *batch) {
	if j.done[b.Number] {
		return
	}
	j.done[b.Number] = true
	for class, n := range b.Inputs {
		j.total.Inputs[class] += n
	}
	for target, t := range b.Runs {
		addTo(j.total.Runs, target, t)
	}
	for name, by := range b.Breaks {
		if j.total.Breaks[name] == nil {
			j.total.Breaks[name] = map[string]tally{}
		}
		for target, t := range by {
			addTo(j.total.Breaks[name], target, t)
		}
	}
	for _, h := range b.Hits {
		was := j.buckets[h.Bucket]
		if was == nil {
			c := *h
			j.buckets[h.Bucket] = &c
			continue
		}
		was.Count += h.Count
		if h.Input < was.Input {
			was.Input, was.Message = h.Input, h.Message
		}
	}
	j.total.Millis += b.Millis
}

func addTo(all map[string]tally, name string, t tally) {
	if all[name] == nil {
		all[name] = tally{}
	}
	for k, n := range t {
		all[name][k] += n
	}
}

// hits returns the buckets in order.
func (j *journal) hits() []*hit {
	return slices.SortedFunc(maps.Values(j.buckets), func(a, b *hit) int { return bytes.Compare([]byte(a.ID()), []byte(b.ID())) })
}

// runs returns the number of runs of all targets.
func (j *journal) runs() (n int) {
	for _, t := range j.total.Runs {
		for _, k := range t {
			n += k
		}
	}
	return n
}

func (j *journal) close() error { return j.file.Close() }
