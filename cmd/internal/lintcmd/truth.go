package lintcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/execute"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/internal/replace"
)

// readTruth reads a truth file.
func readTruth(path string, b *budget.Budget) (*execute.Truth, error) {
	in, info, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return execute.ReadTruth(in, info.Size(), b)
}

// readTruths reads the truth files of --truth, within the limits of one input. Those of one
// ABI are merged: what holds is what holds in all of them. It returns at least one truth for
// at least one path, so that the rule is run.
func readTruths(paths []string, limits budget.Limits) (all []*execute.Truth, err error) {
	b := budget.New(context.Background(), limits)
	for _, path := range paths {
		t, err := readTruth(path, b)
		if err != nil {
			return []*execute.Truth{{}}, program.Failed(fmt.Errorf("%s: %w", path, err))
		}
		if i := slices.IndexFunc(all, func(x *execute.Truth) bool { return x.ABI == t.ABI }); i < 0 {
			all = append(all, t)
		} else if err := all[i].Merge(t); err != nil {
			return all, program.Failed(fmt.Errorf("%s: %w", path, err))
		}
	}
	return all, nil
}

// record adds a truth to a file, which need not exist.
func (a *app) record(path string, t *execute.Truth, b *budget.Budget) error {
	switch old, err := readTruth(path, b); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, regular.ErrNotRegular): // new, or written through
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	default:
		if err := old.Merge(t); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		t = old
	}
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return replace.File(path, func(f *os.File) error { _, err := f.Write(append(data, '\n')); return err })
}
