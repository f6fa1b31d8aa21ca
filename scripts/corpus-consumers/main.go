// Command corpus-consumers takes the finds of campaigns over into the corpus: of each failure the smallest
// file, and what targets did with the breaks. Of campaigns after -finds, it takes only the finds. With -add, what the
// corpus has stays if it fails as before; the libraries of its commands are in the current directory.
//
//	go run -C scripts ./corpus-consumers [-add] CAMPAIGN... [-finds CAMPAIGN...]
//	go run -C scripts ./corpus-consumers -compare CAMPAIGN...
//
// With -compare, it prints which faults of the corpus the campaigns have drawn, and which of their finds are of none.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// mostBytes bounds the files that are taken over.
const mostBytes = 1300

func main() {
	root.Enter()
	if err := run(os.Args[1:], filepath.Join("corpus", corpus.ConsumersDir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dirs []string, out string) error {
	if len(dirs) == 0 {
		return errors.New("no campaign given: go run -C scripts ./corpus-consumers DIR [DIR]")
	}
	if dirs[0] == "-compare" {
		return compare(dirs[1:], out)
	}
	all := &corpus.Consumers{Breaks: map[string]map[string]map[string]int{}}
	best := map[string]*found{}
	if dirs[0] == "-add" {
		var err error
		if all, err = takeOver(best, out); err != nil {
			return err
		}
		dirs = dirs[1:]
	}
	counted := true
	for _, dir := range dirs {
		if dir == "-finds" {
			counted = false
			continue
		}
		if err := take(all, best, dir, counted); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	files := map[string][]byte{}
	for _, f := range best {
		slices.Sort(f.Targets)
		f.Targets = slices.Compact(f.Targets)
		files[f.File] = f.data
		all.Finds = append(all.Finds, f.ConsumerFind)
	}
	name(all.Finds)
	slices.SortFunc(all.Finds, func(a, b corpus.ConsumerFind) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(a.File, b.File))
	})
	if err := os.WriteFile(filepath.Join(out, corpus.ConsumersText), shrink.FormatFiles(files), 0o666); err != nil {
		return err
	}
	return corpus.WriteJSON(filepath.Join(out, corpus.ManifestName), " ", all)
}

// name names the faults of finds.
func name(finds []corpus.ConsumerFind) {
	failures := make([]campaign.Failing, len(finds))
	for i, f := range finds {
		failures[i] = failingOf(f)
	}
	for i, name := range campaign.Faults(failures) {
		finds[i].Fault = name
	}
}

type found struct {
	corpus.ConsumerFind
	data []byte
}

// take takes over a campaign.
func take(all *corpus.Consumers, best map[string]*found, dir string, counted bool) error {
	s, err := corpus.Read[campaign.Summary](dir, campaign.SummaryName)
	if err != nil {
		return err
	}
	if counted {
		count(all, &s)
	}
	today, err := reproduce(&s, dir)
	if err != nil {
		return err
	}
	for _, x := range s.Finds {
		f, err := corpus.Read[campaign.Find](dir, "finds", x.ID, "report.json")
		if errors.Is(err, os.ErrNotExist) {
			continue // beyond the limit, or interrupted
		} else if err != nil {
			return err
		}
		key, again := today[x.ID]
		if f.Unsteady || f.Size > mostBytes || f.Kind == campaign.Memory || !again && f.Kind != campaign.Disagree {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "finds", x.ID, f.File))
		if err != nil {
			return err
		}
		if f.Kind == campaign.Crash {
			f.Key = key
			f.ID = f.Bucket.ID()
		}
		original, err := os.ReadFile(filepath.Join(dir, "finds", x.ID, "original"+filepath.Ext(f.File)))
		if err != nil {
			return err
		}
		f.Describe(data, original)
		add(best, &f, data)
	}
	return nil
}

// count adds the runs of a campaign.
func count(all *corpus.Consumers, s *campaign.Summary) {
	for _, t := range s.Targets {
		i := slices.IndexFunc(all.Targets, func(x corpus.ConsumerTarget) bool { return x.Name == t.Name })
		if i < 0 {
			i = len(all.Targets)
			all.Targets = append(all.Targets, corpus.ConsumerTarget{Name: t.Name, Command: portable(t.Command), Version: t.Version, Runs: map[string]int{}})
		}
		for k, n := range t.Runs {
			all.Targets[i].Runs[string(k)] += n
		}
	}
	for name, by := range s.Breaks {
		if all.Breaks[name] == nil {
			all.Breaks[name] = map[string]map[string]int{}
		}
		for target, tally := range by {
			if all.Breaks[name][target] == nil {
				all.Breaks[name][target] = map[string]int{}
			}
			for k, n := range tally {
				all.Breaks[name][target][string(k)] += n
			}
		}
	}
}

// reproduce runs each target on the files of its finds again, twice, and returns the keys of those that
// fail in the same way each time: of crashes the place of today, as what depends on bytes out of
// bounds may be elsewhere.
func reproduce(s *campaign.Summary, dir string) (map[string]string, error) {
	keys := map[string]string{}
	for _, t := range s.Targets {
		target, err := campaign.NewLibrary(t.Command, campaign.Limits{Timeout: time.Minute})
		if err != nil {
			target, err = campaign.NewTarget(t.Name+"="+t.Command, campaign.Limits{Timeout: 10 * time.Second, Memory: 2 << 30})
		}
		if err != nil {
			return nil, err
		}
		var files []string
		var finds []campaign.FindSummary
		for _, x := range s.Finds {
			inputs, err := filepath.Glob(filepath.Join(dir, "finds", x.ID, "input.*"))
			if err == nil && len(inputs) == 1 && x.Target == t.Name && x.Kind != campaign.Disagree {
				files, finds = append(files, inputs[0]), append(finds, x)
			}
		}
		first, err := campaign.Try(context.Background(), []*campaign.Target{target}, files)
		if err != nil {
			return nil, err
		}
		second, err := campaign.Try(context.Background(), []*campaign.Target{target}, files)
		if err != nil {
			return nil, err
		}
		for i, f := range finds {
			x, y := first[i], second[i]
			if x.Kind == f.Kind && y.Kind == f.Kind && x.Key == y.Key && (f.Kind == campaign.Crash || x.Key == f.Key) {
				keys[f.ID] = x.Key
			}
		}
	}
	return keys, nil
}

// keyOf returns what tells failures apart.
func keyOf(kind, key, target, with string) string {
	key = kind + "\x00" + key
	if with != "" {
		key += "\x00" + target + "\x00" + with
	}
	return key
}

// add keeps the smallest file of a failure: targets that share a library fail at the same places.
func add(best map[string]*found, f *campaign.Find, data []byte) {
	key := keyOf(string(f.Kind), f.Key, f.Target, f.With)
	n := &found{corpus.ConsumerFind{With: f.With, File: f.ID + path.Ext(f.File), Size: f.Size, Kind: string(f.Kind), Key: f.Key, Target: f.Target,
		Targets: []string{f.Target}, ABI: f.ABI, Class: string(f.Class), Clause: clausesOf(f), Message: f.Message}, data}
	if f.Cause != nil {
		n.Depends, n.Moves = f.Cause.Repairs, f.Cause.Moves
	}
	if f.Class == campaign.Broken && f.Recipe != nil && len(f.Recipe.Breaks) > 0 {
		n.Break = f.Recipe.Breaks[0].Name
	}
	n.keep(best, key)
}

// keep keeps the smaller file of a failure.
func (n *found) keep(best map[string]*found, key string) {
	was := best[key]
	if was == nil {
		best[key] = n
		return
	}
	targets := append(was.Targets, n.Targets...)
	if a, b := n.explained(), was.explained(); a == b && n.Size < was.Size || a && !b {
		best[key] = n
	}
	best[key].Targets = targets
}

// explained reports whether it is known what the failure depends on.
func (n *found) explained() bool {
	return len(n.Depends) > 0 && !n.Moves && n.Depends[0] != campaign.AroundSection
}

// clausesOf returns the IDs of the clauses that the file of a find does not meet.
func clausesOf(f *campaign.Find) string {
	var ids []string
	for _, c := range f.Clauses {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ", ")
}

var directories = regexp.MustCompile(`(^|=)/\S*/`)

// portable returns a command without the directories of this machine.
func portable(command string) string {
	words := strings.Fields(command)
	for i := range words {
		words[i] = directories.ReplaceAllString(words[i], "$1")
	}
	return strings.Join(words, " ")
}
