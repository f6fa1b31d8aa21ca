package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// linted is a file of the corpus and how often each rule fires on it.
type linted struct {
	corpus.Entry
	size  int64
	fires map[string]int
	warns map[string]bool // the rules that fire with an error or a warning
}

// path is the file's path in the repository.
func (f *linted) path() string { return "corpus/" + f.File }

// lintCorpus runs all rules, those that have to be asked for included, over
// the corpus.
func lintCorpus() ([]*linted, error) {
	entries, err := corpus.Load("corpus")
	if err != nil {
		return nil, err
	}
	driver := &rules.Driver{Rules: catalogue.Rules(), Limits: rules.Limits{Findings: -1}}
	all := make([]*linted, len(entries))
	for i, e := range entries {
		f := &linted{Entry: e, fires: map[string]int{}, warns: map[string]bool{}}
		st, err := os.Stat(f.path())
		if err != nil {
			return nil, err
		}
		f.size = st.Size()
		err = f.scan(reader.Options{}, func(o *reader.Object) error {
			res := driver.Run(o)
			for _, x := range res.Failures {
				err = errors.Join(err, fmt.Errorf("%s: rule %s: %s", f.path(), x.Rule, x.Reason))
			}
			for _, x := range res.Findings {
				f.fires[x.Rule.ID]++
				f.warns[x.Rule.ID] = f.warns[x.Rule.ID] || x.Severity >= rules.Warning
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		all[i] = f
	}
	return all, nil
}

// scan reads the file, a raw section for its address.
func (f *linted) scan(opts reader.Options, visit func(*reader.Object) error) error {
	if f.RawAddress != "" {
		addr, err := strconv.ParseUint(f.RawAddress, 0, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", f.File, err)
		}
		opts.RawAddress = addr
	}
	return reader.Scan(filepath.FromSlash(f.path()), opts, visit)
}
