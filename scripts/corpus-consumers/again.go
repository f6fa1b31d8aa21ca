package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
)

// takeOver takes over what the corpus has: finds that fail as before, at the places of today, with what they depend on if that was not known. Those
// of targets that are not at hand stay as they are.
func takeOver(best map[string]*found, dir string) (*corpus.Consumers, error) {
	old, err := corpus.Read[*corpus.Consumers](dir, corpus.ManifestName)
	if err != nil {
		return nil, err
	}
	inputs, err := os.MkdirTemp("", "consumers-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(inputs)
	if err := corpus.UnpackConsumers(filepath.Dir(dir), inputs); err != nil {
		return nil, err
	}
	for _, t := range old.Targets {
		finds := slices.DeleteFunc(slices.Clone(old.Finds), func(f corpus.ConsumerFind) bool { return f.Target != t.Name })
		if err := rerun(best, inputs, t, finds); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	old.Finds = nil
	return old, nil
}

// rekeyed are the kinds of failures that may have another key than before: positions move, and what a rule was the key of may have
// a demand of a profile as its key.
var rekeyed = []campaign.Outcome{campaign.Crash, campaign.Silent, campaign.Worsens}

// quadratic is the kind of finds of earlier campaigns that measured how the time grows. They stay as they are.
const quadratic = "quadratic"

// rerun runs a target on the files of its finds, which are in dir.
func rerun(best map[string]*found, dir string, t corpus.ConsumerTarget, finds []corpus.ConsumerFind) error {
	target, err := campaign.NewLibrary(t.Command, campaign.Limits{Timeout: time.Minute})
	if err != nil {
		target, err = campaign.NewTarget(t.Name+"="+t.Command, campaign.Limits{Timeout: 5 * time.Second, Memory: 2 << 30})
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s is not at hand, its %d finds stay as they are: %v\n", t.Name, len(finds), err)
		for _, f := range finds {
			if err := keepFind(best, dir, f); err != nil {
				return err
			}
		}
		return nil
	}
	var files []string
	var run []corpus.ConsumerFind
	for _, f := range finds {
		if f.Kind == quadratic || f.Kind == string(campaign.Disagree) {
			if err := keepFind(best, dir, f); err != nil {
				return err
			}
			continue
		}
		files, run = append(files, filepath.Join(dir, f.File)), append(run, f)
	}
	trials, err := campaign.Try(context.Background(), []*campaign.Target{target}, files)
	if err != nil {
		return err
	}
	causes, err := campaign.Causes(context.Background(), target, trials)
	if err != nil {
		return err
	}
	for i, f := range run {
		x := trials[i]
		if string(x.Kind) != f.Kind || !slices.Contains(rekeyed, campaign.Outcome(f.Kind)) && x.Key != f.Key {
			fmt.Fprintf(os.Stderr, "%s: %s is now %s %s, not %s %s\n", t.Name, f.File, x.Kind, x.Key, f.Kind, f.Key)
			continue
		}
		f.Key = x.Key
		if c := causes[i]; c != nil && len(f.Depends) == 0 { // the campaign knew how the file was made
			f.Depends, f.Moves = c.Repairs, c.Moves
		}
		if err := keepFind(best, dir, f); err != nil {
			return err
		}
	}
	return nil
}

// keepFind takes over a find of the corpus.
func keepFind(best map[string]*found, dir string, f corpus.ConsumerFind) error {
	data, err := os.ReadFile(filepath.Join(dir, f.File))
	if err == nil {
		(&found{f, data}).keep(best, keyOf(f.Kind, f.Key, f.Target, f.With))
	}
	return err
}
