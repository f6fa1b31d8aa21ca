// Command corpus-consumers takes the finds of campaigns over into the corpus: of each failure the smallest
// file, and what targets did with the breaks.
//
//	go run -C scripts ./corpus-consumers [-add] [-finds] CAMPAIGN...
//	SFRAME_TOOLS=DIR [SFRAME_BINUTILS=TREE] go run -C scripts ./corpus-consumers -replay [-new]
//
// With -add, what the corpus has stays. With -finds, it takes only the finds of the campaigns.
//
// With -replay, it runs every program of the manifest of corpus/consumers on every file there, several times, and writes
// corpus/replays.json: which versions fail on a file, and whether always at the same place. The tools are those that
// scripts/toolchains has unpacked; SFRAME_BINUTILS, SFRAME_LINUX and SFRAME_GLIBC name source trees, which are compiled with
// sanitizers. With -new, it runs them on the files that replays.json does not have, and drops those that are gone.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
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

var (
	adds    = flag.Bool("add", false, "keep what the corpus has")
	finds   = flag.Bool("finds", false, "take only the finds, not the counts of the runs")
	replays = flag.Bool("replay", false, "run all programs on the files of the corpus")
	isNew   = flag.Bool("new", false, "replay the files without a replay")
)

func main() {
	root.Enter()
	flag.Parse()
	take := func() error { return run(flag.Args(), "corpus") }
	if *replays {
		take = func() error { return replayAll("corpus", *isNew) }
	}
	if err := take(); err != nil {
		fmt.Fprintln(os.Stderr, "corpus-consumers:", err)
		os.Exit(1)
	}
}

func run(dirs []string, dir string) error {
	if len(dirs) == 0 && !*adds {
		return errors.New("no campaign given")
	}
	all := &corpus.Consumers{Breaks: map[string]map[string]map[string]int{}}
	best := map[string]*found{}
	if *adds {
		old, err := corpus.LoadConsumers(dir)
		if err != nil {
			return err
		}
		files, err := corpus.ConsumerFiles(dir)
		if err != nil {
			return err
		}
		for _, f := range old.Finds {
			(&found{f, files[f.File]}).keep(best, keyOf(f.Kind, f.Key, f.Target, f.With))
		}
		all = old
		all.Finds = nil
	}
	for _, c := range dirs {
		if err := take(all, best, c); err != nil {
			return fmt.Errorf("%s: %w", c, err)
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
	out := filepath.Join(dir, corpus.ConsumersDir)
	if err := os.WriteFile(filepath.Join(out, corpus.ConsumersText), shrink.FormatFiles(files), 0o666); err != nil {
		return err
	}
	return corpus.WriteJSON(filepath.Join(out, corpus.ManifestName), " ", all)
}

// name names the faults of finds.
func name(finds []corpus.ConsumerFind) {
	failures := make([]campaign.Failing, len(finds))
	for i, f := range finds {
		failures[i] = campaign.Failing{Group: corpus.Project(f.Target), Kind: campaign.Outcome(f.Kind), Key: f.Key, Message: f.Message}
		failures[i].Depends(f.Depends, f.Moves)
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
func take(all *corpus.Consumers, best map[string]*found, dir string) error {
	s, err := corpus.Read[campaign.Summary](dir, campaign.SummaryName)
	if err != nil {
		return err
	}
	if !*finds {
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
