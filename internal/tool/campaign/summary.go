package campaign

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// Summary is the result of a campaign. It is written to finds.json. Another campaign can read that file as known
// finds.
type Summary struct {
	Schema      string                      `json:"schema"`
	Seed        uint64                      `json:"seed"`
	Targets     []TargetSummary             `json:"targets"`
	Inputs      map[Class]int               `json:"inputs"`
	Finds       []FindSummary               `json:"finds"`
	Breaks      map[string]map[string]tally `json:"breaks,omitempty"` // outcomes by break and target
	Interrupted bool                        `json:"interrupted,omitempty"`
	Faults      int                         `json:"faults"` // distinct faults of the finds
	New         int                         `json:"new"`
	First       *First                      `json:"first,omitempty"`
	Seconds     float64                     `json:"-"` // of this process
	Runs        int                         `json:"-"` // of this process
}

// First is the first new failure.
type First struct {
	Inputs  int64   `json:"inputs"`  // number up to the failure; 0 if a plain section shows it
	Seconds float64 `json:"seconds"` // until the end of its batch, in this process
}

// TargetSummary has the results of a target.
type TargetSummary struct {
	*Target
	Compared    []string      `json:"compared"` // versions and ABIs
	NotCompared []NotCompared `json:"not_compared,omitempty"`
	Contents    bool          `json:"contents"` // contents are compared, not only whether valid sections are accepted
	Runs        tally         `json:"runs"`
}

// FindSummary is a bucket with its find.
type FindSummary struct {
	ID string `json:"id"`
	Bucket
	Fault string `json:"fault,omitempty"`
	Count int    `json:"count"`
	New   bool   `json:"new"`
	Size  int    `json:"size,omitempty"` // of the minimal file, bytes

	Unsteady bool `json:"unsteady,omitempty"` // it fails only in some runs
}

// SummaryName is the file name of a campaign's summary.
const SummaryName = "finds.json"

// summary writes and returns the summary.
func (c *campaign) summary(interrupted bool) (*Summary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, err := c.journal.summary(c.root, c.Known)
	if err != nil {
		return nil, err
	}
	s.Interrupted, s.Seconds, s.Runs = interrupted, c.now().Seconds, c.journal.runs()-c.before
	for i, t := range c.Targets {
		x := &s.Targets[i]
		x.Compared, x.NotCompared, x.Contents = t.Compared(), t.NotCompared(), t.Contents()
	}
	for _, h := range c.journal.hits() {
		if slices.ContainsFunc(s.Finds, func(f FindSummary) bool { return f.New && f.Bucket == h.Bucket }) && (s.First == nil || h.Input < s.First.Inputs) {
			s.First = &First{max(h.Input+1, 0), c.first.Seconds()}
		}
	}
	return s, s.write(c.root)
}

// summary returns the summary of a journal with the finds in a directory, whose reports then say which fault they are of.
func (j *journal) summary(dir *os.Root, known []Known) (*Summary, error) {
	s := &Summary{Schema: "sframe-fuzz-finds/2", Seed: j.header.Seed, Inputs: j.total.Inputs, Breaks: j.total.Breaks, Finds: []FindSummary{}}
	for _, t := range j.header.Targets {
		s.Targets = append(s.Targets, TargetSummary{Target: t, Runs: j.total.Runs[t.Name]})
	}
	for _, h := range j.hits() {
		s.Finds = append(s.Finds, FindSummary{ID: h.ID(), Bucket: h.Bucket, Count: h.Count})
	}
	return s, s.count(dir, known)
}

// Compared reports whether each target has a version and ABI of which valid sections are compared.
func (s *Summary) Compared() bool {
	return !slices.ContainsFunc(s.Targets, func(t TargetSummary) bool { return len(t.Compared) == 0 })
}

func (s *Summary) write(dir *os.Root) error { return replaceFile(dir, SummaryName, must(Indent(s))) }

// Known is a failure that does not count as new. If it has a fault, all failures of that fault are known.
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
		for _, k := range []Outcome{Accepts, Notices, Rejects, Crash, Hang, Memory, Slow} {
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
		if f.Unsteady {
			is += ", unsteady"
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
	for _, t := range s.Targets {
		if _, err := io.WriteString(w, t.comparison()); err != nil {
			return err
		}
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

// comparison returns lines on what was compared.
func (t *TargetSummary) comparison() string {
	what := "contents"
	if !t.Contents {
		what = "only crashes, resources and whether valid sections are accepted"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: compared (%s): %s\n", t.Name, what, cmp.Or(strings.Join(t.Compared, ", "), "nothing"))
	for _, n := range t.NotCompared {
		fmt.Fprintf(&b, "%s: not compared: %s (%s)\n", t.Name, strings.Join(n.Forms, ", "), n.Why)
	}
	if !t.Contents && len(t.Compared) > 0 && t.flag == "target" {
		fmt.Fprintf(&b, "%s: contents are not compared, as the output has no form that is known; --decoder compares them\n", t.Name)
	}
	return b.String()
}

// base64Lines returns data in base64, in lines.
func base64Lines(data []byte) (lines []string) {
	for part := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(data)), 76) {
		lines = append(lines, string(part))
	}
	return lines
}

// Merge merges several directories, which must be shards or copies of one campaign, into another directory.
func Merge(out string, dirs []string) (*Summary, error) {
	var all *journal
	best := map[string]string{} // the directory of the smallest find, by ID
	size := map[string]int{}
	targets := map[string]TargetSummary{}
	for _, dir := range dirs {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		j, err := loadJournal(root)
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
		var old Summary
		b, err := readFile(root, SummaryName)
		if err == nil {
			err = json.Unmarshal(b, &old)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // one that was killed has none
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for _, t := range old.Targets {
			targets[t.Name] = t
		}
		for _, h := range j.hits() {
			f, err := readFind(root, h.ID())
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
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	for id, dir := range best {
		if err := os.CopyFS(filepath.Join(out, findsName, id), os.DirFS(dir)); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(out)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	s, err := all.summary(root, nil)
	if err != nil {
		return nil, err
	}
	s.Runs = all.runs()
	for i, t := range s.Targets {
		x := targets[t.Name]
		s.Targets[i].Compared, s.Targets[i].NotCompared, s.Targets[i].Contents = x.Compared, x.NotCompared, x.Contents
	}
	return s, s.write(root)
}
