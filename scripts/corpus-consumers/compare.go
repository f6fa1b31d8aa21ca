package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
)

// compare prints which faults of the corpus campaigns have drawn, and which of their finds are of no fault of the corpus.
func compare(dirs []string, dir string) error {
	old, err := corpus.Read[*corpus.Consumers](dir, corpus.ManifestName)
	if err != nil {
		return err
	}
	var drawn []campaign.Failing
	var ids []string
	for _, dir := range dirs {
		s, err := corpus.Read[campaign.Summary](dir, campaign.SummaryName)
		if err != nil {
			return err
		}
		for _, x := range s.Finds {
			f, err := corpus.Read[campaign.Find](dir, "finds", x.ID, "report.json")
			if err != nil && !errors.Is(err, os.ErrNotExist) { // there is none if it was interrupted
				return err
			}
			y := campaign.Failing{Group: corpus.Project(x.Target), Kind: x.Kind, Key: x.Key, Message: f.Message}
			if f.Cause != nil {
				y.Depends(f.Cause.Repairs, f.Cause.Moves)
			}
			drawn, ids = append(drawn, y), append(ids, filepath.Join(dir, "finds", x.ID))
		}
	}
	type fault struct{ project, name string }
	files, had, listed := map[fault]string{}, map[fault]bool{}, make([]bool, len(drawn))
	for _, f := range old.Finds {
		k := fault{corpus.Project(f.Target), f.Fault}
		files[k] = cmp.Or(files[k], f.File)
		for i, y := range drawn {
			if like(failingOf(f), y) {
				had[k], listed[i] = true, true
			}
		}
	}
	fmt.Printf("%d of %d faults of the corpus were drawn\n", len(had), len(files))
	for _, k := range slices.SortedFunc(maps.Keys(files), func(a, b fault) int { return cmp.Or(cmp.Compare(a.project, b.project), cmp.Compare(a.name, b.name)) }) {
		if !had[k] {
			fmt.Printf("not drawn: %s: %s (%s)\n", k.project, k.name, files[k])
		}
	}
	for i, y := range drawn {
		if !listed[i] {
			fmt.Printf("not in the corpus: %s %s (%s)\n", y.Kind, y.Key, ids[i])
		}
	}
	return nil
}

// failingOf returns what the fault of a find of the corpus is judged by.
func failingOf(f corpus.ConsumerFind) campaign.Failing {
	x := campaign.Failing{Group: corpus.Project(f.Target), Kind: campaign.Outcome(f.Kind), Key: f.Key, Message: f.Message}
	x.Depends(f.Depends, f.Moves)
	return x
}

// like reports whether two failures are of one fault: they have one key, or fail in one manner and go by one repair.
func like(a, b campaign.Failing) bool {
	names := campaign.Faults([]campaign.Failing{a, b})
	return a.Group == b.Group && (a.Kind == b.Kind && a.Key == b.Key || names[0] == names[1])
}
