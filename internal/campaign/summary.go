package campaign

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sframe-lint/sframe-lint/internal/replace"
)

// Summary is the result of a campaign. It is written to finds.json, which another campaign can read
// as its known finds.
type Summary struct {
	Schema      string                      `json:"schema"`
	Seed        uint64                      `json:"seed"`
	Targets     []TargetSummary             `json:"targets"`
	Inputs      map[Class]int               `json:"inputs"`
	Finds       []FindSummary               `json:"finds"`
	Breaks      map[string]map[string]tally `json:"breaks,omitempty"` // verdicts by break and target
	Interrupted bool                        `json:"interrupted,omitempty"`
	Faults      int                         `json:"faults"` // that the finds are places of
	New         int                         `json:"new"`
	Seconds     float64                     `json:"-"` // of this process
	Runs        int                         `json:"-"` // of this process
}

// TargetSummary has the results of a target.
type TargetSummary struct {
	*Target
	Reads []string `json:"reads,omitempty"` // versions and ABIs
	Runs  tally    `json:"runs"`
}

// FindSummary is a bucket with its find.
type FindSummary struct {
	ID string `json:"id"`
	Bucket
	Fault string `json:"fault,omitempty"`
	Count int    `json:"count"`
	New   bool   `json:"new"`
	Size  int    `json:"size,omitempty"` // of the minimal file, bytes
}

// SummaryName is the file of a campaign's summary.
const SummaryName = "finds.json"

// summary writes and returns the summary.
func (c *campaign) summary(interrupted bool) (*Summary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, err := c.journal.summary(c.Dir, c.Known)
	if err != nil {
		return nil, err
	}
	s.Interrupted, s.Seconds, s.Runs = interrupted, c.now().Seconds, c.journal.runs()-c.before
	return s, s.write(c.Dir)
}

// summary returns the summary of a journal with the finds in a directory, whose reports then say which fault they are of.
func (j *journal) summary(dir string, known []Known) (*Summary, error) {
	s := &Summary{Schema: "sframe-fuzz-finds/1", Seed: j.header.Seed, Inputs: j.total.Inputs, Breaks: j.total.Breaks, Finds: []FindSummary{}}
	for _, t := range j.header.Targets {
		s.Targets = append(s.Targets, TargetSummary{t, t.Readable(), j.total.Runs[t.Name]})
	}
	for _, h := range j.hits() {
		s.Finds = append(s.Finds, FindSummary{ID: h.ID(), Bucket: h.Bucket, Count: h.Count})
	}
	return s, s.count(dir, known)
}

func (s *Summary) write(dir string) error {
	return replace.File(filepath.Join(dir, SummaryName), func(f *os.File) error {
		_, err := f.Write(must(indented(s)))
		return errors.Join(err, f.Sync())
	})
}

// Known is a failure that does not count as new, and with a fault all failures of it.
type Known struct {
	Bucket
	Fault string `json:"fault,omitempty"`
}

// ReadKnown reads the buckets of a summary, or of a JSON array of buckets.
func ReadKnown(data []byte) ([]Known, error) {
	var s struct{ Finds []Known }
	var list []Known
	if err := json.Unmarshal(data, &list); err != nil {
		if json.Unmarshal(data, &s) != nil || s.Finds == nil {
			return nil, errors.New("neither a summary of a campaign nor a list of finds")
		}
		list = s.Finds
	}
	return list, nil
}

// WriteText writes the summary as text.
func (s *Summary) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, t := range s.Targets {
		fmt.Fprintf(tw, "%s\t%s\t", t.Name, t.Version)
		for _, k := range []Kind{Accepts, Notices, Rejects, Crash, Hang, Memory, Slow} {
			if n := t.Runs[k]; n > 0 {
				fmt.Fprintf(tw, "%d %s\t", n, k)
			}
		}
		fmt.Fprintln(tw)
	}
	for _, f := range s.Finds {
		is := "known"
		if f.New {
			is = "new"
		}
		key := f.Key
		switch cause, ok := strings.CutPrefix(f.Fault, f.Key); {
		case ok:
			key += cause
		case f.Fault != string(f.Kind)+" "+f.Key:
			key += " (" + f.Fault + ")"
		}
		fmt.Fprintf(tw, "%s\t%s\t%d times\t%d bytes\t%s\n", is, f.ID, f.Count, f.Size, key)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	inputs := 0
	for _, n := range s.Inputs {
		inputs += n
	}
	end := ""
	if s.Interrupted {
		end = "; interrupted"
	}
	took := fmt.Sprintf("%d runs", s.Runs)
	if s.Seconds > 0 {
		took = fmt.Sprintf("%.1f s, %.0f runs a second", s.Seconds, float64(s.Runs)/s.Seconds)
	}
	_, err := fmt.Fprintf(w, "%d inputs, %d finds of %d faults, %d finds new%s; %s\n", inputs, len(s.Finds), s.Faults, s.New, end, took)
	return err
}

// wrapped returns data in base64, in lines.
func wrapped(data []byte) (lines []string) {
	for part := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(data)), 76) {
		lines = append(lines, string(part))
	}
	return lines
}

// readSummary reads the summary in a campaign's directory. One that was killed has none.
func readSummary(dir string) (s Summary, err error) {
	b, err := os.ReadFile(filepath.Join(dir, SummaryName))
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return s, err
}

// Merge writes the campaign of several directories, which must be shards or copies of one campaign,
// to another directory.
func Merge(out string, dirs []string) (*Summary, error) {
	var all *journal
	best := map[string]string{} // the directory of the smallest find, by ID
	size := map[string]int{}
	reads := map[string][]string{} // what a target reads, by its name
	for _, dir := range dirs {
		j, err := loadJournal(dir)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = newJournal(j.header)
		} else {
			a, b := all.header, j.header
			b.Shard, b.Shards = a.Shard, a.Shards
			if err := a.same(b); err != nil {
				return nil, fmt.Errorf("%s: %w", dir, err)
			}
		}
		for _, b := range j.batches {
			all.count(b)
		}
		old, err := readSummary(dir)
		if err != nil {
			return nil, err
		}
		for _, t := range old.Targets {
			reads[t.Name] = t.Reads
		}
		for _, h := range j.hits() {
			f, err := readFind(dir, h.ID())
			if err != nil {
				return nil, err
			}
			if was, ok := size[f.ID]; f.Size > 0 && (!ok || f.Size < was) {
				best[f.ID], size[f.ID] = filepath.Join(dir, findsName, f.ID), f.Size
			}
		}
	}
	if all == nil {
		return nil, errors.New("no directory given")
	}
	for id, dir := range best {
		to := filepath.Join(out, findsName, id)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return nil, err
		}
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	s, err := all.summary(out, nil)
	if err != nil {
		return nil, err
	}
	s.Runs = all.runs()
	for i := range s.Targets {
		s.Targets[i].Reads = reads[s.Targets[i].Name]
	}
	return s, s.write(out)
}
